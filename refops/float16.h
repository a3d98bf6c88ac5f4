// IEEE binary16 as a 16-bit pattern with explicit conversions (architecture, decision 6).
//
// What it is: the storage type of float16 elements. What it is not: an arithmetic type; operators
// live in the function objects of the ops, which compute in float32 and round once. Invariant: a
// conversion into Float16 yields the canonical NaN 0x7E00 for every NaN. The loops below are
// branch-free integer code (one exact float add for subnormals), so that the compiler vectorises
// them on the baseline instruction set.
#pragma once

#include <bit>
#include <cstdint>

namespace ascemu::refops {

struct Float16 {
  std::uint16_t bits = 0;

  static constexpr Float16 from_bits(std::uint16_t bits) { return Float16{bits}; }
  // Nearest even; overflow becomes infinity.
  static constexpr Float16 from_float(float value);
  // Exact. A NaN becomes the canonical float32 NaN only when it is stored as a result.
  constexpr float to_float() const;
};

constexpr float Float16::to_float() const {
  const std::uint32_t sign = static_cast<std::uint32_t>(bits & 0x8000U) << 16;
  const std::uint32_t magnitude = bits & 0x7FFFU;
  const std::uint32_t shifted = magnitude << 13;
  const std::uint32_t normal = shifted + (112U << 23);
  const std::uint32_t special = shifted + (224U << 23);
  const float lifted = std::bit_cast<float>(shifted + (113U << 23)) - 0x1p-14F;
  const std::uint32_t subnormal = std::bit_cast<std::uint32_t>(lifted);
  std::uint32_t result = magnitude < 0x0400U ? subnormal : normal;
  result = magnitude >= 0x7C00U ? special : result;
  return std::bit_cast<float>(result | sign);
}

constexpr Float16 Float16::from_float(float value) {
  const std::uint32_t pattern = std::bit_cast<std::uint32_t>(value);
  const std::uint32_t sign = (pattern >> 16) & 0x8000U;
  const std::uint32_t magnitude = pattern & 0x7FFFFFFFU;
  const std::uint32_t odd = (magnitude >> 13) & 1U;
  const std::uint32_t normal = (magnitude - (112U << 23) + 0x0FFFU + odd) >> 13;
  // Adding 0.5 aligns the last kept bit of a subnormal result with the last bit of the sum.
  const std::uint32_t small = magnitude < 0x38800000U ? magnitude : 0U;
  const std::uint32_t subnormal =
      std::bit_cast<std::uint32_t>(std::bit_cast<float>(small) + 0.5F) - 0x3F000000U;
  std::uint32_t result = magnitude < 0x38800000U ? subnormal : normal;
  result = magnitude >= 0x47800000U ? 0x7C00U : result;
  result |= sign;
  result = magnitude > 0x7F800000U ? 0x7E00U : result;
  return Float16{static_cast<std::uint16_t>(result)};
}

}  // namespace ascemu::refops
