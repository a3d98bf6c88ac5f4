// Element types of the kernel language and their static properties (spec asc2 §3.1).
//
// What it is: the closed list of dtypes with names, sizes and predicates.
// What it is not: arithmetic or conversion.
// Invariant: every dtype has one row in the table of dtype.cpp; int1 occupies one byte per element
// in our buffers (value 0 or 1), although the device packs eight of them into a byte.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

namespace ascemu::refops {

enum class Dtype : std::uint8_t {
  int1,
  int8,
  int16,
  int32,
  int64,
  uint8,
  uint16,
  uint32,
  uint64,
  float16,
  bfloat16,
  float32,
  float64,
};

inline constexpr int kDtypeCount = 13;

// Name as the language spells it ("float16", "int1", ...).
std::string_view dtype_name(Dtype dtype);
// The dtype of that name, or nothing. Accepts only canonical names.
std::optional<Dtype> dtype_from_name(std::string_view name);
// Bytes per element in our buffers (int1: 1).
std::size_t dtype_size_bytes(Dtype dtype);
// Bits per element as the device counts them (int1: 1).
int dtype_width_bits(Dtype dtype);
bool is_float(Dtype dtype);
bool is_integer(Dtype dtype);  // int1 included
bool is_signed_integer(Dtype dtype);
bool is_unsigned_integer(Dtype dtype);

}  // namespace ascemu::refops
