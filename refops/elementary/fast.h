// Branch-free evaluations of the elementary functions in plain double arithmetic.
//
// What it is: one struct per function with `evaluate`, within kError of the exact value
// (relatively) for the operands that `is_regular` accepts. Whole loops over it vectorise on the
// baseline instruction set. What it is not: a result; rounding.h decides whether the double settles
// the element.
//
// Invariant: only additions, products, quotients and square roots of doubles and bit operations, so
// that the vector width cannot change a bit. The stated bound is at least eight times the sum of
// the polynomial's error (constants.h) and of the rounding errors; tests measure it against MPFR.
// A function's value for an operand outside `is_regular` means nothing.
#pragma once

#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>

#include "refops/elementary/constants.h"

// Bodies must merge into loops compiled for a wider instruction set (arrays.cpp).
#define ASCEMU_INLINE [[gnu::always_inline]] inline

namespace ascemu::refops::elementary::fast {

inline constexpr double kUsualError = 0x1p-46;
// Adding it rounds to an integer, which the low bits of the sum hold in two's complement.
inline constexpr double kIntegerShift = 0x1.8p52;

ASCEMU_INLINE double magnitude(double x) {
  return std::bit_cast<double>(std::bit_cast<std::uint64_t>(x) & 0x7FFFFFFFFFFFFFFFU);
}

// A NaN stays.
ASCEMU_INLINE double clamp(double x, double low, double high) {
  const double raised = x < low ? low : x;
  return raised > high ? high : raised;
}

ASCEMU_INLINE double select(std::uint64_t mask, double where_ones, double where_zeros) {
  return std::bit_cast<double>((std::bit_cast<std::uint64_t>(where_ones) & mask) |
                               (std::bit_cast<std::uint64_t>(where_zeros) & ~mask));
}

template <std::size_t kFirst, std::size_t kCount>
ASCEMU_INLINE double every_other_term(const std::array<double, kCount>& c, double square) {
  if constexpr (kFirst + 2 < kCount) {
    return c[kFirst] + square * every_other_term<kFirst + 2>(c, square);
  } else {
    return c[kFirst];
  }
}

// Two Horner chains in x^2, so that one need not wait for the other.
template <std::size_t kCount>
ASCEMU_INLINE double polynomial(const std::array<double, kCount>& c, double x) {
  const double square = x * x;
  return every_other_term<0>(c, square) + x * every_other_term<1>(c, square);
}

// 2^k for the integer k (|k| < 1000) that `shifted` holds as k + kIntegerShift.
ASCEMU_INLINE double power_of_two(double shifted) {
  return std::bit_cast<double>((std::bit_cast<std::uint64_t>(shifted) << 52) + 0x3FF0000000000000U);
}

// exp(x) for |x| <= 700.
ASCEMU_INLINE double exp_within(double x) {
  const double shifted = x * kLog2E + kIntegerShift;
  const double k = shifted - kIntegerShift;
  const double r = (x - k * kLn2Part1) - k * kLn2Part2;
  return polynomial(kExpPolynomial, r) * power_of_two(shifted);
}

// A positive x as 2^k * m with m in [sqrt(1/2), sqrt(2)); gives k and log(m).
struct SplitLog {
  double k;
  double log_m;
};

ASCEMU_INLINE SplitLog split_log(double x) {
  constexpr std::uint64_t kOneBits = 0x3FF0000000000000;
  constexpr std::uint64_t kRootHalfBits = 0x3FE6A09E667F3BCD;
  const auto bits = std::bit_cast<std::uint64_t>(x);
  const std::uint64_t biased = (bits + (kOneBits - kRootHalfBits)) >> 52;
  // The biased exponent as the low bits of 2^52 is a number without a conversion.
  const double k = std::bit_cast<double>(biased | 0x4330000000000000U) - (0x1p52 + 1023);
  const double m = std::bit_cast<double>(bits - (biased << 52) + kOneBits);
  const double s = (m - 1) / (m + 1);
  return {k, s * polynomial(kLogPolynomial, s * s)};
}

// x minus the nearest multiple of pi/2, and that multiple's number modulo 4 (in the low bits).
struct Quadrant {
  double r;
  std::uint64_t number;
};

inline constexpr double kReducibleLimit = 0x1p20;

// |x| <= kReducibleLimit and x of at most 24 significant bits: the first two products and the first
// difference are exact.
ASCEMU_INLINE Quadrant reduce(double x) {
  const double shifted = x * kTwoOverPi + kIntegerShift;
  const double k = shifted - kIntegerShift;
  const double r = ((x - k * kHalfPiPart1) - k * kHalfPiPart2) - k * kHalfPiPart3;
  return {r, std::bit_cast<std::uint64_t>(shifted)};
}

ASCEMU_INLINE double sin_within(double r) { return r * polynomial(kSinPolynomial, r * r); }
ASCEMU_INLINE double cos_within(double r) { return polynomial(kCosPolynomial, r * r); }

ASCEMU_INLINE double sin_of(Quadrant q) {
  const double value = select(-(q.number & 1), cos_within(q.r), sin_within(q.r));
  return std::bit_cast<double>(std::bit_cast<std::uint64_t>(value) ^ ((q.number & 2) << 62));
}

ASCEMU_INLINE double cos_of(Quadrant q) { return sin_of({q.r, q.number + 1}); }

ASCEMU_INLINE double tan_of(Quadrant q) {
  const double sine = sin_within(q.r);
  const double cosine = cos_within(q.r);
  const std::uint64_t odd = -(q.number & 1);
  return select(odd, -cosine, sine) / select(odd, sine, cosine);
}

// For functions whose fast evaluation takes every operand: a NaN gives one, which settles nothing.
struct EverywhereRegular {
  static constexpr double kError = kUsualError;
  ASCEMU_INLINE static bool is_regular(double /*x*/) { return true; }
};

struct PositiveRegular {
  static constexpr double kError = kUsualError;
  ASCEMU_INLINE static bool is_regular(double x) {
    return (x > 0) & (x < std::numeric_limits<double>::infinity());
  }
};

struct ReducibleRegular {
  static constexpr double kError = kUsualError;
  ASCEMU_INLINE static bool is_regular(double x) { return magnitude(x) <= kReducibleLimit; }
};

// Beyond the clamps the results round like their limits: to 0, an infinity or 1 in every element.
struct Exp : EverywhereRegular {
  ASCEMU_INLINE static double evaluate(double x) { return exp_within(clamp(x, -110, 110)); }
};

struct Exp2 : EverywhereRegular {
  ASCEMU_INLINE static double evaluate(double x) {
    const double shifted = clamp(x, -160, 160) + kIntegerShift;
    const double r = clamp(x, -160, 160) - (shifted - kIntegerShift);
    return polynomial(kExp2Polynomial, r) * power_of_two(shifted);
  }
};

struct Log : PositiveRegular {
  ASCEMU_INLINE static double evaluate(double x) {
    const SplitLog split = split_log(x);
    return split.k * kLn2Part1 + (split.k * kLn2Part2 + split.log_m);
  }
};

struct Log2 : PositiveRegular {
  ASCEMU_INLINE static double evaluate(double x) {
    const SplitLog split = split_log(x);
    return split.k + split.log_m * kLog2E;
  }
};

struct Rsqrt : PositiveRegular {
  ASCEMU_INLINE static double evaluate(double x) { return 1 / std::sqrt(x); }
};

struct Sqrt : PositiveRegular {
  ASCEMU_INLINE static double evaluate(double x) { return std::sqrt(x); }
};

struct Sin : ReducibleRegular {
  ASCEMU_INLINE static double evaluate(double x) { return sin_of(reduce(x)); }
};

struct Cos : ReducibleRegular {
  ASCEMU_INLINE static double evaluate(double x) { return cos_of(reduce(x)); }
};

struct Tan : ReducibleRegular {
  ASCEMU_INLINE static double evaluate(double x) { return tan_of(reduce(x)); }
};

struct Sinh : EverywhereRegular {
  ASCEMU_INLINE static double evaluate(double x) {
    const double clamped = clamp(x, -110, 110);
    const double e = exp_within(clamped);
    const double far = 0.5 * (e - 1 / e);
    const double near = clamped * polynomial(kSinhPolynomial, clamped * clamped);
    return magnitude(clamped) < 1 ? near : far;
  }
};

struct Cosh : EverywhereRegular {
  ASCEMU_INLINE static double evaluate(double x) {
    const double e = exp_within(clamp(x, -110, 110));
    return 0.5 * (e + 1 / e);
  }
};

// sinh over cosh, both times 2 exp(x).
struct Tanh : EverywhereRegular {
  ASCEMU_INLINE static double evaluate(double x) {
    const double clamped = clamp(x, -20, 20);
    const double e = exp_within(clamped);
    const double square = e * e;
    const double near = clamped * polynomial(kSinhPolynomial, clamped * clamped) * (e + e);
    return (magnitude(clamped) < 1 ? near : square - 1) / (square + 1);
  }
};

struct Erf : EverywhereRegular {
  ASCEMU_INLINE static double evaluate(double x) {
    const double clamped = clamp(x, -4, 4);
    const double size = magnitude(clamped);
    const double near = clamped * polynomial(kErfNearPolynomial, clamped * clamped);
    const double far = polynomial(kErfFarPolynomial, size * (1 / 1.5) - 2.5 / 1.5);
    return size < 1 ? near : std::copysign(far, clamped);
  }
};

// exp(y log(x)) for positive finite x; the product magnifies the relative error of the logarithm.
struct Pow {
  static constexpr double kError = 0x1p-40;
  ASCEMU_INLINE static bool is_regular(double x, double y) {
    constexpr double kInfinity = std::numeric_limits<double>::infinity();
    return (x > 0) & (x < kInfinity) & (magnitude(y) < kInfinity);
  }
  ASCEMU_INLINE static double evaluate(double x, double y) {
    return exp_within(clamp(y * Log::evaluate(x), -110, 110));
  }
};

}  // namespace ascemu::refops::elementary::fast
