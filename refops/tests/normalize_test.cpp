#include <gtest/gtest.h>

#include "refops/eval.h"
#include "refops/tests/arrays.h"

namespace ascemu::refops {
namespace {

// Each step of the definitions written out once more, in float32.
float rounded_exp(float x) { return static_cast<float>(std::exp(static_cast<double>(x))); }
float rounded_rsqrt(float x) { return static_cast<float>(1.0 / std::sqrt(static_cast<double>(x))); }

std::vector<float> random_values(std::size_t count) {
  std::mt19937 random(31);
  std::vector<float> values;
  for (std::size_t i = 0; i < count; ++i) {
    values.push_back(static_cast<float>(static_cast<int>(random() % 8001) - 4000) / 1000);
  }
  return values;
}

TEST(Softmax, EveryStepIsRoundedInFloat32) {
  const auto x = random_values(3 * 37);
  std::vector<float> out(x.size());
  eval_softmax(Policy{}, view_of(x, {3, 37}), view_of(out, {3, 37}));
  for (std::size_t row = 0; row < 3; ++row) {
    const float* values = x.data() + row * 37;
    const float top = *std::max_element(values, values + 37);
    float total = 0;
    for (std::size_t i = 0; i < 37; ++i) total += rounded_exp(values[i] - top);
    for (std::size_t i = 0; i < 37; ++i) {
      ASSERT_EQ(bits_of(out[row * 37 + i]), bits_of(rounded_exp(values[i] - top) / total));
    }
  }
}

TEST(Softmax, SpecialRowsAndFloat16) {
  std::vector<float> x{-INFINITY, 0, 0, INFINITY, 1, 2, NAN, 1, 2};
  std::vector<float> out(9);
  eval_softmax(Policy{}, view_of(x, {3, 3}), view_of(out, {3, 3}));
  EXPECT_EQ(bits_of(out), (Bits{0, 0x3F000000, 0x3F000000, kNanFloat, kNanFloat, kNanFloat,
                                kNanFloat, kNanFloat, kNanFloat}));
  const auto h = halves({0x3C00, 0x3C00, 0x3C00});
  std::vector<Float16> half_out(3);
  eval_softmax(Policy{}, view_of(h), view_of(half_out));
  EXPECT_EQ(bits_of(half_out), (Bits{0x3555, 0x3555, 0x3555}));
}

TEST(RmsNorm, EveryStepIsRoundedInFloat32) {
  const auto x = random_values(2 * 19);
  const auto gamma = random_values(19);
  const Scalar epsilon = Scalar::from_double(Dtype::float32, 1e-6);
  std::vector<float> out(x.size());
  eval_rms_norm(Policy{}, view_of(x, {2, 19}), view_of(gamma), epsilon, view_of(out, {2, 19}));
  for (std::size_t row = 0; row < 2; ++row) {
    const float* values = x.data() + row * 19;
    float total = 0;
    for (std::size_t i = 0; i < 19; ++i) total += values[i] * values[i];
    const float factor = rounded_rsqrt(total / 19 + 1e-6F);
    for (std::size_t i = 0; i < 19; ++i) {
      ASSERT_EQ(bits_of(out[row * 19 + i]), bits_of(values[i] * factor * gamma[i]));
    }
  }
}

TEST(RmsNorm, GammaMayHaveAnotherDtypeAndEpsilonIsInTheInputDtype) {
  const auto x = halves({0x3C00, 0xBC00, 0x4000, 0x0000});
  const std::vector<float> gamma{1, 1, 2, 1};
  std::vector<Float16> out(4);
  const Scalar epsilon = Scalar::from_double(Dtype::float16, 1e-8);
  EXPECT_EQ(epsilon.bits, 0U);
  eval_rms_norm(Policy{}, view_of(x), view_of(gamma), epsilon, view_of(out));
  const float factor = rounded_rsqrt(1.5F);
  const std::vector<Float16> expected{Float16::from_float(factor), Float16::from_float(-factor),
                                      Float16::from_float(4 * factor), Float16{}};
  EXPECT_EQ(bits_of(out), bits_of(expected));
}

TEST(LayerNorm, GivesRowsMeansAndSpread) {
  const auto x = random_values(2 * 23);
  const auto gamma = random_values(23);
  const std::vector<float> beta(23, 0.25F);
  const Scalar epsilon = Scalar::from_double(Dtype::float32, 1e-5);
  for (const bool output_rstd : {true, false}) {
    std::vector<float> out(x.size());
    std::vector<float> mean(2);
    std::vector<float> spread(2);
    eval_layer_norm(Policy{}, view_of(x, {2, 23}), view_of(gamma), view_of(beta), epsilon,
                    output_rstd, view_of(out, {2, 23}), view_of(mean), view_of(spread));
    for (std::size_t row = 0; row < 2; ++row) {
      const float* values = x.data() + row * 23;
      float total = 0;
      for (std::size_t i = 0; i < 23; ++i) total += values[i];
      const float center = total / 23;
      float squares = 0;
      for (std::size_t i = 0; i < 23; ++i) squares += (values[i] - center) * (values[i] - center);
      const float variance = squares / 23;
      const float factor = rounded_rsqrt(variance + 1e-5F);
      EXPECT_EQ(bits_of(mean[row]), bits_of(center));
      EXPECT_EQ(bits_of(spread[row]), bits_of(output_rstd ? factor : variance));
      for (std::size_t i = 0; i < 23; ++i) {
        ASSERT_EQ(bits_of(out[row * 23 + i]),
                  bits_of((values[i] - center) * factor * gamma[i] + 0.25F));
      }
    }
  }
}

TEST(LayerNorm, RankOneAndBfloat16) {
  const auto x = bhalves({0x3F80, 0xBF80, 0x4000, 0xC000});
  const auto gamma = bhalves({0x3F80, 0x3F80, 0x3F80, 0x3F80});
  const auto beta = bhalves({0, 0, 0, 0});
  std::vector<Bfloat16> out(4);
  std::vector<float> mean(1);
  std::vector<float> spread(1);
  eval_layer_norm(Policy{}, view_of(x), view_of(gamma), view_of(beta),
                  Scalar::from_double(Dtype::float32, 0), true, view_of(out), view_of(mean),
                  view_of(spread));
  const float factor = rounded_rsqrt(2.5F);
  EXPECT_EQ(mean[0], 0.0F);
  EXPECT_EQ(bits_of(spread[0]), bits_of(factor));
  const std::vector<Bfloat16> expected{Bfloat16::from_float(factor), Bfloat16::from_float(-factor),
                                       Bfloat16::from_float(2 * factor),
                                       Bfloat16::from_float(-2 * factor)};
  EXPECT_EQ(bits_of(out), bits_of(expected));
}

}  // namespace
}  // namespace ascemu::refops
