#include "refops/cube/exact_group.h"

#include <array>
#include <bit>
#include <cmath>
#include <limits>

namespace ascemu::refops::cube {
namespace {

// A signed fixed-point number wide enough for any sum of up to 2^14 products of two float32 values.
class WideSum {
 public:
  // A finite double whose bits lie between 2^kLowest and 2^257, such as an exact product.
  void add(double term) {
    const auto pattern = std::bit_cast<std::uint64_t>(term);
    const auto exponent = static_cast<int>((pattern >> 52) & 0x7FF);
    if (exponent == 0) return;
    std::uint64_t significand = (pattern & ((std::uint64_t{1} << 52) - 1)) | std::uint64_t{1} << 52;
    int position = exponent - 1075 - kLowest;
    if (position < 0) {
      significand >>= -position;
      position = 0;
    }
    const auto limb = static_cast<std::size_t>(position / 64);
    const int shift = position % 64;
    const std::uint64_t low = significand << shift;
    const std::uint64_t high = shift == 0 ? 0 : significand >> (64 - shift);
    (pattern >> 63) == 0 ? add_at(limb, low, high) : subtract_at(limb, low, high);
  }

  // Nearest even; zero is +0.
  float rounded() const {
    const bool is_negative = (limbs_.back() >> 63) != 0;
    WideSum magnitude = *this;
    if (is_negative) magnitude = magnitude.negated();
    const int top = magnitude.highest_bit();
    if (top < 0) return 0.0F;
    // The last bit a float32 keeps: 24 bits of significand, but nothing below 2^-149.
    const int last = top - 23 > -149 - kLowest ? top - 23 : -149 - kLowest;
    std::uint64_t kept = top < last ? 0 : magnitude.bits_from(last);
    const bool half = magnitude.bit(last - 1);
    const bool beyond = magnitude.any_below(last - 1);
    kept += half && (beyond || (kept & 1U) != 0) ? 1 : 0;
    const auto scale =
        std::bit_cast<double>(static_cast<std::uint64_t>(last + kLowest + 1023) << 52);
    const auto value = static_cast<float>(static_cast<double>(kept) * scale);
    return is_negative ? -value : value;
  }

 private:
  // The exponent of the lowest bit: the product of the two least float32 numbers.
  static constexpr int kLowest = -298;
  static constexpr std::size_t kLimbs = 9;

  void add_at(std::size_t limb, std::uint64_t low, std::uint64_t high) {
    limbs_[limb] += low;
    std::uint64_t carry = limbs_[limb] < low ? 1 : 0;
    std::uint64_t next = high;
    while (++limb < kLimbs && (next | carry) != 0) {
      const std::uint64_t sum = limbs_[limb] + next;
      const std::uint64_t with_carry = sum + carry;
      carry = (sum < next ? 1U : 0U) | (with_carry < sum ? 1U : 0U);
      limbs_[limb] = with_carry;
      next = 0;
    }
  }

  void subtract_at(std::size_t limb, std::uint64_t low, std::uint64_t high) {
    std::uint64_t borrow = limbs_[limb] < low ? 1 : 0;
    limbs_[limb] -= low;
    std::uint64_t next = high;
    while (++limb < kLimbs && (next | borrow) != 0) {
      const std::uint64_t before = limbs_[limb];
      const std::uint64_t difference = before - next;
      limbs_[limb] = difference - borrow;
      borrow = (before < next ? 1U : 0U) | (difference < borrow ? 1U : 0U);
      next = 0;
    }
  }

  WideSum negated() const {
    WideSum result;
    std::uint64_t carry = 1;
    for (std::size_t i = 0; i < kLimbs; ++i) {
      result.limbs_[i] = ~limbs_[i] + carry;
      carry = carry != 0 && result.limbs_[i] == 0 ? 1 : 0;
    }
    return result;
  }

  int highest_bit() const {
    for (std::size_t i = kLimbs; i-- > 0;) {
      if (limbs_[i] != 0) return static_cast<int>(i) * 64 + 63 - std::countl_zero(limbs_[i]);
    }
    return -1;
  }

  // The 64 bits from `position` on.
  std::uint64_t bits_from(int position) const {
    const auto limb = static_cast<std::size_t>(position / 64);
    const int shift = position % 64;
    const std::uint64_t next = limb + 1 < kLimbs ? limbs_[limb + 1] : 0;
    return shift == 0 ? limbs_[limb] : limbs_[limb] >> shift | next << (64 - shift);
  }

  bool bit(int position) const { return (bits_from(position) & 1U) != 0; }

  bool any_below(int position) const {
    const auto limb = static_cast<std::size_t>(position / 64);
    std::uint64_t found = position % 64 == 0 ? 0 : limbs_[limb] << (64 - position % 64);
    for (std::size_t i = 0; i < limb; ++i) found |= limbs_[i];
    return found != 0;
  }

  std::array<std::uint64_t, kLimbs> limbs_{};  // two's complement, lowest first
};

}  // namespace

float join_exactly(float accumulator, const double* a, std::int64_t a_stride, const double* b,
                   std::int64_t b_stride, std::int64_t count) {
  WideSum sum;
  float beyond = 0.0F;  // the sum of the infinities and NaNs
  bool is_finite = true;
  bool is_negative_zero = true;  // every term so far
  const auto take = [&](double term) {
    if (std::isfinite(term)) {
      sum.add(term);
      is_negative_zero = is_negative_zero && term == 0 && std::signbit(term);
    } else {
      beyond += static_cast<float>(term);
      is_finite = false;
    }
  };
  take(accumulator);
  for (std::int64_t k = 0; k < count; ++k) take(a[k * a_stride] * b[k * b_stride]);
  if (!is_finite) return beyond;
  return is_negative_zero ? -0.0F : sum.rounded();
}

}  // namespace ascemu::refops::cube
