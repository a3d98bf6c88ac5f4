#include "refops/round_to.h"

#include <algorithm>
#include <cmath>

namespace ascemu::refops {
namespace {

// Compares the dropped `shift` low bits of magnitude with half a unit of the kept part: -1, 0, +1.
int compare_with_half(std::uint64_t magnitude, int shift) {
  if (shift > 64) return -1;
  const std::uint64_t half = std::uint64_t{1} << (shift - 1);
  const std::uint64_t dropped = shift == 64 ? magnitude : magnitude & ((half << 1) - 1);
  if (dropped == half) return 0;
  return dropped < half ? -1 : 1;
}

// The kept part after rounding away `shift` > 0 low bits, at least one of which is set.
std::uint64_t round_kept(std::uint64_t kept, bool negative, int against_half, RoundMode mode) {
  switch (mode) {
    case RoundMode::floor:
      return kept + (negative ? 1 : 0);
    case RoundMode::ceil:
      return kept + (negative ? 0 : 1);
    case RoundMode::trunc:
      return kept;
    case RoundMode::odd:
      return kept | 1;
    case RoundMode::round:
      return kept + (against_half >= 0 ? 1 : 0);
    case RoundMode::no_round:
    case RoundMode::rint:
    case RoundMode::default_mode:
      break;
  }
  const bool up = against_half > 0 || (against_half == 0 && (kept & 1) != 0);
  return kept + (up ? 1 : 0);
}

}  // namespace

std::uint64_t round_exact(FloatFormat format, bool negative, std::uint64_t magnitude, int exponent,
                          RoundMode mode) {
  const int fraction_bits = format.significand_bits - 1;
  const int bias = (1 << (format.exponent_bits - 1)) - 1;
  const std::uint64_t sign =
      negative ? std::uint64_t{1} << (fraction_bits + format.exponent_bits) : 0;
  if (magnitude == 0) return sign;
  const int top = 63 - std::countl_zero(magnitude) + exponent;
  const int scale = std::max(top, 1 - bias);
  const int shift = scale - fraction_bits - exponent;
  std::uint64_t kept = 0;
  if (shift <= 0) {
    kept = magnitude << -shift;
  } else {
    kept = shift >= 64 ? 0 : magnitude >> shift;
    const bool exact = shift < 64 && (kept << shift) == magnitude;
    if (!exact) kept = round_kept(kept, negative, compare_with_half(magnitude, shift), mode);
  }
  const std::uint64_t infinity = ((std::uint64_t{1} << format.exponent_bits) - 1) << fraction_bits;
  // A carry out of the significand moves into the exponent field by itself.
  if (scale > bias) return sign | infinity;
  const std::uint64_t pattern =
      (static_cast<std::uint64_t>(scale + bias - 1) << fraction_bits) + kept;
  return sign | std::min(pattern, infinity);
}

std::uint64_t round_double(FloatFormat format, double value, RoundMode mode) {
  const int fraction_bits = format.significand_bits - 1;
  const std::uint64_t infinity = ((std::uint64_t{1} << format.exponent_bits) - 1) << fraction_bits;
  const auto pattern = std::bit_cast<std::uint64_t>(value);
  const bool negative = (pattern >> 63) != 0;
  const int field = static_cast<int>((pattern >> 52) & 0x7FF);
  const std::uint64_t fraction = pattern & 0x000FFFFFFFFFFFFFU;
  if (field == 0x7FF) {
    if (fraction != 0) return infinity | (std::uint64_t{1} << (fraction_bits - 1));
    return infinity | (negative ? std::uint64_t{1} << (fraction_bits + format.exponent_bits) : 0);
  }
  const std::uint64_t hidden = field == 0 ? 0 : std::uint64_t{1} << 52;
  return round_exact(format, negative, hidden | fraction, std::max(field, 1) - 1075, mode);
}

double round_to_integral(double value, RoundMode mode) {
  if (!(std::fabs(value) < 0x1p52)) return value;
  const double magnitude = std::fabs(value);
  double kept = static_cast<double>(static_cast<std::int64_t>(magnitude));
  const double dropped = magnitude - kept;
  if (dropped != 0) {
    const int against_half = dropped == 0.5 ? 0 : (dropped < 0.5 ? -1 : 1);
    kept = static_cast<double>(
        round_kept(static_cast<std::uint64_t>(kept), value < 0, against_half, mode));
  }
  return std::copysign(kept, value);
}

}  // namespace ascemu::refops
