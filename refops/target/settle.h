// The last step of every operation that computes floats: the target's NaN and its saturation.
//
// What it is: N2.1 and N4 applied to computed elements, and the flush of N5.
// What it is not: rounding (element.h, round_to.h). Data movement never comes here.
//
// Invariant: idempotent; finite values and, without saturation, infinities keep their bits.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "refops/dtype.h"
#include "refops/element.h"
#include "refops/target/behaviour.h"

namespace ascemu::refops {

template <class T>
[[gnu::always_inline]] inline T settled(const Behaviour& behaviour, T value) {
  if constexpr (std::is_same_v<T, float>) {
    return value == value ? value : std::bit_cast<float>(behaviour.nan.float32);
  } else if constexpr (kIsHalf<T>) {
    constexpr std::uint16_t kInfinity = std::is_same_v<T, Float16> ? 0x7C00 : 0x7F80;
    const std::uint16_t nan =
        std::is_same_v<T, Float16> ? behaviour.nan.float16 : behaviour.nan.bfloat16;
    std::uint16_t pattern = value.bits;
    const std::uint16_t magnitude = pattern & 0x7FFF;
    const std::uint16_t clamped = static_cast<std::uint16_t>(pattern - 1);
    pattern = magnitude == kInfinity && behaviour.saturates_halves ? clamped : pattern;
    pattern =
        magnitude > kInfinity ? (behaviour.saturates_halves ? std::uint16_t{0} : nan) : pattern;
    return T::from_bits(pattern);
  } else {
    return value;
  }
}

// N2.1 alone: what a runtime scalar takes of a target (N18.1).
template <class T>
inline T with_nan_of(const Behaviour& behaviour, T value) {
  if constexpr (std::is_same_v<T, float>) {
    return settled(behaviour, value);
  } else if constexpr (kIsHalf<T>) {
    const float wide = value.to_float();
    return wide == wide ? value
                        : T::from_bits(std::is_same_v<T, Float16> ? behaviour.nan.float16
                                                                  : behaviour.nan.bfloat16);
  } else {
    return value;
  }
}

// `count` contiguous elements in place; every dtype, integers untouched.
void settle(const Behaviour& behaviour, Dtype dtype, std::byte* elements, std::int64_t count);

// Whether narrow() (element.h) already gives every value its settled bits.
inline bool narrow_settles(const Behaviour& behaviour) {
  return behaviour.nan == NanPatterns{} && !behaviour.saturates_halves;
}

namespace detail {

// Patterns below `least_normal`, and the sign bit of `Bits`, a signed integer as wide as the float.
template <class Bits>
struct SubnormalRange {
  Bits least_normal;
  Bits magnitude_mask;

  [[gnu::always_inline]] constexpr Bits operand(Bits pattern) const {
    const auto magnitude = static_cast<Bits>(pattern & magnitude_mask);
    const auto sign = static_cast<Bits>(pattern & static_cast<Bits>(~magnitude_mask));
    return magnitude < least_normal ? sign : pattern;
  }
  [[gnu::always_inline]] constexpr Bits result(Bits pattern) const {
    const auto magnitude = static_cast<Bits>(pattern & magnitude_mask);
    const Bits zero = magnitude == 0 ? pattern : Bits{0};
    return magnitude < least_normal ? zero : pattern;
  }
};

template <class T>
constexpr auto subnormal_range() {
  if constexpr (std::is_same_v<T, float>) {
    return SubnormalRange<std::int32_t>{0x00800000, 0x7FFFFFFF};
  } else {
    return SubnormalRange<std::int16_t>{std::is_same_v<T, Float16> ? 0x0400 : 0x0080, 0x7FFF};
  }
}

// Other types than float and the halves: unchanged.
template <bool kIsResult, class T>
[[gnu::always_inline]] constexpr T flushed(T value) {
  if constexpr (std::is_same_v<T, float>) {
    const auto pattern = std::bit_cast<std::int32_t>(value);
    constexpr auto kRange = subnormal_range<T>();
    return std::bit_cast<float>(kIsResult ? kRange.result(pattern) : kRange.operand(pattern));
  } else if constexpr (kIsHalf<T>) {
    const auto pattern = static_cast<std::int16_t>(value.bits);
    constexpr auto kRange = subnormal_range<T>();
    return T::from_bits(
        static_cast<std::uint16_t>(kIsResult ? kRange.result(pattern) : kRange.operand(pattern)));
  } else {
    return value;
  }
}

}  // namespace detail

// N5: a subnormal operand is a zero of its sign.
template <class T>
[[gnu::always_inline]] constexpr T flushed_operand(T value) {
  return detail::flushed<false>(value);
}

// N5: a subnormal result is +0; zeros keep their sign.
template <class T>
[[gnu::always_inline]] constexpr T flushed_result(T value) {
  return detail::flushed<true>(value);
}

}  // namespace ascemu::refops
