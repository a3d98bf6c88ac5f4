// One struct per elementary function: its fast evaluation, its special values, its accurate form.
//
// What it is: the table from which scalar and array forms are made (elementary.cpp, arrays.cpp).
// What it is not: the public interface (elementary.h).
//
// Invariant: `special` answers every operand for which neither evaluation is meant: NaN,
// infinities, poles, signed zeros, results that are the operand itself or beyond every format. What
// it answers is exactly representable in the element type. Special values are those of C99 Annex F.
#pragma once

#include <cmath>
#include <limits>
#include <optional>

#include "refops/elementary/accurate.h"
#include "refops/elementary/fast.h"
#include "refops/elementary/rounding.h"

namespace ascemu::refops::elementary {

inline constexpr double kInfinity = std::numeric_limits<double>::infinity();
inline constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
// Below it sin, tan, sinh and tanh are their operand to more than 2^-60.
inline constexpr double kTiny = 0x1p-30;

struct Exp : fast::Exp {
  static std::optional<double> special(double x) {
    if (x != x) return kNan;
    if (x > 720) return kInfinity;
    if (x < -760) return 0.0;
    return std::nullopt;
  }
  static DoubleDouble accurate(double x) { return accurate::exp({x, 0}); }
};

struct Exp2 : fast::Exp2 {
  static std::optional<double> special(double x) {
    if (x != x) return kNan;
    if (x >= 1024) return kInfinity;
    if (x < -1080) return 0.0;
    return std::nullopt;
  }
  static DoubleDouble accurate(double x) { return accurate::exp2(x); }
};

struct Log : fast::Log {
  static std::optional<double> special(double x) {
    if (x == 0) return -kInfinity;
    if (!(x > 0)) return kNan;
    if (x == kInfinity) return kInfinity;
    if (x == 1) return 0.0;
    return std::nullopt;
  }
  static DoubleDouble accurate(double x) { return accurate::log(x); }
};

struct Log2 : fast::Log2 {
  static std::optional<double> special(double x) { return Log::special(x); }
  static DoubleDouble accurate(double x) { return accurate::log2(x); }
};

struct Rsqrt : fast::Rsqrt {
  static std::optional<double> special(double x) {
    if (x == 0) return std::copysign(kInfinity, x);
    if (!(x > 0)) return kNan;
    if (x == kInfinity) return 0.0;
    return std::nullopt;
  }
  static DoubleDouble accurate(double x) { return accurate::rsqrt(x); }
};

// The double nearest to the root rounds like the root: 53 >= 2 * 24 + 2.
struct Sqrt : fast::Sqrt {
  static std::optional<double> special(double x) {
    if (x == 0 || x == kInfinity) return x;
    if (!(x > 0)) return kNan;
    return std::nullopt;
  }
  static DoubleDouble accurate(double x) { return {std::sqrt(x), 0}; }
};

struct PeriodicSpecial {
  static std::optional<double> special(double x) {
    if (!std::isfinite(x)) return kNan;
    if (std::fabs(x) < kTiny) return x;
    return std::nullopt;
  }
  // The same number of quarter turns with the remainder as one double.
  static fast::Quadrant rounded(const accurate::Quadrant& q) { return {q.r.high, q.number}; }
};

struct Sin : fast::Sin, PeriodicSpecial {
  using Reduced = accurate::Quadrant;
  static double fast_of(const Reduced& q) { return fast::sin_of(rounded(q)); }
  static DoubleDouble accurate_of(const Reduced& q) { return accurate::sin_of(q); }
};

struct Cos : fast::Cos, PeriodicSpecial {
  using Reduced = accurate::Quadrant;
  static std::optional<double> special(double x) {
    if (!std::isfinite(x)) return kNan;
    if (std::fabs(x) < kTiny) return 1.0;
    return std::nullopt;
  }
  static double fast_of(const Reduced& q) { return fast::cos_of(rounded(q)); }
  static DoubleDouble accurate_of(const Reduced& q) { return accurate::cos_of(q); }
};

struct Tan : fast::Tan, PeriodicSpecial {
  using Reduced = accurate::Quadrant;
  static double fast_of(const Reduced& q) { return fast::tan_of(rounded(q)); }
  static DoubleDouble accurate_of(const Reduced& q) { return accurate::tan_of(q); }
};

struct Sinh : fast::Sinh {
  static std::optional<double> special(double x) {
    if (x != x) return kNan;
    if (std::fabs(x) < kTiny) return x;
    if (std::fabs(x) >= 711) return std::copysign(kInfinity, x);
    return std::nullopt;
  }
  static DoubleDouble accurate(double x) { return accurate::sinh(x); }
};

struct Cosh : fast::Cosh {
  static std::optional<double> special(double x) {
    if (x != x) return kNan;
    if (std::fabs(x) >= 711) return kInfinity;
    return std::nullopt;
  }
  static DoubleDouble accurate(double x) { return accurate::cosh(x); }
};

struct Tanh : fast::Tanh {
  static std::optional<double> special(double x) {
    if (x != x) return kNan;
    if (std::fabs(x) < kTiny) return x;
    if (std::fabs(x) >= 22) return std::copysign(1.0, x);
    return std::nullopt;
  }
  static DoubleDouble accurate(double x) { return accurate::tanh(x); }
};

struct Erf : fast::Erf {
  static std::optional<double> special(double x) {
    if (x != x) return kNan;
    if (x == 0) return x;
    if (std::fabs(x) > 6) return std::copysign(1.0, x);
    return std::nullopt;
  }
  static DoubleDouble accurate(double x) { return accurate::erf(x); }
};

// The element for any operand, by the first step that settles it.
template <class F, class T>
[[gnu::noinline]] T resolve(double x) {
  if (const std::optional<double> known = F::special(x)) return element_of<T>(*known);
  constexpr bool kSettles = !std::is_same_v<T, double>;
  if constexpr (requires { typename F::Reduced; }) {
    const auto reduced = accurate::reduce(x);
    const double value = F::fast_of(reduced);
    if (kSettles && settles<T>(value, F::kError)) return element_of<T>(quantize<T>(value));
    return round_sum<T>(F::accurate_of(reduced));
  } else {
    if constexpr (kSettles) {
      const double value = F::evaluate(x);
      if (settles<T>(value, F::kError)) return element_of<T>(quantize<T>(value));
    }
    return round_sum<T>(F::accurate(x));
  }
}

template <class F, class T>
T evaluate_element(T element) {
  const double x = static_cast<double>(widen(element));
  if constexpr (!std::is_same_v<T, double>) {
    if (F::is_regular(x)) {
      const double value = F::evaluate(x);
      if (settles<T>(value, F::kError)) return element_of<T>(quantize<T>(value));
    }
  }
  return resolve<F, T>(x);
}

}  // namespace ascemu::refops::elementary
