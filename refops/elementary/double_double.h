// Arithmetic on unevaluated sums of two doubles (about 106 significant bits).
//
// What it is: the exact sum and product of two doubles and the operations built on them.
// What it is not: correctly rounded; each operation is within a few 2^-104 of the exact result,
// relatively, unless it says so.
//
// Invariant: high is the double nearest to high + low. Needs round-to-nearest, no contraction and
// operands far from overflow and underflow (a product's low part must stay normal).
#pragma once

namespace ascemu::refops::elementary {

struct DoubleDouble {
  double high = 0;
  double low = 0;
};

// Exact when |a| >= |b| or a is 0.
constexpr DoubleDouble fast_two_sum(double a, double b) {
  const double sum = a + b;
  return {sum, b - (sum - a)};
}

// Exact.
constexpr DoubleDouble two_sum(double a, double b) {
  const double sum = a + b;
  const double from_b = sum - a;
  return {sum, (a - (sum - from_b)) + (b - from_b)};
}

// Exact (Dekker's splitting; no fused multiply-add, so that every machine computes the same).
constexpr DoubleDouble two_product(double a, double b) {
  constexpr double kSplitter = 0x1p27 + 1;
  const double wide_a = kSplitter * a;
  const double wide_b = kSplitter * b;
  const double high_a = wide_a - (wide_a - a);
  const double high_b = wide_b - (wide_b - b);
  const double low_a = a - high_a;
  const double low_b = b - high_b;
  const double product = a * b;
  return {product, ((high_a * high_b - product) + high_a * low_b + low_a * high_b) + low_a * low_b};
}

constexpr DoubleDouble operator-(DoubleDouble a) { return {-a.high, -a.low}; }

// Accurate under cancellation too.
constexpr DoubleDouble operator+(DoubleDouble a, DoubleDouble b) {
  const DoubleDouble high = two_sum(a.high, b.high);
  const DoubleDouble low = two_sum(a.low, b.low);
  const DoubleDouble first = fast_two_sum(high.high, high.low + low.high);
  return fast_two_sum(first.high, first.low + low.low);
}

constexpr DoubleDouble operator+(DoubleDouble a, double b) {
  const DoubleDouble high = two_sum(a.high, b);
  return fast_two_sum(high.high, high.low + a.low);
}

constexpr DoubleDouble operator-(DoubleDouble a, DoubleDouble b) { return a + (-b); }

constexpr DoubleDouble operator*(DoubleDouble a, DoubleDouble b) {
  const DoubleDouble product = two_product(a.high, b.high);
  return fast_two_sum(product.high, product.low + (a.high * b.low + a.low * b.high));
}

constexpr DoubleDouble operator*(DoubleDouble a, double b) {
  const DoubleDouble product = two_product(a.high, b);
  return fast_two_sum(product.high, product.low + a.low * b);
}

constexpr DoubleDouble operator/(DoubleDouble a, DoubleDouble b) {
  const double first = a.high / b.high;
  const DoubleDouble rest = a - b * first;
  const double second = rest.high / b.high;
  const DoubleDouble last = rest - b * second;
  return fast_two_sum(first, second) + last.high / b.high;
}

// Exact: `factor` is a power of two that neither overflows nor underflows the parts.
constexpr DoubleDouble scaled(DoubleDouble a, double factor) {
  return {a.high * factor, a.low * factor};
}

// coefficients[0] + x * (coefficients[1] + ...), the first `count` of them.
template <class Coefficients>
constexpr DoubleDouble power_series(const Coefficients& coefficients, int count, DoubleDouble x) {
  DoubleDouble sum = coefficients[static_cast<unsigned>(count - 1)];
  for (int i = count - 2; i >= 0; --i) sum = sum * x + coefficients[static_cast<unsigned>(i)];
  return sum;
}

}  // namespace ascemu::refops::elementary
