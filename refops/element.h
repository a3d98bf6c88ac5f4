// C++ element types of the dtypes and the conversions every op meaning is built from.
//
// What it is: Dtype -> element type, widening to the compute type and the single rounding back.
// What it is not: rounding modes (round_to.h) or loops (loops.h).
//
// Invariant: narrow<T>() and round_to<T>() are the only ways a computed float value becomes an
// element, so every NaN that they make is the canonical quiet positive one (0x7FC00000, 0x7E00,
// 0x7FC0); target/settle.h turns it into the one of the target.
#pragma once

#include <bit>
#include <cstdint>
#include <limits>
#include <type_traits>
#include <utility>

#include "refops/bfloat16.h"
#include "refops/dtype.h"
#include "refops/float16.h"

namespace ascemu::refops {

// One byte holding 0 or 1; a type of its own so that int1 and uint8 never mix.
struct Int1 {
  std::uint8_t bits = 0;
};

template <Dtype kDtype>
struct ElementOf;
template <>
struct ElementOf<Dtype::int1> : std::type_identity<Int1> {};
template <>
struct ElementOf<Dtype::int8> : std::type_identity<std::int8_t> {};
template <>
struct ElementOf<Dtype::int16> : std::type_identity<std::int16_t> {};
template <>
struct ElementOf<Dtype::int32> : std::type_identity<std::int32_t> {};
template <>
struct ElementOf<Dtype::int64> : std::type_identity<std::int64_t> {};
template <>
struct ElementOf<Dtype::uint8> : std::type_identity<std::uint8_t> {};
template <>
struct ElementOf<Dtype::uint16> : std::type_identity<std::uint16_t> {};
template <>
struct ElementOf<Dtype::uint32> : std::type_identity<std::uint32_t> {};
template <>
struct ElementOf<Dtype::uint64> : std::type_identity<std::uint64_t> {};
template <>
struct ElementOf<Dtype::float16> : std::type_identity<Float16> {};
template <>
struct ElementOf<Dtype::bfloat16> : std::type_identity<Bfloat16> {};
template <>
struct ElementOf<Dtype::float32> : std::type_identity<float> {};
template <>
struct ElementOf<Dtype::float64> : std::type_identity<double> {};
template <Dtype kDtype>
using Element = typename ElementOf<kDtype>::type;

// The dtype whose element type is T.
template <class T>
inline constexpr Dtype kDtypeOf = []<int... kIndices>(std::integer_sequence<int, kIndices...>) {
  Dtype found{};
  const auto visit = [&]<int kIndex>(std::integral_constant<int, kIndex>) {
    if (std::is_same_v<T, Element<static_cast<Dtype>(kIndex)>>) found = static_cast<Dtype>(kIndex);
  };
  (visit(std::integral_constant<int, kIndices>{}), ...);
  return found;
}(std::make_integer_sequence<int, kDtypeCount>{});

template <class T>
inline constexpr bool kIsHalf = std::is_same_v<T, Float16> || std::is_same_v<T, Bfloat16>;
template <class T>
inline constexpr bool kIsFloatElement = kIsHalf<T> || std::is_floating_point_v<T>;

// The type a float element is computed in (decision 6): float32 for the halves, else itself.
template <class T>
using Compute = std::conditional_t<kIsHalf<T>, float, T>;

template <class T>
[[gnu::always_inline]] constexpr Compute<T> widen(T value) {
  if constexpr (kIsHalf<T>) {
    return value.to_float();
  } else {
    return value;
  }
}

constexpr float canonical(float value) {
  return value == value ? value : std::numeric_limits<float>::quiet_NaN();
}
constexpr double canonical(double value) {
  return value == value ? value : std::numeric_limits<double>::quiet_NaN();
}

// Rounds a result of the compute type to the element once (nearest even) and makes NaN canonical.
template <class T>
[[gnu::always_inline]] constexpr T narrow(Compute<T> value) {
  if constexpr (kIsHalf<T>) {
    return T::from_float(value);
  } else {
    return canonical(value);
  }
}

// The unsigned type integer elements wrap in: never narrower than unsigned int, so that nothing is
// promoted to int.
template <class T>
using Wrapping = std::common_type_t<std::make_unsigned_t<T>, unsigned int>;

}  // namespace ascemu::refops
