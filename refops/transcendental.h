// The meaning of the elementary functions and pow, one function object each (spec asc2 §6.3,
// §11.1).
//
// What it is: one evaluation in double and one rounding to the element (float16 directly from
// double).
// What it is not: the device's compositions; those come with the numeric contract.
//
// Invariant: special values follow C99 Annex F; every NaN result is canonical.
#pragma once

#include <cmath>

#include "refops/element.h"
#include "refops/ops.h"
#include "refops/round_to.h"

namespace ascemu::refops {

namespace detail {

template <class T>
T round_once(double value) {
  return round_to<T>(value, RoundMode::rint);
}

template <class T>
double to_double(T value) {
  return static_cast<double>(widen(value));
}

}  // namespace detail

struct Rsqrt {
  static constexpr OpId kOp = OpId::rsqrt_;
  template <class T>
  T operator()(T x) const {
    return detail::round_once<T>(1.0 / std::sqrt(detail::to_double(x)));
  }
};

struct Exp {
  static constexpr OpId kOp = OpId::exp_;
  template <class T>
  T operator()(T x) const {
    return detail::round_once<T>(std::exp(detail::to_double(x)));
  }
};

struct Exp2 {
  static constexpr OpId kOp = OpId::exp2_;
  template <class T>
  T operator()(T x) const {
    return detail::round_once<T>(std::exp2(detail::to_double(x)));
  }
};

struct Log {
  static constexpr OpId kOp = OpId::log_;
  template <class T>
  T operator()(T x) const {
    return detail::round_once<T>(std::log(detail::to_double(x)));
  }
};

struct Log2 {
  static constexpr OpId kOp = OpId::log2_;
  template <class T>
  T operator()(T x) const {
    return detail::round_once<T>(std::log2(detail::to_double(x)));
  }
};

struct Sin {
  static constexpr OpId kOp = OpId::sin_;
  template <class T>
  T operator()(T x) const {
    return detail::round_once<T>(std::sin(detail::to_double(x)));
  }
};

struct Cos {
  static constexpr OpId kOp = OpId::cos_;
  template <class T>
  T operator()(T x) const {
    return detail::round_once<T>(std::cos(detail::to_double(x)));
  }
};

struct Tan {
  static constexpr OpId kOp = OpId::tan_;
  template <class T>
  T operator()(T x) const {
    return detail::round_once<T>(std::tan(detail::to_double(x)));
  }
};

struct Sinh {
  static constexpr OpId kOp = OpId::sinh_;
  template <class T>
  T operator()(T x) const {
    return detail::round_once<T>(std::sinh(detail::to_double(x)));
  }
};

struct Cosh {
  static constexpr OpId kOp = OpId::cosh_;
  template <class T>
  T operator()(T x) const {
    return detail::round_once<T>(std::cosh(detail::to_double(x)));
  }
};

struct Tanh {
  static constexpr OpId kOp = OpId::tanh_;
  template <class T>
  T operator()(T x) const {
    return detail::round_once<T>(std::tanh(detail::to_double(x)));
  }
};

struct Erf {
  static constexpr OpId kOp = OpId::erf_;
  template <class T>
  T operator()(T x) const {
    return detail::round_once<T>(std::erf(detail::to_double(x)));
  }
};

// Floats as C99 pow (pow(1, NaN) and pow(NaN, 0) are 1). Integers wrap; a negative exponent gives 0
// except for the bases 1 and -1; 0 to a negative exponent is 0.
struct Pow {
  static constexpr OpId kOp = OpId::pow_;
  template <class T>
  T operator()(T base, T exponent) const {
    if constexpr (kIsFloatElement<T>) {
      return detail::round_once<T>(std::pow(detail::to_double(base), detail::to_double(exponent)));
    } else {
      if (exponent < 0) {
        if (base == 1) return 1;
        if (base == -1) return static_cast<T>((exponent & 1) != 0 ? -1 : 1);
        return 0;
      }
      Wrapping<T> result = 1;
      Wrapping<T> square = static_cast<Wrapping<T>>(base);
      for (auto left = static_cast<std::make_unsigned_t<T>>(exponent); left != 0; left >>= 1) {
        if ((left & 1U) != 0) result *= square;
        square *= square;
      }
      return static_cast<T>(result);
    }
  }
};

}  // namespace ascemu::refops
