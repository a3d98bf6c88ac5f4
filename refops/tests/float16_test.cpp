#include "refops/float16.h"

#include <gtest/gtest.h>

#include "refops/bfloat16.h"
#include "refops/eval.h"
#include "refops/round_to.h"
#include "refops/tests/arrays.h"
#include "refops/tests/rounding_oracle.h"

namespace ascemu::refops {
namespace {

// The value of a pattern, decoded without the code under test.
long double decode(int pattern, int fraction_bits, int exponent_bits) {
  const int bias = (1 << (exponent_bits - 1)) - 1;
  const int field = (pattern >> fraction_bits) & ((1 << exponent_bits) - 1);
  const int fraction = pattern & ((1 << fraction_bits) - 1);
  const int hidden = field == 0 ? 0 : 1 << fraction_bits;
  const long double magnitude = std::ldexp(static_cast<long double>(hidden + fraction),
                                           (field == 0 ? 1 : field) - bias - fraction_bits);
  return (pattern & 0x8000) != 0 ? -magnitude : magnitude;
}

bool is_nan_pattern(int pattern, int infinity) { return (pattern & 0x7FFF) > infinity; }

TEST(Float16, EveryPatternWidensExactlyAndComesBack) {
  for (int pattern = 0; pattern < 0x10000; ++pattern) {
    const Float16 value = Float16::from_bits(static_cast<std::uint16_t>(pattern));
    const float wide = value.to_float();
    if (is_nan_pattern(pattern, 0x7C00)) {
      ASSERT_TRUE(std::isnan(wide)) << pattern;
      ASSERT_EQ(Float16::from_float(wide).bits, kNanHalf);
      continue;
    }
    if ((pattern & 0x7FFF) == 0x7C00) {
      ASSERT_EQ(wide, pattern == 0x7C00 ? INFINITY : -INFINITY);
    } else {
      ASSERT_EQ(static_cast<long double>(wide), decode(pattern, 10, 5)) << pattern;
      ASSERT_EQ(std::signbit(wide), pattern >= 0x8000) << pattern;
    }
    ASSERT_EQ(Float16::from_float(wide).bits, pattern);
    ASSERT_EQ(round_to<Float16>(static_cast<double>(wide), RoundMode::rint).bits, pattern);
  }
}

TEST(Bfloat16, EveryPatternWidensExactlyAndComesBack) {
  for (int pattern = 0; pattern < 0x10000; ++pattern) {
    const Bfloat16 value = Bfloat16::from_bits(static_cast<std::uint16_t>(pattern));
    const float wide = value.to_float();
    if (is_nan_pattern(pattern, 0x7F80)) {
      ASSERT_TRUE(std::isnan(wide)) << pattern;
      ASSERT_EQ(Bfloat16::from_float(wide).bits, kNanBhalf);
      continue;
    }
    if ((pattern & 0x7FFF) != 0x7F80) {
      ASSERT_EQ(static_cast<long double>(wide), decode(pattern, 7, 8)) << pattern;
    }
    ASSERT_EQ(Bfloat16::from_float(wide).bits, pattern);
    ASSERT_EQ(round_to<Bfloat16>(static_cast<double>(wide), RoundMode::rint).bits, pattern);
  }
}

// Float32 patterns around every float16 and bfloat16 boundary: each half, each midpoint, one
// float32 ulp beside.
TEST(Float16, NarrowingMatchesTheOracleAroundEveryValueAndMidpoint) {
  for (int pattern = 0; pattern <= 0x7C00; ++pattern) {
    const double low = static_cast<double>(decode(pattern, 10, 5));
    const double middle =
        static_cast<double>((decode(pattern, 10, 5) + decode(pattern + 1, 10, 5)) / 2);
    for (const double center : {low, middle}) {
      const float value = static_cast<float>(center);
      for (const float near :
           {std::nextafter(value, 0.0F), value, std::nextafter(value, INFINITY)}) {
        if (std::isinf(near)) continue;
        const int expected = half_oracle().round(near, RoundMode::rint);
        ASSERT_EQ(Float16::from_float(near).bits, expected) << near;
        ASSERT_EQ(Float16::from_float(-near).bits, expected | 0x8000) << near;
      }
    }
  }
}

TEST(Bfloat16, NarrowingMatchesTheOracleAroundEveryValueAndMidpoint) {
  for (int pattern = 0; pattern < 0x7F80; ++pattern) {
    const auto value = std::bit_cast<float>(static_cast<std::uint32_t>(pattern) << 16);
    const auto middle = std::bit_cast<float>((static_cast<std::uint32_t>(pattern) << 16) | 0x8000U);
    for (const float center : {value, middle}) {
      for (const float near :
           {std::nextafter(center, 0.0F), center, std::nextafter(center, INFINITY)}) {
        if (std::isinf(near)) continue;
        const int expected = bhalf_oracle().round(near, RoundMode::rint);
        ASSERT_EQ(Bfloat16::from_float(near).bits, expected) << near;
        ASSERT_EQ(Bfloat16::from_float(-near).bits, expected | 0x8000) << near;
      }
    }
  }
}

// The vectorised loop, the scalar function and the exact path agree on every 251st float32 pattern.
TEST(Float16, VectorisedCastEqualsTheExactPath) {
  std::vector<float> inputs;
  for (std::uint64_t pattern = 0; pattern < (1ULL << 32); pattern += 40961) {
    inputs.push_back(std::bit_cast<float>(static_cast<std::uint32_t>(pattern)));
  }
  std::vector<Float16> halves_out(inputs.size());
  std::vector<Bfloat16> bhalves_out(inputs.size());
  eval_cast(Policy{}, RoundMode::rint, view_of(std::as_const(inputs)), view_of(halves_out));
  eval_cast(Policy{}, RoundMode::rint, view_of(std::as_const(inputs)), view_of(bhalves_out));
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    const double wide = inputs[i];
    ASSERT_EQ(halves_out[i].bits, round_to<Float16>(wide, RoundMode::rint).bits) << wide;
    ASSERT_EQ(bhalves_out[i].bits, round_to<Bfloat16>(wide, RoundMode::rint).bits) << wide;
  }
}

}  // namespace
}  // namespace ascemu::refops
