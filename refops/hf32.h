// HF32: the cube's reduced float32 (npu-numerics §7.3).
//
// What it is: the one rounding of a float32 matmul operand.
// What it is not: a storage type.
//
// Invariant: the result is a float32 whose low 12 significand bits are zero (11 stored bits, as
// A2/A3 publish and the 950 matmul golden computes), rounded to nearest even; subnormal inputs
// become a zero of their sign.
#pragma once

#include <bit>
#include <cstdint>

namespace ascemu::refops {

constexpr float round_to_hf32(float value) {
  const auto pattern = std::bit_cast<std::uint32_t>(value);
  const std::uint32_t magnitude = pattern & 0x7FFFFFFFU;
  const std::uint32_t sign = pattern & 0x80000000U;
  std::uint32_t result = (magnitude + 0x7FFU + ((magnitude >> 12) & 1U)) & 0xFFFFF000U;
  result = magnitude < 0x00800000U ? 0U : result;
  result |= sign;
  result = magnitude > 0x7F800000U ? 0x7FC00000U : result;
  return std::bit_cast<float>(result);
}

}  // namespace ascemu::refops
