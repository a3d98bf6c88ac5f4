// Moves elements between the dtype an array has and the dtype they are stored in locally.
//
// What it is: a copy where both are the same; else float to float64, which is exact, or float64 to
// float, which rounds once to nearest even (contract N19). A NaN keeps its sign, its kind and the
// leading bits of its payload, so that poison and NaNs that only move (N2.3) end with their bits.
// What it is not: casts between numbers of a kernel; refops has those.
// Invariant: widening and then narrowing gives every pattern back.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>

#include "refops/scalar.h"

namespace ascemu::interp {

// One of the two is float64, the other a narrower float.
void convert_elements(refops::Dtype from, const std::byte* source, refops::Dtype to,
                      std::byte* target, std::int64_t count);
// `count` neighbouring elements.
inline void move_elements(refops::Dtype from, const std::byte* source, refops::Dtype to,
                          std::byte* target, std::int64_t count) {
  if (from != to) return convert_elements(from, source, to, target, count);
  std::memcpy(target, source, static_cast<std::size_t>(count) * refops::dtype_size_bytes(to));
}
refops::Scalar converted_scalar(const refops::Scalar& value, refops::Dtype to);
inline refops::Scalar moved_scalar(const refops::Scalar& value, refops::Dtype to) {
  return value.dtype == to ? value : converted_scalar(value, to);
}

}  // namespace ascemu::interp
