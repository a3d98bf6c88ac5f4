// Launch: runs a Program over host arrays, one walker per block.
//
// Guarantees (issue 2 §3): for race-free programs the arrays end with the bits of blocks run one
// after another in order, whatever `threads` and `schedule` are, float atomics included (committed
// in block order). No byte outside an argument's array is ever touched. After an error finding in a
// block the other blocks finish; findings come sorted by block. Exhaustion, internal errors and a
// deadlock stop the launch at once. What it is not: argument classification, exceptions (the
// bindings raise).
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <variant>
#include <vector>

#include "interp/ast/tree.h"
#include "interp/diag/check_levels.h"
#include "interp/diag/diagnostic.h"
#include "interp/launch/schedule.h"

namespace ascemu::interp {

struct ArrayArgument {
  std::byte* data = nullptr;
  std::int64_t count_elems = 0;
  bool writable = true;
};
using Argument = std::variant<ArrayArgument, Scalar>;

struct LaunchOptions {
  std::int64_t blocks = 1;
  int threads = 0;      // 0: OMP_NUM_THREADS or all cores; of the parallel schedule
  Schedule schedule{};  // the order of the blocks
  std::map<std::string, CheckLevel, std::less<>>
      checks;  // by slug; absent: the default level of checks.def; an unknown slug is ignored
  std::uint64_t max_steps = 0;                           // statements per block; 0: no limit
  std::size_t local_bytes_limit = std::size_t{1} << 30;  // live local tensors per block
  bool stop_at_first = false;        // end the launch at its first error, the blocks run in order
  std::size_t findings_limit = 100;  // kept per launch; the rest is counted
  std::vector<std::uint32_t> fresh;  // parameters whose arrays start unwritten, for the check
                                     // uninitialised; their bytes are left alone
  const std::atomic<bool>* stop =
      nullptr;  // set by another thread or a signal handler: the launch ends within milliseconds
};

struct LaunchResult {
  std::vector<Diagnostic> findings;  // ordered by block, then by time
  std::string printed;               // device_print output, ordered by block
  bool interrupted = false;
  std::size_t findings_dropped = 0;  // beyond findings_limit
};

// The program runs under its own policy. Arguments in the order of program.params; their kinds and
// dtypes must match (the caller checked; a mismatch is an internal fault).
LaunchResult launch(const Program& program, std::span<const Argument> arguments,
                    const LaunchOptions& options);

}  // namespace ascemu::interp
