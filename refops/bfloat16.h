// bfloat16 (the upper half of a binary32) as a 16-bit pattern with explicit conversions.
//
// What it is: the storage type of bfloat16 elements.
// What it is not: an arithmetic type.
//
// Invariant: a conversion into Bfloat16 yields the canonical NaN 0x7FC0 for every NaN.
#pragma once

#include <bit>
#include <cstdint>

namespace ascemu::refops {

struct Bfloat16 {
  std::uint16_t bits = 0;

  static constexpr Bfloat16 from_bits(std::uint16_t bits) { return Bfloat16{bits}; }
  // Nearest even; overflow becomes infinity.
  [[gnu::always_inline]] static constexpr Bfloat16 from_float(float value) {
    const std::uint32_t pattern = std::bit_cast<std::uint32_t>(value);
    std::uint32_t result = (pattern + 0x7FFFU + ((pattern >> 16) & 1U)) >> 16;
    result = (pattern & 0x7FFFFFFFU) > 0x7F800000U ? 0x7FC0U : result;
    return Bfloat16{static_cast<std::uint16_t>(result)};
  }
  // Exact.
  [[gnu::always_inline]] constexpr float to_float() const {
    return std::bit_cast<float>(static_cast<std::uint32_t>(bits) << 16);
  }
};

}  // namespace ascemu::refops
