// softmax and the norms per chip, step by step (contract N13), and in float64 (N19).
#include <gtest/gtest.h>

#include "refops/eval.h"
#include "refops/tests/arrays.h"
#include "refops/tests/mpfr_oracle.h"
#include "refops/tests/sum_policies.h"

namespace ascemu::refops {
namespace {

// The steps of one chip, written out: exp and log by MPFR, sums by orders.h, flushes spelled out.
class ChipSteps {
 public:
  explicit ChipSteps(Chip chip) : is_a5_(chip == Chip::ascend950pr), oracle_({24, 8}) {}

  float sum(const Vector<float>& v) const {
    return is_a5_ ? orders::row_lanes(v, add) : orders::row_blocks(v, add);
  }
  float exp(float x) {
    const float value = evaluate(elementary::Function::exp, is_a5_ ? without_subnormal(x) : x);
    return is_a5_ && is_tiny(value) ? 0.0F : value;
  }
  float log(float x) {
    return evaluate(elementary::Function::log, is_a5_ ? without_subnormal(x) : x);
  }
  float sqrt(float x) const { return std::sqrt(is_a5_ ? without_subnormal(x) : x); }
  float divide(float a, float b) const {
    const float quotient = without_subnormal(a) / without_subnormal(b);
    return is_tiny(quotient) ? 0.0F : quotient;
  }

 private:
  static bool is_tiny(float x) { return x != 0 && std::fabs(x) < 0x1p-126F; }
  static float without_subnormal(float x) { return is_tiny(x) ? std::copysign(0.0F, x) : x; }
  float evaluate(elementary::Function function, float x) {
    return static_cast<float>(oracle_.evaluate(function, x));
  }

