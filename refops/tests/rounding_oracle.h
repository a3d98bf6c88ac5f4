// Slow, independent rounding of exact values into a small float format.
//
// What it is: a sorted list of every magnitude of the format, decoded by ldexp, and a search for
// the neighbours of the value. It shares no code with round_to.h. What it is not: fast.
//
// Invariant: the value is asked for only through exact comparisons, so that any exact number (a
// quotient, a square root) can be rounded.
#pragma once

#include <cmath>
#include <cstdint>
#include <functional>
#include <vector>

#include "refops/round.h"

namespace ascemu::refops {

class RoundingOracle {
 public:
  RoundingOracle(int fraction_bits, int exponent_bits) : fraction_bits_(fraction_bits) {
    const int bias = (1 << (exponent_bits - 1)) - 1;
    infinity_ = ((1 << exponent_bits) - 1) << fraction_bits;
    // One step further than the largest finite number: the value that overflow is measured against.
    for (int pattern = 0; pattern <= infinity_; ++pattern) {
      const int field = pattern >> fraction_bits;
      const int fraction = pattern & ((1 << fraction_bits) - 1);
      const int hidden = field == 0 ? 0 : 1 << fraction_bits;
      const int exponent = (field == 0 ? 1 : field) - bias - fraction_bits;
      magnitudes_.push_back(std::ldexp(static_cast<long double>(hidden + fraction), exponent));
    }
  }

  // compare(t) is the sign of (|value| - t), exactly.
  std::uint16_t round(bool negative, const std::function<int(long double)>& compare,
                      RoundMode mode) const {
    int low = 0;
    int high = infinity_;
    const int sign = negative ? (infinity_ + (1 << fraction_bits_)) : 0;
    if (compare(magnitudes_[static_cast<std::size_t>(high)]) >= 0) return pack(sign, high);
    while (high - low > 1) {
      const int middle = (low + high) / 2;
      (compare(magnitudes_[static_cast<std::size_t>(middle)]) >= 0 ? low : high) = middle;
    }
    const long double below = magnitudes_[static_cast<std::size_t>(low)];
    const long double above = magnitudes_[static_cast<std::size_t>(high)];
    if (compare(below) == 0) return pack(sign, low);
    const int half = compare((below + above) / 2);
    switch (mode) {
      case RoundMode::floor:
        return pack(sign, negative ? high : low);
      case RoundMode::ceil:
        return pack(sign, negative ? low : high);
      case RoundMode::trunc:
        return pack(sign, low);
      case RoundMode::odd:
        return pack(sign, low % 2 == 1 ? low : high);
      case RoundMode::round:
        return pack(sign, half >= 0 ? high : low);
      default:
        break;
    }
    if (half != 0) return pack(sign, half > 0 ? high : low);
    return pack(sign, low % 2 == 0 ? low : high);
  }

  std::uint16_t round(long double value, RoundMode mode) const {
    const long double magnitude = std::fabs(value);
    return round(
        std::signbit(value),
        [magnitude](long double t) { return magnitude < t ? -1 : (magnitude > t ? 1 : 0); }, mode);
  }

 private:
  static std::uint16_t pack(int sign, int magnitude) {
    return static_cast<std::uint16_t>(sign | magnitude);
  }

  int fraction_bits_;
  int infinity_ = 0;
  std::vector<long double> magnitudes_;
};

inline const RoundingOracle& half_oracle() {
  static const RoundingOracle oracle(10, 5);
  return oracle;
}

inline const RoundingOracle& bhalf_oracle() {
  static const RoundingOracle oracle(7, 8);
  return oracle;
}

inline constexpr RoundMode kAllModes[] = {RoundMode::rint,  RoundMode::floor, RoundMode::ceil,
                                          RoundMode::round, RoundMode::trunc, RoundMode::odd};

}  // namespace ascemu::refops
