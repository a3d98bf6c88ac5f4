// IEEE binary16 as a 16-bit pattern with explicit conversions (architecture, decision 6).
//
// What it is: the storage type of float16 elements.
// What it is not: an arithmetic type; operators live in the function objects of the ops, which
// compute in float32 and round once.
//
// Invariant: a conversion into Float16 yields the canonical NaN 0x7E00 for every NaN. The
// conversions are branch-free (integer code and one float add in the default rounding direction),
// so that loops over them vectorise on the baseline instruction set; always_inline because GCC's
// unit growth limit otherwise leaves calls in the loops of large files.
#pragma once

#include <bit>
#include <cstdint>

namespace ascemu::refops {

struct Float16 {
  std::uint16_t bits = 0;

  static constexpr Float16 from_bits(std::uint16_t bits) { return Float16{bits}; }
  // Nearest even; overflow becomes infinity.
  [[gnu::always_inline]] static constexpr Float16 from_float(float value);
  // Exact. A NaN becomes the canonical float32 NaN only when it is stored as a result.
  [[gnu::always_inline]] constexpr float to_float() const;
};

constexpr float Float16::to_float() const {
  const std::int32_t wide = bits;
  const std::int32_t magnitude = wide & 0x7FFF;
  const std::int32_t sign = (wide & 0x8000) << 16;
  // All ones where true; a subnormal takes a temporary hidden bit, 2^-14, that the subtraction
  // removes exactly.
  const std::int32_t subnormal = (magnitude - 0x0400) >> 31;
  const std::int32_t special = (0x7BFF - magnitude) >> 31;
  const std::int32_t lifted =
      (magnitude << 13) + (112 << 23) + (subnormal & (1 << 23)) + (special & (112 << 23));
  const float hidden = std::bit_cast<float>(subnormal & 0x38800000);
  const float unsigned_value = std::bit_cast<float>(lifted) - hidden;
  return std::bit_cast<float>(std::bit_cast<std::int32_t>(unsigned_value) | sign);
}

constexpr Float16 Float16::from_float(float value) {
  const std::int32_t pattern = std::bit_cast<std::int32_t>(value);
  const std::int32_t magnitude = pattern & 0x7FFFFFFF;
  const std::int32_t sign = (pattern >> 16) & 0x8000;
  const std::int32_t capped = magnitude < 0x47800000 ? magnitude : 0x47800000;
  const std::int32_t exponent = capped & 0x7F800000;
  const std::int32_t scale = exponent > 0x38800000 ? exponent : 0x38800000;
  // Adding 2^13 times the scale aligns the last kept bit with the last bit of the sum, which rounds
  // to nearest even.
  const std::int32_t aligner = scale + (13 << 23);
  const float sum = std::bit_cast<float>(capped) + std::bit_cast<float>(aligner);
  const std::int32_t kept = std::bit_cast<std::int32_t>(sum) - aligner;
  std::int32_t result = kept + (scale >> 13) - (113 << 10);
  result |= sign;
  result = magnitude > 0x7F800000 ? 0x7E00 : result;
  return Float16{static_cast<std::uint16_t>(result)};
}

}  // namespace ascemu::refops
