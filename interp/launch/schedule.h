// The order in which the blocks of a launch run.
//
// What it is: the schedules and their text form, which people choose. What it is not: threads;
// those are block_threads.h, and whose turn it is, turns.h. Invariant: everything but `parallel`
// runs one block at a time and is the same in every run of the same launch.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

namespace ascemu::interp {

struct Schedule {
  enum class Kind : std::uint8_t {
    parallel,    // threads share the blocks, which start in order
    sequential,  // one block after another, in order
    reverse,     // the last block first
    random,      // an order that the seed determines
    interleave,  // the blocks take turns at every statement that accesses an array
  };

  Kind kind = Kind::parallel;
  std::uint64_t seed = 0;  // of random

  // "parallel", "sequential", "reverse", "random", "random:SEED" (a decimal number below 2^64) or
  // "interleave"; nothing for any other text.
  static std::optional<Schedule> parse(std::string_view text);

  // The blocks 0 .. count - 1 in the order in which they start. The same on every machine.
  std::vector<std::int64_t> order(std::int64_t count) const;
};

}  // namespace ascemu::interp
