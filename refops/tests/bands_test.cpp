#include "refops/target/bands.h"

#include <gtest/gtest.h>

#include <random>
#include <set>
#include <stdexcept>
#include <tuple>

#include "refops/eval.h"
#include "refops/round_to.h"
#include "refops/tests/policies.h"

namespace ascemu::refops {
namespace {

Scalar f32(double value) { return Scalar::from_double(Dtype::float32, value); }
Scalar f16(double value) { return Scalar::from_double(Dtype::float16, value); }
Scalar stepped(const Scalar& value, int steps) {
  return {value.dtype, value.bits + static_cast<std::uint64_t>(static_cast<std::int64_t>(steps))};
}

const BandRow& band(Chip chip, std::string_view instruction, Dtype dtype) {
  const BandRow* row = find_band(chip, instruction, dtype);
  EXPECT_NE(row, nullptr) << instruction;
  return *row;
}

bool divides_to(Chip chip, const Scalar& a, const Scalar& b, const Scalar& result) {
  const std::array<Scalar, 2> operands{a, b};
  return within_band(band(chip, "div", a.dtype), operands, result);
}

bool gives(Chip chip, std::string_view instruction, const Scalar& x, const Scalar& result) {
  return within_band(band(chip, instruction, x.dtype), {&x, 1}, result);
}

TEST(Bands, EveryChipInstructionAndDtypeHasOneRow) {
  std::set<std::tuple<Chip, std::string_view, Dtype>> keys;
  for (const BandRow& row : band_table()) {
    keys.insert({row.chip, row.instruction, row.dtype});
    EXPECT_EQ(row.model == BandModel::unknown, row.certainty == Certainty::unknown);
    EXPECT_EQ(row.model == BandModel::relative, row.low < 0 && row.high > 0);
    EXPECT_FALSE(row.source.empty());
  }
  EXPECT_EQ(keys.size(), band_table().size());
  EXPECT_EQ(keys.size(), 3U * 6U * 2U);
  EXPECT_EQ(find_band(Chip::ascend910b, "tanh", Dtype::float32), nullptr);
  EXPECT_EQ(band_model_name(BandModel::relative), "relative");
  EXPECT_EQ(certainty_name(Certainty::decision), "decision");
}

// The recorded scan: numerators 1 and 1.5, divisors 1 + k / 256.
TEST(Bands, HoldTheRecordedQuotientsOfA2) {
  const std::pair<double, std::set<int>> low[] = {{1.0, {8, 10, 78, 124}},
                                                  {1.5, {8, 29, 46, 91, 102, 104, 108, 122, 140}}};
  for (const auto& [numerator, below] : low) {
    int upward = 0;
    int downward = 0;
    for (int k = 0; k < 256; ++k) {
      const Scalar a = f32(numerator);
      const Scalar b = f32(1 + k / 256.0);
      const Scalar nearest = f32(numerator / (1 + k / 256.0));
      const int off = below.contains(k) ? -1 : (numerator == 1.0 && k == 232 ? 1 : 0);
      EXPECT_TRUE(divides_to(Chip::ascend910b, a, b, nearest)) << numerator << " " << k;
      EXPECT_TRUE(divides_to(Chip::ascend910b, a, b, stepped(nearest, off)))
          << numerator << " " << k;
      EXPECT_FALSE(divides_to(Chip::ascend910b, a, b, stepped(nearest, 2)));
      EXPECT_FALSE(divides_to(Chip::ascend910b, a, b, stepped(nearest, -2)));
      upward += divides_to(Chip::ascend910b, a, b, stepped(nearest, 1)) ? 1 : 0;
      downward += divides_to(Chip::ascend910b, a, b, stepped(nearest, -1)) ? 1 : 0;
    }
    // The interval is short: it reaches past a tie for some divisors, more often downward.
    EXPECT_GT(upward, 0);
    EXPECT_GT(downward, upward);
    EXPECT_LT(downward, 100);
  }
}

TEST(Bands, AreThoseOfTheMagnitude) {
  const Scalar nearest = f32(-1.0 / (1 + 8 / 256.0));
  EXPECT_TRUE(divides_to(Chip::ascend910_93, f32(-1), f32(1 + 8 / 256.0), nearest));
  EXPECT_TRUE(divides_to(Chip::ascend910_93, f32(-1), f32(1 + 8 / 256.0), stepped(nearest, -1)));
  EXPECT_FALSE(divides_to(Chip::ascend910_93, f32(-1), f32(1 + 8 / 256.0), stepped(nearest, 1)));
}

TEST(Bands, RelativeOnesEndAtTheirBound) {
  const Scalar one = f32(1);
  const double e = 2.718281828459045;
  EXPECT_TRUE(gives(Chip::ascend910b, "exp", one, f32(e)));
  EXPECT_TRUE(gives(Chip::ascend910b, "exp", one, f32(e * (1 + 2.3e-7))));
  EXPECT_TRUE(gives(Chip::ascend910b, "exp", one, f32(e * (1 - 2.3e-7))));
  EXPECT_FALSE(gives(Chip::ascend910b, "exp", one, f32(e * (1 + 4e-7))));
  EXPECT_FALSE(gives(Chip::ascend910b, "exp", one, f32(e * (1 - 4e-7))));
  EXPECT_TRUE(gives(Chip::ascend910b, "vrsqrt", f32(4), f32(0.5 * (1 + 0.00287))));
  EXPECT_FALSE(gives(Chip::ascend910b, "vrsqrt", f32(4), f32(0.5 * (1 + 0.0032))));
  const std::pair<double, double> samples[] = {
      {0.8335, 1.094}, {2.2, 0.676}, {2.672, 0.6113}, {2.312, 0.6562}, {5.36, 0.4316}};
  for (const auto& [x, root] : samples) {
    EXPECT_TRUE(gives(Chip::ascend910b, "vrsqrt", f16(x), f16(root))) << x;
    EXPECT_FALSE(gives(Chip::ascend910b, "vrsqrt", f16(x), f16(root * 1.01))) << x;
  }
}

TEST(Bands, StepsCountNumbersOfTheDtype) {
  EXPECT_TRUE(gives(Chip::ascend910b, "sqrt", f16(1), f16(0.99951171875)));
  EXPECT_TRUE(gives(Chip::ascend910b, "sqrt", f16(1), f16(1)));
  EXPECT_FALSE(gives(Chip::ascend910b, "sqrt", f16(1), stepped(f16(1), -2)));
  EXPECT_TRUE(gives(Chip::ascend950pr, "log", f32(2), stepped(f32(0.6931471805599453), 1)));
  EXPECT_FALSE(gives(Chip::ascend950pr, "log", f32(2), stepped(f32(0.6931471805599453), 2)));
  EXPECT_TRUE(gives(Chip::ascend950pr, "vrec", f32(3), stepped(f32(1.0 / 3), -1)));
  EXPECT_TRUE(gives(Chip::ascend910b, "log", f32(2), f32(17)));
}

TEST(Bands, SpecialValuesHaveNoBand) {
  constexpr Chip kA5 = Chip::ascend950pr;
  const Scalar inf = f32(INFINITY);
  EXPECT_TRUE(divides_to(kA5, f32(1), f32(-0.0), f32(-INFINITY)));
  EXPECT_FALSE(divides_to(kA5, f32(1), f32(-0.0), inf));
  EXPECT_TRUE(divides_to(kA5, f32(0), f32(0), {Dtype::float32, 0xFFC12345}));
  EXPECT_FALSE(divides_to(kA5, f32(0), f32(0), f32(0)));
  EXPECT_FALSE(divides_to(kA5, f32(1), f32(3), {Dtype::float32, 0x7FFFFFFF}));
  EXPECT_TRUE(gives(kA5, "log", f32(1), f32(0)));
  EXPECT_FALSE(gives(kA5, "log", f32(1), f32(-0.0)));
  EXPECT_TRUE(gives(kA5, "exp", f32(1000), inf));
  EXPECT_FALSE(gives(kA5, "exp", f32(1000), f32(3.4028234e38)));
  EXPECT_TRUE(gives(kA5, "exp", f32(89), inf));
  EXPECT_THROW(gives(kA5, "div", f32(1), f32(1)), std::logic_error);
}

TEST(Bands, FollowTheFlushOfTheChip) {
  const Scalar tiny = {Dtype::float32, 0x0053E3CF};
  EXPECT_TRUE(divides_to(Chip::ascend950pr, {Dtype::float32, 0x0014440B}, tiny, f32(NAN)));
  EXPECT_FALSE(divides_to(Chip::ascend950pr, {Dtype::float32, 0x0014440B}, tiny,
                          {Dtype::float32, 0x3E775FBC}));
  const Scalar small = f32(0x1p-126);
  EXPECT_TRUE(divides_to(Chip::ascend910b, small, f32(2), f32(0)));
  EXPECT_FALSE(divides_to(Chip::ascend910b, small, f32(2), f32(0x1p-127)));
  EXPECT_FALSE(divides_to(Chip::ascend910b, small, f32(2), f32(-0.0)));
  EXPECT_TRUE(divides_to(Chip::ascend910b, f32(-1e-30), f32(1e30), f32(-0.0)));
  EXPECT_FALSE(gives(Chip::ascend910b, "exp", f32(-200), f32(-0.0)));
  EXPECT_TRUE(gives(Chip::ascend910b, "exp", f32(-200), f32(0)));
  EXPECT_TRUE(gives(Chip::ascend910b, "exp", f32(-88), Scalar{Dtype::float32, 0x0041EDC4}));
  EXPECT_TRUE(gives(Chip::ascend950pr, "exp", f32(-88), f32(0)));
  EXPECT_FALSE(gives(Chip::ascend950pr, "exp", f32(-88), Scalar{Dtype::float32, 0x0041EDC4}));
}

// What ascemu itself returns in the mode npu lies in every known band.
template <class T>
void check_own_results(Chip chip) {
  std::mt19937 generator(29);
  std::vector<T> x;
  std::vector<T> y;
  for (int i = 0; i < 4000; ++i) {
    const auto word = static_cast<std::uint32_t>(generator());
    const auto other = static_cast<std::uint32_t>(generator());
    x.push_back(float_from_pattern<T>(word & (sizeof(T) == 4 ? ~0U : 0xFFFFU)));
    y.push_back(float_from_pattern<T>(other & (sizeof(T) == 4 ? ~0U : 0xFFFFU)));
  }
  const Policy policy = on(chip);
  const auto scalar = [](T value) { return Scalar::load(kDtypeOf<T>, &value); };
  std::vector<T> out(x.size());
  eval_binary(OpId::div_, policy, view_of(x), view_of(y), view_of(out));
  for (std::size_t i = 0; i < x.size(); ++i) {
    ASSERT_TRUE(divides_to(chip, scalar(x[i]), scalar(y[i]), scalar(out[i])))
        << chip_name(chip) << " " << widen(x[i]) << " / " << widen(y[i]);
  }
  for (const OpId op : {OpId::exp_, OpId::log_, OpId::sqrt_}) {
    eval_unary(op, policy, view_of(x), view_of(out));
    for (std::size_t i = 0; i < x.size(); ++i) {
      ASSERT_TRUE(gives(chip, op_name(op), scalar(x[i]), scalar(out[i])))
          << chip_name(chip) << " " << op_name(op) << " " << widen(x[i]);
    }
  }
}

TEST(Bands, ContainTheResultsOfTheModeNpu) {
  for (const Chip chip : kChips) {
    check_own_results<float>(chip);
    check_own_results<Float16>(chip);
  }
}

}  // namespace
}  // namespace ascemu::refops
