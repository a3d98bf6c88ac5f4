#include <gtest/gtest.h>

#include <limits>

#include "refops/eval.h"
#include "refops/round_to.h"
#include "refops/tests/arrays.h"

namespace ascemu::refops {
namespace {

template <class To, class From>
std::vector<To> cast(const std::vector<From>& x, RoundMode mode,
                     NumericMode numeric = NumericMode::ieee) {
  std::vector<To> out(x.size());
  eval_cast(Policy{numeric, Chip::ascend950pr}, mode, view_of(x), view_of(out));
  return out;
}

constexpr Dtype kDtypes[] = {Dtype::int8,    Dtype::int16,    Dtype::int32,  Dtype::int64,
                             Dtype::float16, Dtype::bfloat16, Dtype::float32};

TEST(CastTable, SupportedPairsAreExactlyThoseOfTheLanguage) {
  const std::pair<Dtype, std::vector<Dtype>> rows[] = {
      {Dtype::int8, {Dtype::int16, Dtype::int32, Dtype::float16}},
      {Dtype::int16, {Dtype::int32, Dtype::float16, Dtype::float32}},
      {Dtype::int32, {Dtype::int16, Dtype::int64, Dtype::float16, Dtype::float32}},
      {Dtype::int64, {Dtype::int32, Dtype::float32}},
      {Dtype::float16, {Dtype::int8, Dtype::int16, Dtype::int32, Dtype::bfloat16, Dtype::float32}},
      {Dtype::bfloat16, {Dtype::int32, Dtype::float16, Dtype::float32}},
      {Dtype::float32, {Dtype::int16, Dtype::int32, Dtype::int64, Dtype::float16, Dtype::bfloat16}},
  };
  for (const auto& [from, targets] : rows) {
    for (int i = 0; i < kDtypeCount; ++i) {
      const auto to = static_cast<Dtype>(i);
      const bool listed = std::find(targets.begin(), targets.end(), to) != targets.end();
      EXPECT_EQ(cast_is_supported(from, to), listed || from == to)
          << dtype_name(from) << " -> " << dtype_name(to);
    }
  }
  EXPECT_FALSE(cast_is_supported(Dtype::int1, Dtype::int32));
  EXPECT_FALSE(cast_is_supported(Dtype::float64, Dtype::float32));
  EXPECT_FALSE(cast_is_supported(Dtype::uint8, Dtype::float16));
}

bool legal(Dtype from, Dtype to, RoundMode mode) { return cast_mode_is_legal(from, to, mode); }

TEST(CastTable, LegalModes) {
  const std::pair<Dtype, Dtype> exact[] = {
      {Dtype::int8, Dtype::float16},    {Dtype::int16, Dtype::float32},
      {Dtype::float16, Dtype::float32}, {Dtype::bfloat16, Dtype::float32},
      {Dtype::int8, Dtype::int32},      {Dtype::int64, Dtype::int32}};
  for (const auto& [from, to] : exact) {
    EXPECT_TRUE(legal(from, to, RoundMode::no_round));
    EXPECT_TRUE(legal(from, to, RoundMode::default_mode));
    EXPECT_FALSE(legal(from, to, RoundMode::rint));
  }
  const std::pair<Dtype, Dtype> rounded[] = {
      {Dtype::int16, Dtype::float16},    {Dtype::int32, Dtype::float32},
      {Dtype::int64, Dtype::float32},    {Dtype::float16, Dtype::bfloat16},
      {Dtype::float32, Dtype::bfloat16}, {Dtype::float32, Dtype::int16},
      {Dtype::bfloat16, Dtype::int32}};
  for (const auto& [from, to] : rounded) {
    for (const RoundMode mode :
         {RoundMode::rint, RoundMode::floor, RoundMode::ceil, RoundMode::round, RoundMode::trunc}) {
      EXPECT_TRUE(legal(from, to, mode));
    }
    EXPECT_FALSE(legal(from, to, RoundMode::odd));
    EXPECT_FALSE(legal(from, to, RoundMode::no_round));
  }
  EXPECT_TRUE(legal(Dtype::float32, Dtype::float16, RoundMode::odd));
  EXPECT_TRUE(legal(Dtype::float32, Dtype::float16, RoundMode::no_round));
  EXPECT_TRUE(legal(Dtype::float32, Dtype::float32, RoundMode::floor));
  EXPECT_FALSE(legal(Dtype::int8, Dtype::float32, RoundMode::rint));
}

TEST(CastTable, DefaultModes) {
  const auto mode = [](Dtype from, Dtype to, NumericMode numeric) {
    return cast_default_mode(Policy{numeric, Chip::ascend950pr}, from, to);
  };
  for (const NumericMode numeric : {NumericMode::npu, NumericMode::ieee, NumericMode::fp64}) {
    EXPECT_EQ(mode(Dtype::int8, Dtype::float16, numeric), RoundMode::no_round);
    EXPECT_EQ(mode(Dtype::int16, Dtype::float32, numeric), RoundMode::no_round);
    EXPECT_EQ(mode(Dtype::int32, Dtype::int16, numeric), RoundMode::no_round);
    EXPECT_EQ(mode(Dtype::float32, Dtype::int16, numeric), RoundMode::trunc);
    EXPECT_EQ(mode(Dtype::float32, Dtype::float16, numeric), RoundMode::rint);
    EXPECT_EQ(mode(Dtype::float16, Dtype::bfloat16, numeric), RoundMode::rint);
    EXPECT_EQ(mode(Dtype::int32, Dtype::float16, numeric), RoundMode::rint);
  }
  EXPECT_EQ(mode(Dtype::int32, Dtype::float32, NumericMode::npu), RoundMode::trunc);
  EXPECT_EQ(mode(Dtype::int16, Dtype::float16, NumericMode::npu), RoundMode::trunc);
  EXPECT_EQ(mode(Dtype::int64, Dtype::float32, NumericMode::ieee), RoundMode::rint);
}

TEST(CastValues, Float32ToFloat16InEveryMode) {
  // Between 0x3C00 and 0x3C01, a tie above an odd pattern, overflow on both sides of the last
  // midpoint, NaN.
  const std::vector<float> x{
      1.0F + 0x1p-12F, -1.0F - 0x1p-12F, 1.0F + 0x3p-11F, 65519.0F, 65520.0F, NAN, -0.0F};
  const std::pair<RoundMode, Bits> rows[] = {
      {RoundMode::no_round, {0x3C00, 0xBC00, 0x3C02, 0x7BFF, 0x7C00, kNanHalf, 0x8000}},
      {RoundMode::rint, {0x3C00, 0xBC00, 0x3C02, 0x7BFF, 0x7C00, kNanHalf, 0x8000}},
      {RoundMode::floor, {0x3C00, 0xBC01, 0x3C01, 0x7BFF, 0x7BFF, kNanHalf, 0x8000}},
      {RoundMode::ceil, {0x3C01, 0xBC00, 0x3C02, 0x7C00, 0x7C00, kNanHalf, 0x8000}},
      {RoundMode::round, {0x3C00, 0xBC00, 0x3C02, 0x7BFF, 0x7C00, kNanHalf, 0x8000}},
      {RoundMode::trunc, {0x3C00, 0xBC00, 0x3C01, 0x7BFF, 0x7BFF, kNanHalf, 0x8000}},
      {RoundMode::odd, {0x3C01, 0xBC01, 0x3C01, 0x7BFF, 0x7BFF, kNanHalf, 0x8000}},
      {RoundMode::default_mode, {0x3C00, 0xBC00, 0x3C02, 0x7BFF, 0x7C00, kNanHalf, 0x8000}},
  };
  for (const auto& [mode, expected] : rows) {
    EXPECT_EQ(bits_of(cast<Float16>(x, mode)), expected) << round_mode_name(mode);
  }
}

template <class To>
void check_float_to_int() {
  constexpr To kLow = std::numeric_limits<To>::min();
  constexpr To kHigh = std::numeric_limits<To>::max();
  const std::vector<float> x{2.5F,   -2.5F,    3.5F,      -0.75F, 1e30F,
                             -1e30F, INFINITY, -INFINITY, NAN,    0.0F};
  const std::pair<RoundMode, std::vector<To>> rows[] = {
      {RoundMode::rint, {2, -2, 4, -1, kHigh, kLow, kHigh, kLow, 0, 0}},
      {RoundMode::floor, {2, -3, 3, -1, kHigh, kLow, kHigh, kLow, 0, 0}},
      {RoundMode::ceil, {3, -2, 4, 0, kHigh, kLow, kHigh, kLow, 0, 0}},
      {RoundMode::round, {3, -3, 4, -1, kHigh, kLow, kHigh, kLow, 0, 0}},
      {RoundMode::trunc, {2, -2, 3, 0, kHigh, kLow, kHigh, kLow, 0, 0}},
      {RoundMode::default_mode, {2, -2, 3, 0, kHigh, kLow, kHigh, kLow, 0, 0}},
  };
  for (const auto& [mode, expected] : rows)
    EXPECT_EQ(cast<To>(x, mode), expected) << round_mode_name(mode);
}

TEST(CastValues, FloatToIntSaturatesAndNanIsZero) {
  check_float_to_int<std::int16_t>();
  check_float_to_int<std::int32_t>();
  check_float_to_int<std::int64_t>();
  const auto h = halves({0x5BF0, 0xDBF8, 0x7C00, 0xFC00, 0x7E00, 0x3E00, 0x4100});
  EXPECT_EQ(cast<std::int8_t>(h, RoundMode::rint),
            (std::vector<std::int8_t>{127, -128, 127, -128, 0, 2, 2}));
  EXPECT_EQ(cast<std::int8_t>(h, RoundMode::ceil),
            (std::vector<std::int8_t>{127, -128, 127, -128, 0, 2, 3}));
  const auto b = bhalves({0x4F00, 0xCF00, 0x7F80, 0x7FC0, 0x4020});
  EXPECT_EQ(
      cast<std::int32_t>(b, RoundMode::trunc),
      (std::vector<std::int32_t>{std::numeric_limits<int>::max(), std::numeric_limits<int>::min(),
                                 std::numeric_limits<int>::max(), 0, 2}));
}

TEST(CastValues, BoundsOfTheTruncatingFastPath) {
  const std::vector<float> x{2147483520.0F, 2147483648.0F, -2147483648.0F, -2147483904.0F,
                             32767.9F,      32768.0F,      -32768.9F,      -32769.0F};
  EXPECT_EQ(cast<std::int32_t>(x, RoundMode::trunc),
            (std::vector<std::int32_t>{2147483520, 2147483647, -2147483647 - 1, -2147483647 - 1,
                                       32767, 32768, -32768, -32769}));
  EXPECT_EQ(
      cast<std::int16_t>(x, RoundMode::trunc),
      (std::vector<std::int16_t>{32767, 32767, -32768, -32768, 32767, 32767, -32768, -32768}));
}

TEST(CastValues, IntToIntSaturates) {
  EXPECT_EQ(cast<std::int16_t>(std::vector<std::int32_t>{40000, -40000, 7}, RoundMode::no_round),
            (std::vector<std::int16_t>{32767, -32768, 7}));
  EXPECT_EQ(cast<std::int32_t>(std::vector<std::int64_t>{1LL << 40, -(1LL << 40), -7},
                               RoundMode::no_round),
            (std::vector<std::int32_t>{2147483647, -2147483647 - 1, -7}));
  EXPECT_EQ(cast<std::int64_t>(std::vector<std::int32_t>{-5}, RoundMode::no_round),
            std::vector<std::int64_t>{-5});
  EXPECT_EQ(cast<std::int32_t>(std::vector<std::int8_t>{-128}, RoundMode::no_round),
            std::vector<std::int32_t>{-128});
}

TEST(CastValues, IntToFloatRoundsOnceInTheAskedMode) {
  const std::vector<std::int32_t> x{16777217, -16777217, 16777219, 70000, -70000};
  EXPECT_EQ(bits_of(cast<float>(x, RoundMode::rint)),
            (Bits{0x4B800000, 0xCB800000, 0x4B800002, 0x4788B800, 0xC788B800}));
  EXPECT_EQ(bits_of(cast<float>(x, RoundMode::floor)),
            (Bits{0x4B800000, 0xCB800001, 0x4B800001, 0x4788B800, 0xC788B800}));
  EXPECT_EQ(bits_of(cast<Float16>(x, RoundMode::default_mode)),
            (Bits{0x7C00, 0xFC00, 0x7C00, 0x7C00, 0xFC00}));
  EXPECT_EQ(bits_of(cast<float>(std::vector<std::int32_t>{16777219}, RoundMode::default_mode,
                                NumericMode::npu)),
            (Bits{0x4B800001}));
  EXPECT_EQ(bits_of(cast<float>(std::vector<std::int64_t>{(1LL << 62) + (1LL << 38) + 1},
                                RoundMode::rint)),
            (Bits{0x5E800001}));
  EXPECT_EQ(bits_of(cast<Float16>(std::vector<std::int16_t>{2049, 2051, -2049}, RoundMode::rint)),
            (Bits{0x6800, 0x6802, 0xE800}));
}

TEST(CastValues, BetweenTheHalves) {
  EXPECT_EQ(
      bits_of(cast<Bfloat16>(halves({0x3C01, 0x3C08, 0x0001, 0x7C00, 0xFE01}), RoundMode::rint)),
      (Bits{0x3F80, 0x3F81, 0x3380, 0x7F80, kNanBhalf}));
  EXPECT_EQ(bits_of(cast<Bfloat16>(halves({0x3C01, 0x3C0C}), RoundMode::rint)),
            (Bits{0x3F80, 0x3F82}));
  EXPECT_EQ(bits_of(cast<Float16>(bhalves({0x4780, 0x3380, 0x3300, 0x7FFF}), RoundMode::rint)),
            (Bits{0x7C00, 0x0001, 0x0000, kNanHalf}));
}

TEST(CastValues, WideningMakesNanCanonicalAndEqualDtypesCopyBits) {
  EXPECT_EQ(bits_of(cast<float>(halves({0xFD55, 0x8001}), RoundMode::no_round)),
            (Bits{kNanFloat, 0xB3800000}));
  const std::vector<float> x{1.5F, std::bit_cast<float>(0xFFC12345U)};
  EXPECT_EQ(bits_of(cast<float>(x, RoundMode::floor)), bits_of(x));
}

// Fast loops against the exact scalar path over patterns of every exponent.
TEST(CastValues, FastPathsEqualTheExactPath) {
  std::vector<float> x;
  for (std::uint64_t pattern = 0; pattern < (1ULL << 32); pattern += 65003) {
    x.push_back(std::bit_cast<float>(static_cast<std::uint32_t>(pattern)));
  }
  const auto ints = cast<std::int32_t>(x, RoundMode::trunc);
  const auto shorts = cast<std::int16_t>(x, RoundMode::trunc);
  for (std::size_t i = 0; i < x.size(); ++i) {
    ASSERT_EQ(ints[i], round_to<std::int32_t>(static_cast<double>(x[i]), RoundMode::trunc)) << x[i];
    ASSERT_EQ(shorts[i], round_to<std::int16_t>(static_cast<double>(x[i]), RoundMode::trunc))
        << x[i];
  }
}

TEST(CastValues, EverySupportedPairRuns) {
  for (const Dtype from : kDtypes) {
    for (const Dtype to : kDtypes) {
      if (!cast_is_supported(from, to)) continue;
      std::uint64_t bytes = 0;
      std::uint64_t result = 0;
      Scalar::from_int(from, -3).store(&bytes);
      eval_cast(Policy{}, RoundMode::default_mode,
                contiguous_view(reinterpret_cast<const std::byte*>(&bytes), from, Shape{}),
                contiguous_view(reinterpret_cast<std::byte*>(&result), to, Shape{}));
      EXPECT_EQ(Scalar::load(to, &result).as_double(), -3)
          << dtype_name(from) << " " << dtype_name(to);
    }
  }
}

}  // namespace
}  // namespace ascemu::refops
