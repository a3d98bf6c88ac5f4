#include "refops/elementary/accurate.h"

#include <bit>
#include <cmath>

#include "refops/elementary/constants.h"

namespace ascemu::refops::elementary::accurate {
namespace {

inline constexpr double kIntegerShift = 0x1.8p52;

double nearest_integer(double x) { return (x + kIntegerShift) - kIntegerShift; }

// 2^k for |k| <= 1022.
double power_of_two(std::int64_t k) {
  return std::bit_cast<double>(static_cast<std::uint64_t>(k + 1023) << 52);
}

DoubleDouble times_power_of_two(DoubleDouble x, double k) {
  const auto whole = static_cast<std::int64_t>(k);
  const std::int64_t half = whole / 2;
  return scaled(scaled(x, power_of_two(half)), power_of_two(whole - half));
}

// 1/kFirst!, 1/(kFirst + 2)!, ...
template <unsigned kFirst>
struct EveryOtherFactorial {
  DoubleDouble operator[](unsigned i) const { return kInverseFactorials[2 * i + kFirst]; }
};

// exp on |r| <= 0.35: the last of the 28 terms is below 2^-130.
DoubleDouble exp_reduced(DoubleDouble r) { return power_series(kInverseFactorials, 28, r); }

// A positive x as 2^k * m, m in [sqrt(1/2), sqrt(2)).
struct Split {
  double k;
  double m;
};

Split split(double x) {
  double shift = 0;
  if (x < 0x1p-1022) {
    x *= 0x1p54;
    shift = -54;
  }
  const auto bits = std::bit_cast<std::uint64_t>(x);
  constexpr std::uint64_t kOneBits = 0x3FF0000000000000;
  constexpr std::uint64_t kRootHalfBits = 0x3FE6A09E667F3BCD;
  const auto k = static_cast<std::int64_t>((bits + (kOneBits - kRootHalfBits)) >> 52) - 1023;
  const double m = std::bit_cast<double>(bits - (static_cast<std::uint64_t>(k) << 52));
  return {static_cast<double>(k) + shift, m};
}

// log(m) = 2 atanh(s), s = (m - 1) / (m + 1), s^2 < 0.0295: 23 terms reach 2^-117.
DoubleDouble log_reduced(double m) {
  const DoubleDouble s = DoubleDouble{m - 1, 0} / two_sum(m, 1);
  return scaled(s * power_series(kInverseOdds, 23, s * s), 2);
}

DoubleDouble sin_reduced(DoubleDouble r) {
  return r * power_series(EveryOtherFactorial<1>{}, 15, -(r * r));
}

DoubleDouble cos_reduced(DoubleDouble r) {
  return power_series(EveryOtherFactorial<0>{}, 15, -(r * r));
}

}  // namespace

DoubleDouble exp(DoubleDouble x) {
  const double k = nearest_integer(x.high * kLog2E);
  const DoubleDouble r =
      two_sum(x.high, -(k * kLn2Part1)) + (DoubleDouble{x.low, 0} - kLn2Rest * k);
  return times_power_of_two(exp_reduced(r), k);
}

DoubleDouble exp2(double x) {
  const double k = nearest_integer(x);
  return times_power_of_two(exp_reduced(kLn2 * (x - k)), k);
}

DoubleDouble log(double x) {
  const auto [k, m] = split(x);
  return DoubleDouble{k * kLn2Part1, 0} + (kLn2Rest * k + log_reduced(m));
}

DoubleDouble log2(double x) {
  const auto [k, m] = split(x);
  return DoubleDouble{k, 0} + kInverseLn2 * log_reduced(m);
}

DoubleDouble rsqrt(double x) {
  // An even power of two brings x so near to 1 that no product below leaves the normal range.
  double even = 0;
  if (x < 0x1p-400) even = 512;
  if (x > 0x1p400) even = -512;
  const double near_one = times_power_of_two({x, 0}, even).high;
  const double root = 1 / std::sqrt(near_one);
  // One step of Newton's method from the exact residue 1 - x root^2.
  const DoubleDouble square = two_product(root, root);
  const DoubleDouble residue = DoubleDouble{1, 0} - square * near_one;
  return times_power_of_two(fast_two_sum(root, 0.5 * root * residue.high), even / 2);
}

Quadrant reduce(double x) {
  const auto bits = std::bit_cast<std::uint64_t>(x) & 0x7FFFFFFFFFFFFFFFU;
  if (bits < std::bit_cast<std::uint64_t>(0.75)) return {{x, 0}, 0};
  // |x| = m * 2^e. The digits of 2/pi from weight 2^(1 - e) on decide m * 2^e * 2/pi modulo 4;
  // those 256 digits leave an error below m * 2^-254.
  const std::uint64_t m = (bits & 0x000FFFFFFFFFFFFFU) | 0x0010000000000000U;
  const int e = static_cast<int>(bits >> 52) - 1075;
  const auto position = static_cast<unsigned>(e + 62);
  const unsigned shift = position % 64;
  using Wide = unsigned __int128;
  std::uint64_t product[4];  // modulo 4 with 254 fraction bits, most significant word first
  Wide carry = 0;
  for (unsigned word = 4; word-- > 0;) {
    const std::uint64_t left = kTwoOverPiDigits[position / 64 + word];
    const std::uint64_t right = kTwoOverPiDigits[position / 64 + word + 1];
    const std::uint64_t digits = shift == 0 ? left : (left << shift) | (right >> (64 - shift));
    carry += static_cast<Wide>(digits) * m;
    product[word] = static_cast<std::uint64_t>(carry);
    carry >>= 64;
  }
  std::uint64_t number = product[0] >> 62;
  for (unsigned word = 0; word < 4; ++word) {
    product[word] = (product[word] << 2) | (word < 3 ? product[word + 1] >> 62 : 0);
  }
  const bool negative = (product[0] >> 63) != 0;
  if (negative) {
    ++number;
    for (std::uint64_t& word : product) word = ~word;
  }
  // The fraction (below 1/2) as three numbers of 53 bits from its leading one on.
  unsigned skipped = 0;
  for (unsigned word = 0; word < 4 && product[word] == 0; ++word) skipped += 64;
  skipped += static_cast<unsigned>(std::countl_zero(product[skipped / 64]));
  const auto bits_at = [&product](unsigned from) {
    const unsigned word = from / 64;
    const std::uint64_t high = word < 4 ? product[word] : 0;
    const std::uint64_t low = word < 3 ? product[word + 1] : 0;
    const unsigned offset = from % 64;
    return (offset == 0 ? high : (high << offset) | (low >> (64 - offset))) >> 11;
  };
  const double unit = power_of_two(-53 - static_cast<std::int64_t>(skipped));
  const double first = static_cast<double>(bits_at(skipped)) * unit;
  const double second = static_cast<double>(bits_at(skipped + 53)) * (unit * 0x1p-53);
  const double third = static_cast<double>(bits_at(skipped + 106)) * (unit * 0x1p-106);
  DoubleDouble r = (fast_two_sum(first, second) + third) * kHalfPi;
  if (negative) r = -r;
  if (std::signbit(x)) return {-r, 0 - number};
  return {r, number};
}

DoubleDouble sin_of(const Quadrant& q) {
  const DoubleDouble value = (q.number & 1) != 0 ? cos_reduced(q.r) : sin_reduced(q.r);
  return (q.number & 2) != 0 ? -value : value;
}

DoubleDouble cos_of(const Quadrant& q) { return sin_of({q.r, q.number + 1}); }

DoubleDouble tan_of(const Quadrant& q) {
  const DoubleDouble sine = sin_reduced(q.r);
  const DoubleDouble cosine = cos_reduced(q.r);
  return (q.number & 1) != 0 ? -(cosine / sine) : sine / cosine;
}

// From e = exp(|x|) / 2: e -+ 1 / (4 e). Beyond 40 the second term is below 2^-115 of the first.
DoubleDouble sinh(double x) {
  const double size = std::fabs(x);
  if (size < 1) {
    const DoubleDouble square = two_product(x, x);
    return power_series(EveryOtherFactorial<1>{}, 15, square) * x;
  }
  DoubleDouble e = exp(two_sum(size, -kLn2.high) + DoubleDouble{-kLn2.low, 0});
  if (size < 40) e = e - DoubleDouble{0.25, 0} / e;
  return x < 0 ? -e : e;
}

DoubleDouble cosh(double x) {
  const double size = std::fabs(x);
  const DoubleDouble e = exp(two_sum(size, -kLn2.high) + DoubleDouble{-kLn2.low, 0});
  return size < 40 ? e + DoubleDouble{0.25, 0} / e : e;
}

DoubleDouble tanh(double x) { return sinh(x) / cosh(x); }

// 2/sqrt(pi) exp(-x^2) (x + 2 x^3 / 3 + 4 x^5 / 15 + ...): every term has the sign of x.
DoubleDouble erf(double x) {
  if (std::fabs(x) < 0x1p-200) return scaled(kTwoOverRootPi * (x * 0x1p600), 0x1p-600);
  const DoubleDouble square = two_product(x, x);
  const DoubleDouble twice = scaled(square, 2);
  DoubleDouble term{x, 0};
  DoubleDouble sum = term;
  for (int odd = 3; std::fabs(term.high) > 0x1p-112 * std::fabs(sum.high); odd += 2) {
    term = term * twice / DoubleDouble{static_cast<double>(odd), 0};
    sum = sum + term;
  }
  return sum * exp(-square) * kTwoOverRootPi;
}

}  // namespace ascemu::refops::elementary::accurate
