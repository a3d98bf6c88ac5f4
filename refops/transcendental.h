// The meaning of the elementary functions and pow, one function object each (spec asc2 §6.3,
// §11.1).
//
// What it is: the correctly rounded functions of refops/elementary as ops; pow of integers.
// What it is not: the devices' compositions (composed/).
//
// Invariant: special values follow C99 Annex F; every NaN result is canonical. A struct with a
// kFunction has an array form that returns the same bits.
#pragma once

#include "refops/element.h"
#include "refops/elementary/elementary.h"
#include "refops/ops.h"

namespace ascemu::refops {

struct Rsqrt {
  static constexpr OpId kOp = OpId::rsqrt_;
  static constexpr auto kFunction = elementary::Function::rsqrt;
  template <class T>
  T operator()(T x) const {
    return elementary::rsqrt(x);
  }
};

struct Exp {
  static constexpr OpId kOp = OpId::exp_;
  static constexpr auto kFunction = elementary::Function::exp;
  template <class T>
  T operator()(T x) const {
    return elementary::exp(x);
  }
};

struct Exp2 {
  static constexpr OpId kOp = OpId::exp2_;
  static constexpr auto kFunction = elementary::Function::exp2;
  template <class T>
  T operator()(T x) const {
    return elementary::exp2(x);
  }
};

struct Log {
  static constexpr OpId kOp = OpId::log_;
  static constexpr auto kFunction = elementary::Function::log;
  template <class T>
  T operator()(T x) const {
    return elementary::log(x);
  }
};

struct Log2 {
  static constexpr OpId kOp = OpId::log2_;
  static constexpr auto kFunction = elementary::Function::log2;
  template <class T>
  T operator()(T x) const {
    return elementary::log2(x);
  }
};

struct Sin {
  static constexpr OpId kOp = OpId::sin_;
  static constexpr auto kFunction = elementary::Function::sin;
  template <class T>
  T operator()(T x) const {
    return elementary::sin(x);
  }
};

struct Cos {
  static constexpr OpId kOp = OpId::cos_;
  static constexpr auto kFunction = elementary::Function::cos;
  template <class T>
  T operator()(T x) const {
    return elementary::cos(x);
  }
};

struct Tan {
  static constexpr OpId kOp = OpId::tan_;
  static constexpr auto kFunction = elementary::Function::tan;
  template <class T>
  T operator()(T x) const {
    return elementary::tan(x);
  }
};

struct Sinh {
  static constexpr OpId kOp = OpId::sinh_;
  static constexpr auto kFunction = elementary::Function::sinh;
  template <class T>
  T operator()(T x) const {
    return elementary::sinh(x);
  }
};

struct Cosh {
  static constexpr OpId kOp = OpId::cosh_;
  static constexpr auto kFunction = elementary::Function::cosh;
  template <class T>
  T operator()(T x) const {
    return elementary::cosh(x);
  }
};

struct Tanh {
  static constexpr OpId kOp = OpId::tanh_;
  static constexpr auto kFunction = elementary::Function::tanh;
  template <class T>
  T operator()(T x) const {
    return elementary::tanh(x);
  }
};

struct Erf {
  static constexpr OpId kOp = OpId::erf_;
  static constexpr auto kFunction = elementary::Function::erf;
  template <class T>
  T operator()(T x) const {
    return elementary::erf(x);
  }
};

// Floats as C99 pow (pow(1, NaN) and pow(NaN, 0) are 1). Integers wrap; a negative exponent gives 0
// except for the bases 1 and -1; 0 to a negative exponent is 0.
struct Pow {
  static constexpr OpId kOp = OpId::pow_;
  template <class T>
  T operator()(T base, T exponent) const {
    if constexpr (kIsFloatElement<T>) {
      return elementary::pow(base, exponent);
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
