// Exact conversion of numbers to element types in every rounding mode, without double rounding.
//
// What it is: integer code that rounds an exact value once: double, int64 and uint64 to any float
// element, double to any integer.
// What it is not: the table of legal casts (cast.cpp).
//
// Invariant: the result is the exact value rounded once. Overflow: a value whose rounding (with
// unbounded exponent) exceeds the largest finite number becomes infinity in every mode (spec asc2
// §12.2); integers saturate and NaN becomes 0. no_round and default_mode round like rint.
#pragma once

#include <bit>
#include <cstdint>
#include <limits>
#include <type_traits>

#include "refops/element.h"
#include "refops/round.h"

namespace ascemu::refops {

struct FloatFormat {
  int significand_bits = 24;  // hidden bit included
  int exponent_bits = 8;
};

inline constexpr FloatFormat kFloat16Format{11, 5};
inline constexpr FloatFormat kBfloat16Format{8, 8};
inline constexpr FloatFormat kFloat32Format{24, 8};
inline constexpr FloatFormat kFloat64Format{53, 11};

// The pattern of (-1)^negative * magnitude * 2^exponent in `format`.
std::uint64_t round_exact(FloatFormat format, bool negative, std::uint64_t magnitude, int exponent,
                          RoundMode mode);
// The pattern of `value` in `format`; NaN becomes the canonical NaN.
std::uint64_t round_double(FloatFormat format, double value, RoundMode mode);
// `value` rounded to an integral double; NaN and infinities unchanged.
double round_to_integral(double value, RoundMode mode);

template <class T>
constexpr FloatFormat float_format() {
  if constexpr (std::is_same_v<T, Float16>) {
    return kFloat16Format;
  } else if constexpr (std::is_same_v<T, Bfloat16>) {
    return kBfloat16Format;
  } else if constexpr (std::is_same_v<T, float>) {
    return kFloat32Format;
  } else {
    static_assert(std::is_same_v<T, double>);
    return kFloat64Format;
  }
}

template <class T>
constexpr std::uint64_t pattern_of_float(T value) {
  if constexpr (kIsHalf<T>) {
    return value.bits;
  } else if constexpr (std::is_same_v<T, float>) {
    return std::bit_cast<std::uint32_t>(value);
  } else {
    return std::bit_cast<std::uint64_t>(value);
  }
}

template <class T>
constexpr T float_from_pattern(std::uint64_t pattern) {
  if constexpr (kIsHalf<T>) {
    return T::from_bits(static_cast<std::uint16_t>(pattern));
  } else if constexpr (std::is_same_v<T, float>) {
    return std::bit_cast<float>(static_cast<std::uint32_t>(pattern));
  } else {
    return std::bit_cast<double>(pattern);
  }
}

// The pattern of `value` rounded to nearest even; bit-equal to round_double(format, value, rint)
// and branch-free. Adding 2^(52 - fraction bits) times the scale aligns the last kept bit with the
// last bit of the sum, so that the one rounding of that addition is the rounding asked for.
template <class T>
[[gnu::always_inline]] constexpr std::uint64_t nearest_pattern(double value) {
  constexpr FloatFormat kFormat = float_format<T>();
  constexpr int kFraction = kFormat.significand_bits - 1;
  constexpr std::int64_t kBias = (std::int64_t{1} << (kFormat.exponent_bits - 1)) - 1;
  constexpr std::int64_t kOverflow = (kBias + 1 + 1023) << 52;
  constexpr std::int64_t kLowest = (1 - kBias + 1023) << 52;
  constexpr std::int64_t kCanonicalNan =
      (((std::int64_t{1} << (kFormat.exponent_bits + 1)) - 1) << (kFraction - 1));
  const auto pattern = std::bit_cast<std::int64_t>(value);
  const std::int64_t magnitude = pattern & std::numeric_limits<std::int64_t>::max();
  const std::int64_t sign =
      pattern < 0 ? std::int64_t{1} << (kFraction + kFormat.exponent_bits) : 0;
  const std::int64_t capped = magnitude < kOverflow ? magnitude : kOverflow;
  const std::int64_t exponent = capped & (std::int64_t{0x7FF} << 52);
  const std::int64_t scale = exponent > kLowest ? exponent : kLowest;
  const std::int64_t aligner = scale + (std::int64_t{52 - kFraction} << 52);
  const double sum = std::bit_cast<double>(capped) + std::bit_cast<double>(aligner);
  const std::int64_t kept = std::bit_cast<std::int64_t>(sum) - aligner;
  const std::int64_t result = (kept + ((scale - kLowest) >> (52 - kFraction))) | sign;
  const bool is_nan = magnitude > (std::int64_t{0x7FF} << 52);
  return static_cast<std::uint64_t>(is_nan ? kCanonicalNan : result);
}

// Saturates an integral double; NaN is 0.
template <class T>
constexpr T saturate_integral(double value) {
  constexpr double kBound = static_cast<double>(std::uint64_t{1} << (sizeof(T) * 8 - 1)) *
                            (std::is_signed_v<T> ? 1.0 : 2.0);
  if (value != value) return 0;
  if (value >= kBound) return std::numeric_limits<T>::max();
  if (value <= (std::is_signed_v<T> ? -kBound : 0.0)) return std::numeric_limits<T>::min();
  return static_cast<T>(value);
}

// One rounding of a double to a float element or (saturating) an integer element.
template <class T>
T round_to(double value, RoundMode mode) {
  if constexpr (!kIsFloatElement<T>) {
    return saturate_integral<T>(round_to_integral(value, mode));
  } else if constexpr (std::is_same_v<T, float>) {
    if (mode == RoundMode::rint) return canonical(static_cast<float>(value));
    return float_from_pattern<T>(round_double(float_format<T>(), value, mode));
  } else {
    if constexpr (kIsHalf<T>) {
      if (mode == RoundMode::rint) return float_from_pattern<T>(nearest_pattern<T>(value));
    }
    return float_from_pattern<T>(round_double(float_format<T>(), value, mode));
  }
}

// One rounding of an integer to a float element, by integer arithmetic.
template <class T>
T round_to(std::int64_t value, RoundMode mode) {
  const bool negative = value < 0;
  const auto pattern = static_cast<std::uint64_t>(value);
  return float_from_pattern<T>(
      round_exact(float_format<T>(), negative, negative ? 0 - pattern : pattern, 0, mode));
}

template <class T>
T round_to(std::uint64_t value, RoundMode mode) {
  return float_from_pattern<T>(round_exact(float_format<T>(), false, value, 0, mode));
}

}  // namespace ascemu::refops
