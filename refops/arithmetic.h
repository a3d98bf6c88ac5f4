// The meaning of every arithmetic element op, one function object each (spec asc2 §6.1, §6.3,
// §11.1).
//
// What it is: kOp plus operator() on element types; floats are computed in Compute<T> and rounded
// once, integers wrap (N3, N7, N10). Flushed<Op> is an op with the flush of N5.
// What it is not: loops, dispatch, transcendental functions (transcendental.h); the NaN pattern and
// the saturation of a target (target/settle.h).
//
// Invariant: no operator() has undefined behaviour for any input, and none branches where a select
// does.
#pragma once

#include <cmath>
#include <type_traits>

#include "refops/element.h"
#include "refops/ops.h"
#include "refops/target/settle.h"

namespace ascemu::refops {

struct Add {
  static constexpr OpId kOp = OpId::add_;
  template <class T>
  [[gnu::always_inline]] T operator()(T a, T b) const {
    if constexpr (kIsFloatElement<T>) {
      return narrow<T>(widen(a) + widen(b));
    } else {
      return static_cast<T>(static_cast<Wrapping<T>>(a) + static_cast<Wrapping<T>>(b));
    }
  }
};

struct Sub {
  static constexpr OpId kOp = OpId::sub_;
  template <class T>
  [[gnu::always_inline]] T operator()(T a, T b) const {
    if constexpr (kIsFloatElement<T>) {
      return narrow<T>(widen(a) - widen(b));
    } else {
      return static_cast<T>(static_cast<Wrapping<T>>(a) - static_cast<Wrapping<T>>(b));
    }
  }
};

struct Mul {
  static constexpr OpId kOp = OpId::mul_;
  template <class T>
  [[gnu::always_inline]] T operator()(T a, T b) const {
    if constexpr (kIsFloatElement<T>) {
      return narrow<T>(widen(a) * widen(b));
    } else {
      return static_cast<T>(static_cast<Wrapping<T>>(a) * static_cast<Wrapping<T>>(b));
    }
  }
};

struct Div {
  static constexpr OpId kOp = OpId::div_;
  // Integers truncate toward zero; a zero divisor yields 0 (undefined on the device); minimum / -1
  // wraps.
  template <class T>
  [[gnu::always_inline]] T operator()(T a, T b) const {
    if constexpr (kIsFloatElement<T>) {
      return narrow<T>(widen(a) / widen(b));
    } else {
      if (b == 0) return 0;
      if constexpr (std::is_signed_v<T>) {
        if (b == -1) return static_cast<T>(Wrapping<T>{0} - static_cast<Wrapping<T>>(a));
      }
      return static_cast<T>(a / b);
    }
  }
};

namespace detail {

// Picks one of two equal values by sign so that +0 is above -0.
template <bool kLarger>
constexpr float merge_equal(float a, float b) {
  const auto left = std::bit_cast<std::uint32_t>(a);
  const auto right = std::bit_cast<std::uint32_t>(b);
  return std::bit_cast<float>(kLarger ? (left & right) : (left | right));
}
template <bool kLarger>
constexpr double merge_equal(double a, double b) {
  const auto left = std::bit_cast<std::uint64_t>(a);
  const auto right = std::bit_cast<std::uint64_t>(b);
  return std::bit_cast<double>(kLarger ? (left & right) : (left | right));
}

template <bool kLarger, class T>
[[gnu::always_inline]] constexpr T extremum(T a, T b) {
  if constexpr (kIsFloatElement<T>) {
    const auto left = widen(a);
    const auto right = widen(b);
    const auto sum = left + right;
    auto result = (kLarger ? left > right : left < right) ? left : right;
    result = left == right ? merge_equal<kLarger>(left, right) : result;
    const bool is_nan = left != left || right != right;
    return narrow<T>(is_nan ? sum : result);
  } else {
    return (kLarger ? a > b : a < b) ? a : b;
  }
}

}  // namespace detail

// A NaN operand gives NaN (spec §12.4); +0 is above -0.
struct Maximum {
  static constexpr OpId kOp = OpId::maximum_;
  template <class T>
  [[gnu::always_inline]] T operator()(T a, T b) const {
    return detail::extremum<true>(a, b);
  }
};

struct Minimum {
  static constexpr OpId kOp = OpId::minimum_;
  template <class T>
  [[gnu::always_inline]] T operator()(T a, T b) const {
    return detail::extremum<false>(a, b);
  }
};

struct BitwiseAnd {
  static constexpr OpId kOp = OpId::bitwise_and_;
  template <class T>
  [[gnu::always_inline]] T operator()(T a, T b) const {
    return static_cast<T>(a & b);
  }
};

struct BitwiseOr {
  static constexpr OpId kOp = OpId::bitwise_or_;
  template <class T>
  [[gnu::always_inline]] T operator()(T a, T b) const {
    return static_cast<T>(a | b);
  }
};

struct BitwiseXor {
  static constexpr OpId kOp = OpId::bitwise_xor_;
  template <class T>
  [[gnu::always_inline]] T operator()(T a, T b) const {
    return static_cast<T>(a ^ b);
  }
};

// A count outside [0, width) shifts everything out: 0.
struct LeftShift {
  static constexpr OpId kOp = OpId::left_shift_;
  template <class T>
  [[gnu::always_inline]] T operator()(T a, T b) const {
    constexpr int kWidth = static_cast<int>(sizeof(T) * 8);
    using Count = std::make_unsigned_t<T>;
    const bool inside = static_cast<Count>(b) < static_cast<Count>(kWidth);
    const auto count = inside ? static_cast<unsigned>(b) : 0U;
    const auto shifted = static_cast<T>(static_cast<Wrapping<T>>(a) << count);
    return inside ? shifted : T{0};
  }
};

// Arithmetic; a count outside [0, width) leaves the sign in every bit.
struct RightShift {
  static constexpr OpId kOp = OpId::right_shift_;
  template <class T>
  [[gnu::always_inline]] T operator()(T a, T b) const {
    constexpr int kWidth = static_cast<int>(sizeof(T) * 8);
    using Count = std::make_unsigned_t<T>;
    using Signed = std::make_signed_t<T>;
    const bool inside = static_cast<Count>(b) < static_cast<Count>(kWidth);
    const auto count = inside ? static_cast<unsigned>(b) : static_cast<unsigned>(kWidth - 1);
    return static_cast<T>(static_cast<Signed>(a) >> count);
  }
};

struct Abs {
  static constexpr OpId kOp = OpId::abs_;
  // The minimum integer wraps to itself.
  template <class T>
  [[gnu::always_inline]] T operator()(T x) const {
    if constexpr (kIsFloatElement<T>) {
      return narrow<T>(std::fabs(widen(x)));
    } else {
      const auto wide = static_cast<Wrapping<T>>(x);
      return static_cast<T>(x < 0 ? Wrapping<T>{0} - wide : wide);
    }
  }
};

struct Negative {
  static constexpr OpId kOp = OpId::negative_;
  template <class T>
  [[gnu::always_inline]] T operator()(T x) const {
    if constexpr (kIsFloatElement<T>) {
      return narrow<T>(-widen(x));
    } else {
      return static_cast<T>(Wrapping<T>{0} - static_cast<Wrapping<T>>(x));
    }
  }
};

// max(x, 0): NaN stays NaN, -0 becomes +0.
struct Relu {
  static constexpr OpId kOp = OpId::relu_;
  template <class T>
  [[gnu::always_inline]] T operator()(T x) const {
    const auto wide = widen(x);
    return narrow<T>(wide <= 0 ? decltype(wide){0} : wide);
  }
};

struct BitwiseNot {
  static constexpr OpId kOp = OpId::bitwise_not_;
  template <class T>
  [[gnu::always_inline]] T operator()(T x) const {
    return static_cast<T>(~x);
  }
};

struct Sqrt {
  static constexpr OpId kOp = OpId::sqrt_;
  template <class T>
  [[gnu::always_inline]] T operator()(T x) const {
    return narrow<T>(std::sqrt(widen(x)));
  }
};

namespace detail {

// x to an integral value through an integer of its size; exact for |x| below 2^(fraction bits),
// larger values are integral already.
template <bool kUpward, class C>
inline C integral_neighbour(C x) {
  using Whole = std::conditional_t<std::is_same_v<C, float>, std::int32_t, std::int64_t>;
  constexpr C kIntegralFrom = std::is_same_v<C, float> ? C{0x1p23F} : C{0x1p52};
  const bool small = std::fabs(x) < kIntegralFrom;
  const C safe = small ? x : C{0};
  const C toward_zero = static_cast<C>(static_cast<Whole>(safe));
  const C step = (kUpward ? toward_zero < safe : toward_zero > safe) ? C{1} : C{0};
  const C rounded = kUpward ? toward_zero + step : toward_zero - step;
  return small ? std::copysign(rounded, x) : x;
}

}  // namespace detail

struct Floor {
  static constexpr OpId kOp = OpId::floor_;
  template <class T>
  [[gnu::always_inline]] T operator()(T x) const {
    return narrow<T>(detail::integral_neighbour<false>(widen(x)));
  }
};

struct Ceil {
  static constexpr OpId kOp = OpId::ceil_;
  template <class T>
  [[gnu::always_inline]] T operator()(T x) const {
    return narrow<T>(detail::integral_neighbour<true>(widen(x)));
  }
};

// Op with subnormal operands as zeros of their sign and a subnormal result as +0 (N5).
template <class Op>
struct Flushed {
  template <class T>
  [[gnu::always_inline]] T operator()(T x) const {
    return flushed_result(Op{}(flushed_operand(x)));
  }
  template <class T>
  [[gnu::always_inline]] T operator()(T a, T b) const {
    return flushed_result(Op{}(flushed_operand(a), flushed_operand(b)));
  }
};

}  // namespace ascemu::refops
