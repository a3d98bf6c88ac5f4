// From a double (or double-double) near the exact value to the element nearest to that value.
//
// What it is: one branch-free rounding per element format, the test whether a double of known error
// settles the result, and the rounding of a double-double.
// What it is not: the rounding of casts (refops/round_to.h), which serves every mode.
//
// Invariant: quantize<T>(v) is v rounded once to T's precision and least exponent, nearest even, as
// a double; it is monotonic, so that equal roundings of a lower and an upper bound are the result.
#pragma once

#include <bit>
#include <cmath>
#include <cstdint>

#include "refops/element.h"
#include "refops/elementary/double_double.h"
#include "refops/elementary/fast.h"

namespace ascemu::refops::elementary {

// Values beyond T's range stay finite here (halves) and overflow in element_of. |value| < 2^900.
template <class T>
ASCEMU_INLINE double quantize(double value) {
  if constexpr (std::is_same_v<T, double>) {
    return value;
  } else if constexpr (std::is_same_v<T, float>) {
    return static_cast<double>(static_cast<float>(value));
  } else {
    constexpr std::uint64_t kBits = std::is_same_v<T, Float16> ? 11 : 8;
    constexpr double kLeastNormal = std::is_same_v<T, Float16> ? 0x1p-14 : 0x1p-126;
    const double size = fast::magnitude(value);
    const double power =
        std::bit_cast<double>(std::bit_cast<std::uint64_t>(value) & 0x7FF0000000000000U);
    const double scale = power < kLeastNormal ? kLeastNormal : power;
    // A sum with 2^(53 - kBits) times the scale has its last bit where T's value has it.
    const double aligner = std::bit_cast<double>(std::bit_cast<std::uint64_t>(scale) +
                                                 ((std::uint64_t{53} - kBits) << 52));
    return std::copysign((size + aligner) - aligner, value);
  }
}

// The element of a quantized value; what exceeds T's range becomes an infinity.
template <class T>
ASCEMU_INLINE T element_of(double quantized) {
  if constexpr (std::is_same_v<T, double>) {
    return canonical(quantized);
  } else {
    return narrow<T>(static_cast<float>(quantized));
  }
}

// Whether every number within `error` (relative) of `value` rounds to the same element.
template <class T>
ASCEMU_INLINE bool settles(double value, double error) {
  const double margin = value * error;
  return quantize<T>(value - margin) == quantize<T>(value + margin);
}

// The exact sum rounded once. An infinite or NaN high part is the result.
template <class T>
T round_sum(DoubleDouble value) {
  double sum = value.high;
  if (!std::is_same_v<T, double> && value.low != 0 && std::isfinite(sum)) {
    // Rounded to odd: the neighbour of `high` on the side of `low` when `high` itself is even.
    const auto bits = std::bit_cast<std::uint64_t>(sum);
    const bool outward = std::signbit(value.low) == std::signbit(sum);
    if ((bits & 1) == 0) sum = std::bit_cast<double>(outward ? bits + 1 : bits - 1);
  }
  return element_of<T>(quantize<T>(sum));
}

}  // namespace ascemu::refops::elementary
