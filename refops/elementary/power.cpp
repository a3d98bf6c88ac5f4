#include "refops/elementary/power.h"

#include <cmath>

#include "refops/elementary/accurate.h"
#include "refops/elementary/functions.h"
#include "refops/elementary/rounding.h"

namespace ascemu::refops::elementary {
namespace {

bool is_integer(double y) { return std::fabs(y) >= 0x1p52 || std::nearbyint(y) == y; }
bool is_odd(double y) { return std::fabs(y) < 0x1p53 && is_integer(y) && std::fmod(y, 2) != 0; }

// A positive finite value as an odd integer times a power of two.
struct OddTimesPower {
  double odd;
  int exponent;
};

OddTimesPower decompose(double value) {
  int exponent = 0;
  double odd = std::frexp(value, &exponent);
  while (std::trunc(odd) != odd) {
    odd *= 2;
    --exponent;
  }
  return {odd, exponent};
}

}  // namespace

std::optional<double> special_power(double x, double y) {
  if (y == 0 || x == 1) return 1.0;
  if (x != x || y != y) return kNan;
  const bool odd = is_odd(y);
  if (std::isinf(y)) {
    const double size = std::fabs(x);
    if (size == 1) return 1.0;
    return (size > 1) == (y > 0) ? kInfinity : 0.0;
  }
  if (x == 0 || std::isinf(x)) {
    const double size = (x == 0) == (y > 0) ? 0.0 : kInfinity;
    return odd ? std::copysign(size, x) : size;
  }
  if (x < 0 && !is_integer(y)) return kNan;
  if (x == -1) return odd ? -1.0 : 1.0;
  return std::nullopt;
}

std::optional<double> exact_power(double x, double y) {
  auto [odd, exponent] = decompose(x);
  if (odd == 1) {
    const double result_exponent = exponent * y;
    if (std::trunc(result_exponent) != result_exponent || std::fabs(result_exponent) > 1000) {
      return std::nullopt;
    }
    return std::ldexp(1.0, static_cast<int>(result_exponent));
  }
  // No power of an odd integer above 1 has a reciprocal of finitely many digits.
  if (y < 0) return std::nullopt;
  // y = n / 2^f with an odd n: x must be a 2^f-th power, so f <= 3 (3^16 has more than 24 bits).
  while (std::trunc(y) != y) {
    const double root = std::sqrt(odd);
    if (exponent % 2 != 0 || std::trunc(root) != root) return std::nullopt;
    odd = root;
    exponent /= 2;
    y *= 2;
    if (odd == 1) return std::nullopt;
  }
  if (y > 33) return std::nullopt;  // 3^34 has more than 53 bits
  double result = 1;
  for (int i = 0; i < static_cast<int>(y); ++i) {
    result *= odd;
    if (result > 0x1p53) return std::nullopt;
  }
  return std::ldexp(result, exponent * static_cast<int>(y));
}

DoubleDouble accurate_power(double x, double y) { return accurate::exp(accurate::log(x) * y); }

template <class T>
T resolve_power(double x, double y) {
  if (const std::optional<double> known = special_power(x, y)) return element_of<T>(*known);
  // The sign goes onto the double: rounding is symmetric.
  const bool negative = x < 0 && is_odd(y);
  const auto with_sign = [negative](double value) { return negative ? -value : value; };
  const double size = std::fabs(x);
  if constexpr (!std::is_same_v<T, double>) {
    const double value = with_sign(fast::Pow::evaluate(size, y));
    if (settles<T>(value, fast::Pow::kError)) return element_of<T>(quantize<T>(value));
    if (const std::optional<double> exact = exact_power(size, y)) {
      return element_of<T>(quantize<T>(with_sign(*exact)));
    }
  }
  const double estimate = y * accurate::log(size).high;
  if (estimate > 720) return element_of<T>(with_sign(kInfinity));
  if (estimate < -760) return element_of<T>(with_sign(0));
  const DoubleDouble value = accurate_power(size, y);
  return round_sum<T>(negative ? -value : value);
}

template float resolve_power<float>(double, double);
template Float16 resolve_power<Float16>(double, double);
template Bfloat16 resolve_power<Bfloat16>(double, double);
template double resolve_power<double>(double, double);

}  // namespace ascemu::refops::elementary
