#include "refops/round.h"

namespace ascemu::refops {

std::string_view round_mode_name(RoundMode mode) {
  switch (mode) {
    case RoundMode::no_round:
      return "NoRound";
    case RoundMode::rint:
      return "Rint";
    case RoundMode::floor:
      return "Floor";
    case RoundMode::ceil:
      return "Ceil";
    case RoundMode::round:
      return "Round";
    case RoundMode::trunc:
      return "Trunc";
    case RoundMode::odd:
      return "Odd";
    case RoundMode::default_mode:
      return "Default";
  }
  return "Default";
}

std::optional<RoundMode> round_mode_from_number(int number) {
  if ((number >= 0 && number <= 6) || number == 100) return static_cast<RoundMode>(number);
  return std::nullopt;
}

}  // namespace ascemu::refops
