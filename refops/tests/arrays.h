// Views over vectors and bit-exact reading of results, for the tests of refops.
//
// What it is: dtype deduction from the element type and short spellings.
// What it is not: an oracle.
#pragma once

#include <bit>
#include <cstdint>
#include <initializer_list>
#include <random>
#include <span>
#include <type_traits>
#include <vector>

#include "refops/element.h"
#include "refops/view.h"

namespace ascemu::refops {

template <class T>
constexpr Dtype dtype_of() {
  if constexpr (std::is_same_v<T, Int1>) return Dtype::int1;
  if constexpr (std::is_same_v<T, std::int8_t>) return Dtype::int8;
  if constexpr (std::is_same_v<T, std::int16_t>) return Dtype::int16;
  if constexpr (std::is_same_v<T, std::int32_t>) return Dtype::int32;
  if constexpr (std::is_same_v<T, std::int64_t>) return Dtype::int64;
  if constexpr (std::is_same_v<T, std::uint8_t>) return Dtype::uint8;
  if constexpr (std::is_same_v<T, std::uint16_t>) return Dtype::uint16;
  if constexpr (std::is_same_v<T, std::uint32_t>) return Dtype::uint32;
  if constexpr (std::is_same_v<T, std::uint64_t>) return Dtype::uint64;
  if constexpr (std::is_same_v<T, Float16>) return Dtype::float16;
  if constexpr (std::is_same_v<T, Bfloat16>) return Dtype::bfloat16;
  if constexpr (std::is_same_v<T, float>) return Dtype::float32;
  if constexpr (std::is_same_v<T, double>) return Dtype::float64;
}

template <class T>
View view_of(std::vector<T>& values, const Shape& shape) {
  return contiguous_view(reinterpret_cast<std::byte*>(values.data()), dtype_of<T>(), shape);
}
template <class T>
ConstView view_of(const std::vector<T>& values, const Shape& shape) {
  return contiguous_view(reinterpret_cast<const std::byte*>(values.data()), dtype_of<T>(), shape);
}
template <class T>
View view_of(std::vector<T>& values) {
  return view_of(values, Shape{static_cast<std::int64_t>(values.size())});
}
template <class T>
ConstView view_of(const std::vector<T>& values) {
  return view_of(values, Shape{static_cast<std::int64_t>(values.size())});
}

template <class T>
std::uint64_t bits_of(T value) {
  if constexpr (kIsHalf<T> || std::is_same_v<T, Int1>) {
    return value.bits;
  } else if constexpr (std::is_same_v<T, float>) {
    return std::bit_cast<std::uint32_t>(value);
  } else if constexpr (std::is_same_v<T, double>) {
    return std::bit_cast<std::uint64_t>(value);
  } else {
    return static_cast<std::make_unsigned_t<T>>(value);
  }
}

template <class T>
std::vector<std::uint64_t> bits_of(const std::vector<T>& values) {
  std::vector<std::uint64_t> bits;
  for (const T& value : values) bits.push_back(bits_of(value));
  return bits;
}

using Bits = std::vector<std::uint64_t>;

inline std::vector<Float16> halves(std::initializer_list<int> patterns) {
  std::vector<Float16> values;
  for (const int pattern : patterns) {
    values.push_back(Float16::from_bits(static_cast<std::uint16_t>(pattern)));
  }
  return values;
}

inline std::vector<Bfloat16> bhalves(std::initializer_list<int> patterns) {
  std::vector<Bfloat16> values;
  for (const int pattern : patterns) {
    values.push_back(Bfloat16::from_bits(static_cast<std::uint16_t>(pattern)));
  }
  return values;
}

inline constexpr std::uint64_t kNanFloat = 0x7FC00000;
inline constexpr std::uint64_t kNanHalf = 0x7E00;
inline constexpr std::uint64_t kNanBhalf = 0x7FC0;

}  // namespace ascemu::refops
