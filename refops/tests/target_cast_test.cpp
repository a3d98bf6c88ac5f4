// N9 per mode and chip: default modes, the two roundings of int32 to float16, NaN and saturation.
#include <gtest/gtest.h>
#include <mpfr.h>

#include <random>

#include "refops/eval.h"
#include "refops/tests/policies.h"
#include "refops/tests/rounding_oracle.h"

namespace ascemu::refops {
namespace {

template <class To, class From>
std::vector<To> cast(const Policy& policy, const std::vector<From>& x,
                     RoundMode mode = RoundMode::default_mode) {
  std::vector<To> out(x.size());
  eval_cast(policy, mode, view_of(x), view_of(out));
  return out;
}

// The integer rounded once to float32 by MPFR.
float rounded(std::int64_t value, mpfr_rnd_t mode) {
  mpfr_t number;
  mpfr_init2(number, 24);
  mpfr_set_sj(number, value, mode);
  const float result = mpfr_get_flt(number, MPFR_RNDN);
  mpfr_clear(number);
  return result;
}

template <class T>
std::vector<T> telling_integers() {
  std::mt19937_64 generator(17);
  std::vector<T> values{0, std::numeric_limits<T>::min(), std::numeric_limits<T>::max()};
  for (int i = 0; i < 30000; ++i) {
    // Every size, and at every second one a value near a power of two or a tie.
    const int shift = static_cast<int>(generator() % (sizeof(T) * 8 - 1));
    const auto word = static_cast<T>(generator());
    values.push_back(static_cast<T>(word >> shift));
    const T base = static_cast<T>(T{1} << shift);
    values.push_back(static_cast<T>(base + static_cast<T>(generator() % 5) - 2));
    values.push_back(
        static_cast<T>(-base - static_cast<T>(base >> 24) + static_cast<T>(generator() % 5)));
  }
  return values;
}

TEST(TargetCast, AllInt16ToFloat16TruncateByDefaultOnEveryChip) {
  std::vector<std::int16_t> x;
  for (int value = -32768; value <= 32767; ++value) x.push_back(static_cast<std::int16_t>(value));
  const auto nearest = cast<Float16>(kIeee, x);
  int apart = 0;
  for (const Chip chip : kChips) {
    const auto out = cast<Float16>(on(chip), x);
    for (std::size_t i = 0; i < x.size(); ++i) {
      ASSERT_EQ(out[i].bits, half_oracle().round(x[i], RoundMode::trunc)) << x[i];
      ASSERT_EQ(nearest[i].bits, half_oracle().round(x[i], RoundMode::rint)) << x[i];
      apart += out[i].bits != nearest[i].bits ? 1 : 0;
    }
  }
  EXPECT_GT(apart, 50000);
}

template <class T>
void check_int_to_float32() {
  const std::vector<T> x = telling_integers<T>();
  const auto nearest = cast<float>(kIeee, x);
  const auto asked = cast<float>(on(Chip::ascend950pr), x, RoundMode::rint);
  for (const Chip chip : kChips) {
    const auto out = cast<float>(on(chip), x);
    for (std::size_t i = 0; i < x.size(); ++i) {
      ASSERT_EQ(bits_of(out[i]), bits_of(rounded(x[i], MPFR_RNDZ))) << x[i];
      ASSERT_EQ(bits_of(nearest[i]), bits_of(rounded(x[i], MPFR_RNDN))) << x[i];
      ASSERT_EQ(bits_of(asked[i]), bits_of(nearest[i])) << x[i];
    }
  }
}

TEST(TargetCast, WideIntegersToFloat32TruncateByDefaultOnEveryChip) {
  check_int_to_float32<std::int32_t>();
  check_int_to_float32<std::int64_t>();
}

// Below float16's overflow float32 holds every integer, so that one rounding and two are the same;
// what is left of N9.3 is that a chip ignores the mode.
TEST(TargetCast, Int32ToFloat16TakesNoModeOnAChip) {
  std::vector<std::int32_t> x = telling_integers<std::int32_t>();
  for (int value = -140000; value <= 140000; value += 7) x.push_back(value);
  const auto once = cast<Float16>(kIeee, x);
  for (const Chip chip : kChips) {
    const auto out = cast<Float16>(on(chip), x);
    for (const RoundMode mode : {RoundMode::floor, RoundMode::ceil, RoundMode::trunc}) {
      ASSERT_EQ(bits_of(cast<Float16>(on(chip), x, mode)), bits_of(out)) << round_mode_name(mode);
      ASSERT_NE(bits_of(cast<Float16>(kIeee, x, mode)), bits_of(out)) << round_mode_name(mode);
    }
    for (std::size_t i = 0; i < x.size(); ++i) {
      const auto first = static_cast<long double>(rounded(x[i], MPFR_RNDN));
      ASSERT_EQ(out[i].bits, half_oracle().round(first, RoundMode::rint)) << x[i];
      ASSERT_EQ(once[i].bits, half_oracle().round(x[i], RoundMode::rint)) << x[i];
    }
  }
}

TEST(TargetCast, ExplicitModesAreThoseOfIeee) {
  std::vector<float> x;
  for (std::uint64_t pattern = 0; pattern < (1ULL << 32); pattern += 65003) {
    const auto number = std::bit_cast<float>(static_cast<std::uint32_t>(pattern));
    if (number == number) x.push_back(number);
  }
  for (const RoundMode mode : kAllModes) {
    for (const Chip chip : kChips) {
      EXPECT_EQ(bits_of(cast<Float16>(on(chip), x, mode)), bits_of(cast<Float16>(kIeee, x, mode)));
      EXPECT_EQ(bits_of(cast<Bfloat16>(on(chip), x, mode)),
                bits_of(cast<Bfloat16>(kIeee, x, mode)));
      EXPECT_EQ(bits_of(cast<std::int16_t>(on(chip), x, mode)),
                bits_of(cast<std::int16_t>(kIeee, x, mode)));
    }
  }
  const std::vector<float> recorded{1.01953125F};
  EXPECT_EQ(bits_of(cast<Bfloat16>(on(Chip::ascend910b), recorded, RoundMode::rint)),
            bits_of(std::vector<Bfloat16>{Bfloat16::from_float(1.015625F)}));
}

TEST(TargetCast, NanBetweenFloatsIsTheOneOfTheMode) {
  const auto half_nans = halves({0x7E00, 0xFC01, 0x7FFF});
  const auto brain_nans = bhalves({0x7FC0, 0xFF81});
  const std::vector<float> nans{std::bit_cast<float>(0xFFC12345U)};
  for (const Chip chip : kChips) {
    EXPECT_EQ(bits_of(cast<float>(on(chip), half_nans)), Bits(3, 0x7FFFFFFF));
    EXPECT_EQ(bits_of(cast<Bfloat16>(on(chip), half_nans)), Bits(3, 0x7FFF));
    EXPECT_EQ(bits_of(cast<Float16>(on(chip), brain_nans)), Bits(2, 0x7FFF));
    for (const RoundMode mode : kAllModes) {
      EXPECT_EQ(bits_of(cast<Float16>(on(chip), nans, mode)), (Bits{0x7FFF}));
    }
    EXPECT_EQ(cast<std::int32_t>(on(chip), nans), (std::vector<std::int32_t>{0}));
    EXPECT_EQ(bits_of(cast<float>(on(chip), nans)), bits_of(nans));
  }
}

TEST(TargetCast, SaturationReplacesInfinityAndNanOfHalves) {
  const Policy clamps = on(Chip::ascend910b, true);
  const std::vector<float> x{1e30F, -INFINITY, NAN, 65519.0F};
  EXPECT_EQ(bits_of(cast<Float16>(clamps, x)), (Bits{0x7BFF, 0xFBFF, 0, 0x7BFF}));
  EXPECT_EQ(bits_of(cast<Float16>(clamps, x, RoundMode::ceil)), (Bits{0x7BFF, 0xFBFF, 0, 0x7BFF}));
  EXPECT_EQ(bits_of(cast<Bfloat16>(clamps, std::vector<float>{INFINITY, NAN})), (Bits{0x7F7F, 0}));
  EXPECT_EQ(bits_of(cast<Float16>(clamps, std::vector<std::int32_t>{70000, -70000})),
            (Bits{0x7BFF, 0xFBFF}));
  EXPECT_EQ(bits_of(cast<float>(clamps, halves({0x7C00, 0x7E00}))), (Bits{0x7F800000, 0x7FFFFFFF}));
  EXPECT_EQ(bits_of(cast<Float16>(on(Chip::ascend950pr), x)),
            (Bits{0x7C00, 0xFC00, 0x7FFF, 0x7BFF}));
  EXPECT_EQ(bits_of(cast<Float16>(clamps, halves({0x7C00, 0xFE01}))), (Bits{0x7C00, 0xFE01}));
}

}  // namespace
}  // namespace ascemu::refops
