#include "refops/exact_arithmetic.h"

#include <bit>
#include <cstdint>
#include <utility>

#include "refops/round_to.h"

namespace ascemu::refops::exact {
namespace {

// (-1)^negative * magnitude * 2^exponent, an infinity or a NaN.
struct Number {
  bool negative = false;
  bool infinite = false;
  bool nan = false;
  std::uint64_t magnitude = 0;
  int exponent = 0;

  bool is_zero() const { return magnitude == 0 && !infinite && !nan; }
};

template <class T>
Number number_of(T value) {
  constexpr FloatFormat kFormat = float_format<T>();
  constexpr int kFraction = kFormat.significand_bits - 1;
  constexpr std::uint64_t kFieldMask = (std::uint64_t{1} << kFormat.exponent_bits) - 1;
  const std::uint64_t pattern = pattern_of_float(value);
  const std::uint64_t field = (pattern >> kFraction) & kFieldMask;
  const std::uint64_t fraction = pattern & ((std::uint64_t{1} << kFraction) - 1);
  Number number;
  number.negative = (pattern >> (kFraction + kFormat.exponent_bits)) != 0;
  if (field == kFieldMask) {
    number.infinite = fraction == 0;
    number.nan = fraction != 0;
    return number;
  }
  constexpr int kBias = static_cast<int>(kFieldMask >> 1);
  number.magnitude = field == 0 ? fraction : fraction | (std::uint64_t{1} << kFraction);
  number.exponent = (field == 0 ? 1 : static_cast<int>(field)) - kBias - kFraction;
  return number;
}

template <class T>
T rounded(const Number& number, RoundMode mode) {
  constexpr FloatFormat kFormat = float_format<T>();
  constexpr int kFraction = kFormat.significand_bits - 1;
  constexpr std::uint64_t kInfinity = ((std::uint64_t{1} << kFormat.exponent_bits) - 1)
                                      << kFraction;
  constexpr std::uint64_t kQuiet = kInfinity | (std::uint64_t{1} << (kFraction - 1));
  if (number.nan) return float_from_pattern<T>(kQuiet);
  if (number.infinite) {
    constexpr std::uint64_t kSign = std::uint64_t{1} << (kFraction + kFormat.exponent_bits);
    return float_from_pattern<T>(kInfinity | (number.negative ? kSign : 0));
  }
  return float_from_pattern<T>(
      round_exact(kFormat, number.negative, number.magnitude, number.exponent, mode));
}

Number not_a_number() {
  Number number;
  number.nan = true;
  return number;
}

// Shifted right by `count`; a lost bit sets the last one, which stays far below what is kept.
std::uint64_t jammed(std::uint64_t magnitude, int count) {
  if (count <= 0) return magnitude;
  if (count > 63) return magnitude != 0 ? 1 : 0;
  const std::uint64_t kept = magnitude >> count;
  return (kept << count) == magnitude ? kept : kept | 1;
}

// The leading one moves to bit 62.
void normalise(Number& number) {
  const int shift = std::countl_zero(number.magnitude) - 1;
  number.magnitude <<= shift;
  number.exponent -= shift;
}

// Magnitudes below 2^48, so that a jammed bit never decides more than "not exact".
Number sum_of(Number a, Number b, RoundMode mode) {
  if (a.nan || b.nan) return not_a_number();
  if (a.infinite || b.infinite) {
    if (a.infinite && b.infinite && a.negative != b.negative) return not_a_number();
    return a.infinite ? a : b;
  }
  if (a.is_zero() && b.is_zero()) {
    a.negative = a.negative == b.negative ? a.negative : mode == RoundMode::floor;
    return a;
  }
  if (a.is_zero()) return b;
  if (b.is_zero()) return a;
  normalise(a);
  normalise(b);
  if (a.exponent < b.exponent || (a.exponent == b.exponent && a.magnitude < b.magnitude)) {
    std::swap(a, b);
  }
  const std::uint64_t smaller = jammed(b.magnitude, a.exponent - b.exponent);
  a.magnitude = a.negative == b.negative ? a.magnitude + smaller : a.magnitude - smaller;
  if (a.magnitude == 0) a.negative = mode == RoundMode::floor;
  return a;
}

Number product_of(const Number& a, const Number& b) {
  Number product;
  product.negative = a.negative != b.negative;
  if (a.nan || b.nan) return not_a_number();
  if (a.infinite || b.infinite) {
    if (a.is_zero() || b.is_zero()) return not_a_number();
    product.infinite = true;
    return product;
  }
  product.magnitude = a.magnitude * b.magnitude;
  product.exponent = a.exponent + b.exponent;
  return product;
}

Number quotient_of(Number a, Number b) {
  Number quotient;
  quotient.negative = a.negative != b.negative;
  if (a.nan || b.nan || (a.infinite && b.infinite) || (a.is_zero() && b.is_zero())) {
    return not_a_number();
  }
  if (a.infinite || b.is_zero()) {
    quotient.infinite = true;
    return quotient;
  }
  if (b.infinite || a.is_zero()) return quotient;
  normalise(a);
  quotient.magnitude = a.magnitude / b.magnitude;
  quotient.exponent = a.exponent - b.exponent;
  if (quotient.magnitude * b.magnitude != a.magnitude) quotient.magnitude |= 1;
  return quotient;
}

Number root_of(Number x) {
  if (x.nan || (x.negative && !x.is_zero())) return not_a_number();
  if (x.infinite || x.is_zero()) return x;
  normalise(x);
  if (x.exponent % 2 != 0) {
    x.magnitude >>= 1;
    x.exponent += 1;
  }
  std::uint64_t root = 0;
  for (std::uint64_t bit = std::uint64_t{1} << 31; bit != 0; bit >>= 1) {
    if ((root + bit) * (root + bit) <= x.magnitude) root += bit;
  }
  const bool is_exact = root * root == x.magnitude;
  // One more digit makes room for what was lost.
  x.magnitude = (root << 1) | (is_exact ? 0 : 1);
  x.exponent = x.exponent / 2 - 1;
  return x;
}

template <class T>
Number negated(T value) {
  Number number = number_of(value);
  number.negative = !number.negative;
  return number;
}

}  // namespace

template <class T>
T add(T a, T b, RoundMode mode) {
  return rounded<T>(sum_of(number_of(a), number_of(b), mode), mode);
}

template <class T>
T sub(T a, T b, RoundMode mode) {
  return rounded<T>(sum_of(number_of(a), negated(b), mode), mode);
}

template <class T>
T mul(T a, T b, RoundMode mode) {
  return rounded<T>(product_of(number_of(a), number_of(b)), mode);
}

template <class T>
T div(T a, T b, RoundMode mode) {
  return rounded<T>(quotient_of(number_of(a), number_of(b)), mode);
}

template <class T>
T sqrt(T x, RoundMode mode) {
  return rounded<T>(root_of(number_of(x)), mode);
}

template <class T>
T fma(T a, T b, T c, RoundMode mode) {
  return rounded<T>(sum_of(product_of(number_of(a), number_of(b)), number_of(c), mode), mode);
}

#define ASCEMU_EXACT(T)               \
  template T add<T>(T, T, RoundMode); \
  template T sub<T>(T, T, RoundMode); \
  template T mul<T>(T, T, RoundMode); \
  template T div<T>(T, T, RoundMode); \
  template T sqrt<T>(T, RoundMode);   \
  template T fma<T>(T, T, T, RoundMode);
ASCEMU_EXACT(Float16)
ASCEMU_EXACT(Bfloat16)
ASCEMU_EXACT(float)
#undef ASCEMU_EXACT

}  // namespace ascemu::refops::exact
