// Rounding modes of casts (spec asc2 §6.5) under the language's names and numbers.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace ascemu::refops {

enum class RoundMode : std::uint8_t {
  no_round = 0,
  rint = 1,   // nearest, ties to even
  floor = 2,  // toward minus infinity
  ceil = 3,   // toward plus infinity
  round = 4,  // nearest, ties away from zero
  trunc = 5,  // toward zero
  odd = 6,    // von Neumann: inexact results get an odd last bit
  default_mode = 100,
};

// "NoRound", "Rint", ... "Default": the Python spelling.
std::string_view round_mode_name(RoundMode mode);
std::optional<RoundMode> round_mode_from_number(int number);

}  // namespace ascemu::refops