  bool is_a5_;
  MpfrOracle oracle_;
};

constexpr Policy kPolicies[] = {kA2, kA3, kA5};

// Each size class of the row sums, with exponents that make orders visible.
constexpr std::size_t kLengths[] = {1, 33, 64, 100, 300, 812};

Vector<float> moderate(std::mt19937& random, std::size_t count) {
  Vector<float> values;
  for (std::size_t i = 0; i < count; ++i) values.push_back(spread_value(random, 5));
  return values;
}

TEST(NormalizeOnChips, Softmax) {
  std::mt19937 random(137);
  for (const Policy& policy : kPolicies) {
    ChipSteps steps(policy.chip);
    for (const std::size_t count : kLengths) {
      auto x = moderate(random, count);
      // Exponentials that are subnormal, and quotients that are.
      if (count > 1) x[0] = -88.5F;
      if (count > 2) x[1] = -86.0F;
      Vector<float> out(count);
      eval_softmax(policy, view_of(x), view_of(out));
      const float top = *std::ranges::max_element(x);
      Vector<float> e;
      for (const float value : x) e.push_back(steps.exp(value - top));
      const float total = steps.sum(e);
      for (std::size_t i = 0; i < count; ++i) {
        ASSERT_EQ(bits_of(out[i]), bits_of(steps.divide(e[i], total))) << count << " at " << i;
      }
    }
  }
}

TEST(NormalizeOnChips, SubnormalSoftmaxResultsAreFlushedAsTheChipDoes) {
  const Vector<float> x{0, -88, -87, 0};
  Vector<float> out(4);
  eval_softmax(kIeee, view_of(x), view_of(out));
  EXPECT_GT(out[1], 0);
  EXPECT_LT(out[1], 0x1p-126F);
  for (const Policy& policy : {kA2, kA5}) {
    eval_softmax(policy, view_of(x), view_of(out));
    EXPECT_EQ(bits_of(out), (Bits{0x3F000000, 0, 0, 0x3F000000}));
  }
}

TEST(NormalizeOnChips, RmsNorm) {
  std::mt19937 random(139);
  for (const Policy& policy : kPolicies) {
    ChipSteps steps(policy.chip);
    for (const std::size_t count : kLengths) {
      const auto x = moderate(random, count);
      const auto gamma = moderate(random, count);
      const Scalar epsilon = Scalar::from_double(Dtype::float32, 1e-5);
      Vector<float> out(count);
      eval_rms_norm(policy, view_of(x), view_of(gamma), epsilon, view_of(out));
      Vector<float> squares;
      for (const float value : x) squares.push_back(value * value);
      const float q = steps.sum(squares) * (1.0F / static_cast<float>(count));
      const float factor = steps.exp(steps.log(q + 1e-5F) * -0.5F);
      for (std::size_t i = 0; i < count; ++i) {
        ASSERT_EQ(bits_of(out[i]), bits_of((factor * x[i]) * gamma[i])) << count << " at " << i;
      }
    }
  }
}

TEST(NormalizeOnChips, LayerNorm) {
  std::mt19937 random(149);
  for (const Policy& policy : kPolicies) {
    ChipSteps steps(policy.chip);
    for (const std::size_t count : kLengths) {
      const auto x = moderate(random, count);
      const auto gamma = moderate(random, count);
      const auto beta = moderate(random, count);
      Vector<float> out(count);
      Vector<float> mean(1);
      Vector<float> spread(1);
      eval_layer_norm(policy, view_of(x), view_of(gamma), view_of(beta),
                      Scalar::from_double(Dtype::float32, 1e-5), count % 2 == 0, view_of(out),
                      view_of(mean), view_of(spread));
      const float share = 1.0F / static_cast<float>(count);
      Vector<float> terms;
      for (const float value : x) terms.push_back(value * share);
      const float center = steps.sum(terms);
      terms.clear();
      for (const float value : x) {
        const float d = value - center;
        const float square = d * d;
        terms.push_back(square * share);
      }
      const float variance = steps.sum(terms);
      const float rstd = steps.divide(1.0F, steps.sqrt(variance + 1e-5F));
      EXPECT_EQ(bits_of(mean[0]), bits_of(center));
      EXPECT_EQ(bits_of(spread[0]), bits_of(count % 2 == 0 ? rstd : variance));
      for (std::size_t i = 0; i < count; ++i) {
        const float d = x[i] - center;
        ASSERT_EQ(bits_of(out[i]), bits_of(d * rstd * gamma[i] + beta[i])) << count << " at " << i;
      }
    }
  }
}

// In ieee the sums ascend, are divided once, and the root is a square root and a division.
TEST(NormalizeInIeee, RootIsTwoOperations) {
  int differences = 0;
  std::mt19937 random(151);
  for (int round = 0; round < 100; ++round) {
    const auto x = moderate(random, 19);
    const Vector<float> ones(19, 1.0F);
    Vector<float> out(19);
    eval_rms_norm(kIeee, view_of(x), view_of(ones), Scalar::from_double(Dtype::float32, 0),
                  view_of(out));
    Vector<float> squares;
    for (const float value : x) squares.push_back(value * value);
    const float q = orders::ascending(squares, add) / 19;
    const float factor = 1 / std::sqrt(q);
    const auto single = static_cast<float>(1 / std::sqrt(static_cast<double>(q)));
    differences += factor == single ? 0 : 1;
    for (std::size_t i = 0; i < 19; ++i) ASSERT_EQ(bits_of(out[i]), bits_of(x[i] * factor));
  }
  EXPECT_GT(differences, 0);
}

TEST(NormalizeOnChips, ResultsTakeTheTargetsNanAndSaturation) {
  const auto x = halves({0x3C00, 0x7E00});
  std::vector<Float16> out(2);
  eval_softmax(kA5, view_of(x), view_of(out));
  EXPECT_EQ(bits_of(out), (Bits{0x7FFF, 0x7FFF}));
  eval_softmax(kA2Saturating, view_of(x), view_of(out));
  EXPECT_EQ(bits_of(out), (Bits{0, 0}));
  // 1 * 65504 * 65504 overflows float16, not float32.
  const auto ones = halves({0x3C00, 0xBC00});
  const std::vector<float> gamma{65504.0F * 2, 65504.0F * 2};
  const Scalar none = Scalar::from_double(Dtype::float16, 0);
  eval_rms_norm(kA2, view_of(ones), view_of(gamma), none, view_of(out));
  EXPECT_EQ(bits_of(out), (Bits{0x7C00, 0xFC00}));
  eval_rms_norm(kA2Saturating, view_of(ones), view_of(gamma), none, view_of(out));
  EXPECT_EQ(bits_of(out), (Bits{0x7BFF, 0xFBFF}));
}

// Every row of a matrix of another dtype goes the same way as a row of its own.
TEST(NormalizeOnChips, RowsOfFloat16AreWidenedAndRoundedOnce) {
  std::mt19937 random(157);
  const auto x = spread_values<Float16>(random, 3 * 70, 6);
  std::vector<Float16> out(x.size());
  Vector<float> wide;
  for (const Float16 value : x) wide.push_back(value.to_float());
  Vector<float> result(x.size());
  for (const Policy& policy : kPolicies) {
    eval_softmax(policy, view_of(x, {3, 70}), view_of(out, {3, 70}));
    eval_softmax(policy, view_of(wide, {3, 70}), view_of(result, {3, 70}));
    for (std::size_t i = 0; i < x.size(); ++i) {
      ASSERT_EQ(out[i].bits, half_oracle().round(result[i], RoundMode::rint));
    }
  }
}

TEST(NormalizeInFloat64, EveryStepIsOneOperationOfFloat64) {
  std::mt19937 random(163);
  std::vector<double> x;
  for (int i = 0; i < 70; ++i) x.push_back(static_cast<double>(spread_value(random, 5)) / 3);
  const std::vector<double> gamma(70, 1.0 / 3);
  std::vector<double> out(70);
  std::vector<double> mean(1);
  std::vector<double> spread(1);
  const Scalar epsilon = Scalar::from_double(Dtype::float64, 1e-5);
  const auto ascending = [](const std::vector<double>& v) {
    return orders::ascending(v, [](double a, double b) { return a + b; });
  };
  eval_rms_norm(kFp64, view_of(x), view_of(gamma), epsilon, view_of(out));
  std::vector<double> squares;
  for (const double value : x) squares.push_back(value * value);
  const double factor = 1 / std::sqrt(ascending(squares) / 70 + 1e-5);
  for (std::size_t i = 0; i < 70; ++i) EXPECT_EQ(out[i], x[i] * factor * gamma[i]);

  eval_layer_norm(kFp64, view_of(x), view_of(gamma), view_of(gamma), epsilon, true, view_of(out),
                  view_of(mean), view_of(spread));
  const double center = ascending(x) / 70;
  squares.clear();
  for (const double value : x) squares.push_back((value - center) * (value - center));
  const double rstd = 1 / std::sqrt(ascending(squares) / 70 + 1e-5);
  EXPECT_EQ(mean[0], center);
  EXPECT_EQ(spread[0], rstd);
  for (std::size_t i = 0; i < 70; ++i) {
    EXPECT_EQ(out[i], (x[i] - center) * rstd * gamma[i] + gamma[i]);
  }

  eval_softmax(kFp64, view_of(x), view_of(out));
  const double top = *std::ranges::max_element(x);
  std::vector<double> e;
  for (const double value : x) e.push_back(elementary::exp(value - top));
  const double total = ascending(e);
  for (std::size_t i = 0; i < 70; ++i) EXPECT_EQ(out[i], e[i] / total);
}

}  // namespace
}  // namespace ascemu::refops
