#include "refops/round_to.h"

#include <gtest/gtest.h>

#include "refops/tests/arrays.h"
#include "refops/tests/rounding_oracle.h"

namespace ascemu::refops {
namespace {

// Doubles that matter for a 16-bit format: values and midpoints, plus or minus a tiny amount.
std::vector<double> interesting_doubles(int top_exponent, int bottom_exponent,
                                        int significand_bits) {
  std::mt19937_64 random(7);
  std::vector<double> values{0.0,       -0.0,    0x1p-1074, 0x1p-1022, 0x1p1023, INFINITY,
                             -INFINITY, 65504.0, 65519.0,   65520.0,   65535.0,  65536.0};
  std::uniform_int_distribution<int> exponents(bottom_exponent - 4, top_exponent + 2);
  for (int i = 0; i < 20000; ++i) {
    const auto significand = static_cast<double>(random() >> (64 - significand_bits - 1));
    double value = std::ldexp(significand, exponents(random) - significand_bits);
    if (i % 3 == 1) value = std::nextafter(value, INFINITY);
    if (i % 3 == 2) value = std::nextafter(value, 0.0);
    values.push_back(i % 2 == 0 ? value : -value);
  }
  return values;
}

TEST(RoundTo, DoubleToFloat16InEveryMode) {
  for (const double value : interesting_doubles(16, -24, 11)) {
    for (const RoundMode mode : kAllModes) {
      ASSERT_EQ(round_to<Float16>(value, mode).bits, half_oracle().round(value, mode))
          << value << " " << round_mode_name(mode);
    }
  }
}

TEST(RoundTo, DoubleToBfloat16InEveryMode) {
  for (const double value : interesting_doubles(128, -133, 8)) {
    for (const RoundMode mode : kAllModes) {
      ASSERT_EQ(round_to<Bfloat16>(value, mode).bits, bhalf_oracle().round(value, mode))
          << value << " " << round_mode_name(mode);
    }
  }
}

TEST(RoundTo, Int64ToHalvesInEveryMode) {
  std::mt19937_64 random(11);
  std::vector<std::int64_t> values{0,
                                   1,
                                   -1,
                                   2049,
                                   2051,
                                   65504,
                                   65519,
                                   65520,
                                   65535,
                                   65536,
                                   std::numeric_limits<std::int64_t>::min(),
                                   std::numeric_limits<std::int64_t>::max()};
  for (int i = 0; i < 20000; ++i) {
    values.push_back(static_cast<std::int64_t>(random()) >> (random() % 64));
  }
  for (const std::int64_t value : values) {
    const auto exact = static_cast<long double>(value);
    for (const RoundMode mode : kAllModes) {
      ASSERT_EQ(round_to<Float16>(value, mode).bits, half_oracle().round(exact, mode)) << value;
      ASSERT_EQ(round_to<Bfloat16>(value, mode).bits, bhalf_oracle().round(exact, mode)) << value;
    }
  }
}

// float32 neighbours come from nextafter and comparisons in long double (64-bit significand, exact
// here).
float expected_float(long double value, RoundMode mode) {
  float below = static_cast<float>(value);
  if (static_cast<long double>(below) > value) below = std::nextafter(below, -INFINITY);
  if (static_cast<long double>(below) == value) return below;
  const float above = std::nextafter(below, INFINITY);
  const long double middle = (static_cast<long double>(below) + above) / 2;
  const bool below_is_even = (std::bit_cast<std::uint32_t>(below) & 1U) == 0;
  switch (mode) {
    case RoundMode::floor:
      return below;
    case RoundMode::ceil:
      return above;
    case RoundMode::trunc:
      return value > 0 ? below : above;
    case RoundMode::odd:
      return below_is_even ? above : below;
    case RoundMode::round:
      if (value == middle) return value > 0 ? above : below;
      break;
    default:
      if (value == middle) return below_is_even ? below : above;
  }
  return value < middle ? below : above;
}

TEST(RoundTo, Int64ToFloat32InEveryMode) {
  std::mt19937_64 random(13);
  for (int i = 0; i < 50000; ++i) {
    std::int64_t value = static_cast<std::int64_t>(random()) >> (random() % 64);
    if (i % 4 == 0) value &= ~((std::int64_t{1} << (random() % 40)) - 1);
    for (const RoundMode mode : kAllModes) {
      ASSERT_EQ(bits_of(round_to<float>(value, mode)),
                bits_of(expected_float(static_cast<long double>(value), mode)))
          << value << " " << round_mode_name(mode);
    }
  }
}

TEST(RoundTo, DoubleToFloat32InEveryMode) {
  std::mt19937_64 random(17);
  for (int i = 0; i < 50000; ++i) {
    double value =
        std::ldexp(static_cast<double>(random() >> 11), static_cast<int>(random() % 270) - 210);
    if (i % 2 == 0) value = -value;
    if (i % 4 < 2) value = std::bit_cast<double>(bits_of(value) & ~0x0FFFFFFFULL);
    for (const RoundMode mode : kAllModes) {
      ASSERT_EQ(bits_of(round_to<float>(value, mode)), bits_of(expected_float(value, mode)))
          << value << " " << round_mode_name(mode);
    }
  }
}

TEST(RoundTo, NoDoubleRoundingThroughFloat32) {
  // 1 + 2^-11 + 2^-40: float32 would drop the last term and leave a tie.
  const double above_tie = 1.0 + 0x1p-11 + 0x1p-40;
  EXPECT_EQ(round_to<Float16>(above_tie, RoundMode::rint).bits, 0x3C01);
  EXPECT_EQ(Float16::from_float(static_cast<float>(above_tie)).bits, 0x3C00);
  const std::int64_t integer = (std::int64_t{1} << 40) + (std::int64_t{1} << 32) + 1;
  EXPECT_EQ(round_to<Bfloat16>(integer, RoundMode::rint).bits, 0x5381);
}

TEST(RoundTo, Uint64UsesAllBits) {
  EXPECT_EQ(bits_of(round_to<float>(~std::uint64_t{0}, RoundMode::rint)), 0x5F800000U);
  EXPECT_EQ(bits_of(round_to<float>(~std::uint64_t{0}, RoundMode::trunc)), 0x5F7FFFFFU);
}

TEST(RoundTo, OverflowIsInfinityOnlyPastTheLastRoundedValue) {
  EXPECT_EQ(round_to<Float16>(65535.9, RoundMode::trunc).bits, 0x7BFF);
  EXPECT_EQ(round_to<Float16>(65536.0, RoundMode::trunc).bits, 0x7C00);
  EXPECT_EQ(round_to<Float16>(65504.5, RoundMode::ceil).bits, 0x7C00);
  EXPECT_EQ(round_to<Float16>(-65504.5, RoundMode::ceil).bits, 0xFBFF);
  EXPECT_EQ(round_to<Float16>(65519.99, RoundMode::rint).bits, 0x7BFF);
  EXPECT_EQ(round_to<Float16>(65520.0, RoundMode::rint).bits, 0x7C00);
}

TEST(RoundTo, NanIsCanonicalAndZeroKeepsItsSign) {
  const double nan = std::bit_cast<double>(0xFFF0000000000001U);
  EXPECT_EQ(round_to<Float16>(nan, RoundMode::trunc).bits, kNanHalf);
  EXPECT_EQ(round_to<Bfloat16>(nan, RoundMode::rint).bits, kNanBhalf);
  EXPECT_EQ(bits_of(round_to<float>(nan, RoundMode::rint)), kNanFloat);
  EXPECT_EQ(bits_of(round_to<float>(nan, RoundMode::odd)), kNanFloat);
  EXPECT_EQ(round_to<Float16>(-0.0, RoundMode::rint).bits, 0x8000);
  EXPECT_EQ(round_to<Float16>(-1e-30, RoundMode::rint).bits, 0x8000);
  EXPECT_EQ(round_to<Float16>(-1e-30, RoundMode::floor).bits, 0x8001);
  EXPECT_EQ(round_to<Float16>(1e-30, RoundMode::odd).bits, 0x0001);
}

TEST(RoundToIntegral, EveryMode) {
  const double inputs[] = {2.5, 3.5, -2.5, -0.25, 2.75, 0x1p53 + 2};
  const std::pair<RoundMode, std::array<double, 6>> rows[] = {
      {RoundMode::rint, {2, 4, -2, -0.0, 3, 0x1p53 + 2}},
      {RoundMode::floor, {2, 3, -3, -1, 2, 0x1p53 + 2}},
      {RoundMode::ceil, {3, 4, -2, -0.0, 3, 0x1p53 + 2}},
      {RoundMode::round, {3, 4, -3, -0.0, 3, 0x1p53 + 2}},
      {RoundMode::trunc, {2, 3, -2, -0.0, 2, 0x1p53 + 2}},
      {RoundMode::odd, {3, 3, -3, -1, 3, 0x1p53 + 2}},
  };
  for (const auto& [mode, expected] : rows) {
    for (std::size_t i = 0; i < expected.size(); ++i) {
      EXPECT_EQ(bits_of(round_to_integral(inputs[i], mode)), bits_of(expected[i]))
          << inputs[i] << " " << round_mode_name(mode);
    }
  }
}

TEST(RoundToInteger, Saturates) {
  EXPECT_EQ(round_to<std::int8_t>(127.5, RoundMode::rint), 127);
  EXPECT_EQ(round_to<std::int8_t>(-128.5, RoundMode::floor), -128);
  EXPECT_EQ(round_to<std::int16_t>(1e30, RoundMode::trunc), 32767);
  EXPECT_EQ(round_to<std::int32_t>(-INFINITY, RoundMode::trunc), std::numeric_limits<int>::min());
  EXPECT_EQ(round_to<std::int64_t>(0x1p63, RoundMode::trunc),
            std::numeric_limits<std::int64_t>::max());
  EXPECT_EQ(round_to<std::int64_t>(-0x1p63, RoundMode::trunc),
            std::numeric_limits<std::int64_t>::min());
  EXPECT_EQ(round_to<std::uint64_t>(0x1p64, RoundMode::trunc), ~std::uint64_t{0});
  EXPECT_EQ(round_to<std::uint8_t>(-3.0, RoundMode::trunc), 0);
  EXPECT_EQ(round_to<std::int32_t>(NAN, RoundMode::trunc), 0);
}

}  // namespace
}  // namespace ascemu::refops
