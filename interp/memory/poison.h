// The bit patterns of memory that nothing has written (architecture, decision 11).
//
// Invariant: float poisons are quiet NaNs with a payload no arithmetic produces; every byte of an
// integer poison is 0xA5; an int1 poison is 1, because an int1 element must be 0 or 1. A float that
// is stored as float64 (N19) has the poison of its own dtype, widened, so that a store writes the
// poison of that dtype.
#pragma once

#include <cstdint>

#include "refops/scalar.h"
#include "refops/view.h"

namespace ascemu::interp {

inline constexpr std::uint16_t kPoisonFloat16 = 0x7EA5;
inline constexpr std::uint16_t kPoisonBfloat16 = 0x7FE5;
inline constexpr std::uint32_t kPoisonFloat32 = 0x7FE5A5A5;
inline constexpr std::uint64_t kPoisonFloat64 = 0x7FFDA5A5A5A5A5A5;
inline constexpr std::uint8_t kPoisonByte = 0xA5;
inline constexpr std::uint8_t kPoisonInt1 = 1;

refops::Scalar poison_scalar(refops::Dtype dtype);
// The poison of `declared` where its elements are stored as `stored`.
refops::Scalar poison_scalar(refops::Dtype declared, refops::Dtype stored);
// Sets every element of the contiguous view, which stores elements of `declared`, to its poison.
void fill_poison(refops::Dtype declared, const refops::View& out);

}  // namespace ascemu::interp
