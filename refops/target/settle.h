// The last step of every operation that computes floats: the target's NaN and its saturation.
//
// What it is: N2.1 and N4 applied to computed elements, and the flush of N5.
// What it is not: rounding (element.h, round_to.h). Data movement never comes here.
//
// Invariant: idempotent; finite values and, without saturation, infinities keep their bits.
#pragma once

#include <bit>
#include <cmath>
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

// `count` contiguous elements in place; every dtype, integers untouched.
void settle(const Behaviour& behaviour, Dtype dtype, std::byte* elements, std::int64_t count);

template <class T>
constexpr bool is_subnormal(T value) {
  if constexpr (std::is_same_v<T, float>) {
    const std::uint32_t magnitude = std::bit_cast<std::uint32_t>(value) & 0x7FFFFFFFU;
    return magnitude != 0 && magnitude < 0x00800000U;
  } else if constexpr (kIsHalf<T>) {
    const unsigned magnitude = value.bits & 0x7FFFU;
    return magnitude != 0 && magnitude < (std::is_same_v<T, Float16> ? 0x0400U : 0x0080U);
  } else {
    return false;
  }
}

// N5: a subnormal operand is a zero of its sign.
template <class T>
[[gnu::always_inline]] inline T flushed_operand(T value) {
  if constexpr (std::is_same_v<T, float>) {
    return is_subnormal(value) ? std::copysign(0.0F, value) : value;
  } else if constexpr (kIsHalf<T>) {
    const auto sign = static_cast<std::uint16_t>(value.bits & 0x8000U);
    return is_subnormal(value) ? T::from_bits(sign) : value;
  } else {
    return value;
  }
}

// N5: a subnormal result is +0; zeros keep their sign.
template <class T>
[[gnu::always_inline]] inline T flushed_result(T value) {
  return is_subnormal(value) ? T{} : value;
}

}  // namespace ascemu::refops
