#include <gtest/gtest.h>

#include "refops/elementary/elementary.h"
#include "refops/eval.h"
#include "refops/tests/composed_oracle.h"
#include "refops/tests/elementary_inputs.h"
#include "refops/tests/policies.h"
#include "refops/tests/rounding_oracle.h"

namespace ascemu::refops {
namespace {

using composed_oracle::Row;

// N5 once more: A5 flushes the functions, every chip flushes div.
Flushes flushes_of(Chip chip) { return {chip == Chip::ascend950pr, true}; }

std::uint64_t float_bits(double value) {
  return value != value ? 0x7FFFFFFF : bits_of(static_cast<float>(value));
}

std::uint64_t half_bits(double value, RoundMode mode) {
  if (value != value) return 0x7FFF;
  return half_oracle().round(static_cast<long double>(value), mode);
}

class Composed : public testing::TestWithParam<Row> {};

std::string name_of(const testing::TestParamInfo<Row>& info) {
  return std::string(op_name(info.param.op));
}

TEST_P(Composed, Float32FollowsItsStepsOnEveryChip) {
  std::vector<float> x = boundary_floats();
  for (const float number : random_floats(60000, 20260)) x.push_back(number);
  ASSERT_GE(x.size(), 100000U);
  for (const Chip chip : {Chip::ascend910b, Chip::ascend950pr}) {
    StepOracle oracle(kFloat32Format, flushes_of(chip));
    std::vector<float> out(x.size());
    eval_unary(GetParam().op, on(chip), view_of(x), view_of(out));
    int wrong = 0;
    for (std::size_t i = 0; i < x.size(); ++i) {
      const std::uint64_t expected =
          float_bits(GetParam().steps(oracle, static_cast<double>(x[i])));
      if (bits_of(out[i]) == expected) continue;
      if (wrong++ < 5) {
        ADD_FAILURE() << std::hex << "x " << bits_of(x[i]) << " gives " << bits_of(out[i])
                      << ", expected " << expected;
      }
    }
    EXPECT_EQ(wrong, 0);
    std::vector<float> elsewhere(x.size());
    if (chip == Chip::ascend910b) {
      eval_unary(GetParam().op, on(Chip::ascend910_93), view_of(x), view_of(elsewhere));
      EXPECT_EQ(bits_of(elsewhere), bits_of(out));
    }
  }
}

TEST_P(Composed, AllOfFloat16FollowsItsStepsOnEveryChip) {
  const std::vector<Float16> x = all_halves();
  for (const Chip chip : kChips) {
    const FloatFormat format = GetParam().in_dtype ? kFloat16Format : kFloat32Format;
    const bool away = GetParam().op == OpId::erf_ && chip != Chip::ascend950pr;
    StepOracle oracle(format, flushes_of(chip));
    std::vector<Float16> out(x.size());
    eval_unary(GetParam().op, on(chip), view_of(x), view_of(out));
    int wrong = 0;
    for (std::size_t i = 0; i < x.size(); ++i) {
      const double value = GetParam().steps(oracle, static_cast<double>(x[i].to_float()));
      const std::uint64_t expected = half_bits(value, away ? RoundMode::round : RoundMode::rint);
      if (bits_of(out[i]) == expected) continue;
      if (wrong++ < 5) {
        ADD_FAILURE() << std::hex << "x " << bits_of(x[i]) << " gives " << bits_of(out[i])
                      << ", expected " << expected;
      }
    }
    EXPECT_EQ(wrong, 0);
  }
}

INSTANTIATE_TEST_SUITE_P(N11, Composed, testing::ValuesIn(composed_oracle::kRows), name_of);

template <class T>
std::vector<T> pow_on(Chip chip, const std::vector<T>& x, const std::vector<T>& y) {
  std::vector<T> out(x.size());
  eval_binary(OpId::pow_, on(chip), view_of(x), view_of(y), view_of(out));
  return out;
}

std::vector<double> telling_numbers() {
  std::vector<double> numbers{0,    1,        2,   3,        4,        0.5, 1.5, 2.5,
                              1e-3, INFINITY, 7.5, 0x1p-149, 0x1p-127, 20,  31,  0x1p-14};
  const std::size_t count = numbers.size();
  for (std::size_t i = 0; i < count; ++i) numbers.push_back(-numbers[i]);
  numbers.push_back(NAN);
  return numbers;
}

TEST(ComposedPow, Float32FollowsItsSteps) {
  std::vector<float> x = random_floats(100000, 31);
  std::vector<float> y = random_floats(100000, 57);
  for (std::size_t i = 0; i < x.size(); i += 2) {
    x[i] = std::fabs(x[i]);
    y[i] = std::remainder(y[i], 32.0F);
  }
  for (std::size_t i = 1; i < y.size(); i += 4) y[i] = std::trunc(std::remainder(y[i], 40.0F));
  for (const double base : telling_numbers()) {
    for (const double exponent : telling_numbers()) {
      x.push_back(static_cast<float>(base));
      y.push_back(static_cast<float>(exponent));
    }
  }
  x.push_back(-2);
  y.push_back(0x1.000002p24F);
  x.push_back(-0x1.000002p0F);
  y.push_back(0x1.FFFFFEp23F);
  for (const Chip chip : {Chip::ascend910b, Chip::ascend950pr}) {
    StepOracle oracle(kFloat32Format, flushes_of(chip));
    const std::vector<float> out = pow_on(chip, x, y);
    for (std::size_t i = 0; i < x.size(); ++i) {
      const double value =
          composed_oracle::pow(oracle, static_cast<double>(x[i]), static_cast<double>(y[i]));
      ASSERT_EQ(bits_of(out[i]), float_bits(value)) << x[i] << " to " << y[i];
    }
  }
}

TEST(ComposedPow, Float16RunsInFloat32) {
  std::vector<Float16> x;
  std::vector<Float16> y;
  for (int pattern = 0; pattern <= 0xFFFF; ++pattern) {
    x.push_back(Float16::from_bits(static_cast<std::uint16_t>(pattern)));
    y.push_back(Float16::from_bits(static_cast<std::uint16_t>(pattern * 40503U)));
  }
  for (const double base : telling_numbers()) {
    for (const double exponent : telling_numbers()) {
      x.push_back(Float16::from_float(static_cast<float>(base)));
      y.push_back(Float16::from_float(static_cast<float>(exponent)));
    }
  }
  for (const Chip chip : {Chip::ascend910b, Chip::ascend950pr}) {
    StepOracle oracle(kFloat32Format, flushes_of(chip));
    const std::vector<Float16> out = pow_on(chip, x, y);
    for (std::size_t i = 0; i < x.size(); ++i) {
      const double value = composed_oracle::pow(oracle, static_cast<double>(x[i].to_float()),
                                                static_cast<double>(y[i].to_float()));
      ASSERT_EQ(bits_of(out[i]), half_bits(value, RoundMode::rint))
          << x[i].to_float() << " to " << y[i].to_float();
    }
  }
}

TEST(ComposedPow, OperandsMayBroadcastAndTheResultMayBeAnOperand) {
  std::vector<float> base(2000, 2);
  const std::vector<float> exponent{3};
  eval_binary(OpId::pow_, on(Chip::ascend950pr), view_of(base), view_of(exponent, Shape{}),
              view_of(base));
  StepOracle oracle(kFloat32Format, flushes_of(Chip::ascend950pr));
  EXPECT_EQ(bits_of(base), Bits(2000, float_bits(composed_oracle::pow(oracle, 2, 3))));
}

// A device's reciprocal root is two operations; the recorded value is the correctly rounded one.
TEST(ComposedRsqrt, RoundsTwiceWhereIeeeRoundsOnce) {
  const std::vector<float> x{std::bit_cast<float>(0x3B99BBDEU)};
  std::vector<float> out(1);
  eval_unary(OpId::rsqrt_, on(Chip::ascend950pr), view_of(x), view_of(out));
  EXPECT_EQ(bits_of(out), (Bits{0x416997DB}));
  eval_unary(OpId::rsqrt_, Policy{}, view_of(x), view_of(out));
  EXPECT_EQ(bits_of(out), (Bits{0x416997DC}));
}

// The steps that have several instruction sets return the same bits in all of them.
TEST(ComposedVariants, EveryVectorLevelGivesTheSameBits) {
  using elementary::VectorLevel;
  const VectorLevel before = elementary::current_vector_level();
  const std::vector<float> x = random_floats(5000, 77);
  const std::vector<float> y = random_floats(5000, 78);
  const Policy policy = on(Chip::ascend950pr);
  std::vector<float> out(x.size());
  const auto run = [&](VectorLevel level, OpId op) {
    elementary::force_vector_level(level);
    if (op == OpId::pow_) {
      eval_binary(op, policy, view_of(x), view_of(y), view_of(out));
    } else {
      eval_unary(op, policy, view_of(x), view_of(out));
    }
    return bits_of(out);
  };
  for (const OpId op : {OpId::exp_, OpId::log_, OpId::exp2_, OpId::log2_, OpId::rsqrt_, OpId::tanh_,
                        OpId::sinh_, OpId::cosh_, OpId::pow_}) {
    const Bits expected = run(VectorLevel::baseline, op);
    for (const VectorLevel level : {VectorLevel::sse42, VectorLevel::avx2, VectorLevel::avx512}) {
      if (!elementary::vector_level_is_available(level)) continue;
      EXPECT_EQ(run(level, op), expected) << op_name(op) << " " << static_cast<int>(level);
    }
  }
  elementary::force_vector_level(before);
}

// N4: float16 results saturate, and where a clause says "in the dtype" every step does.
TEST(ComposedSaturation, ClampsTheResultsOfFloat16) {
  const Policy policy = on(Chip::ascend910b, true);
  const auto run = [&](OpId op, int pattern) {
    const auto x = halves({pattern});
    std::vector<Float16> out(1);
    eval_unary(op, policy, view_of(x), view_of(out));
    return bits_of(out[0]);
  };
  EXPECT_EQ(run(OpId::cosh_, 0x4E00), 0x7BFFU);   // cosh(24)
  EXPECT_EQ(run(OpId::sinh_, 0xCE00), 0xFBFFU);   // sinh(-24)
  EXPECT_EQ(run(OpId::log2_, 0x0000), 0xFBFFU);   // log2(0)
  EXPECT_EQ(run(OpId::tanh_, 0x7E00), 0x0000U);   // a NaN is +0
  EXPECT_EQ(run(OpId::exp2_, 0x4C00), 0x7BFFU);   // 2^16
  EXPECT_EQ(run(OpId::exp2_, 0x7E00), 0x3C00U);   // NaN * ln 2 is +0, whose exp is 1
  EXPECT_EQ(run(OpId::rsqrt_, 0x8000), 0xFBFFU);  // 1 / -0
  EXPECT_EQ(run(OpId::rsqrt_, 0xBC00), 0x7BFFU);  // sqrt(-1) is +0
}

}  // namespace
}  // namespace ascemu::refops
