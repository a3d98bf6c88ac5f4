// Proves by behaviour that no build option lets the compiler change float results (architecture,
// decision 1).
#include <gtest/gtest.h>

#include "refops/eval.h"
#include "refops/scalar_ops.h"
#include "refops/tests/arrays.h"

namespace ascemu::refops {
namespace {

constexpr float kFactor =
    1.0F + 0x1p-12F;  // kFactor^2 needs 25 bits: a fused multiply-add would keep the last one

TEST(FloatEnvironment, MatmulDoesNotFuseMultiplyAndAdd) {
  std::vector<float> a{kFactor};
  std::vector<float> b{kFactor};
  std::vector<float> acc{-1.0F - 0x1p-11F};
  eval_matmul_acc(Policy{}, false, view_of(a, {1, 1}), view_of(b, {1, 1}), view_of(acc, {1, 1}));
  EXPECT_EQ(bits_of(acc[0]), bits_of(0.0F));
}

TEST(FloatEnvironment, PlainExpressionsDoNotFuse) {
  volatile float a = kFactor;
  volatile float c = -1.0F - 0x1p-11F;
  const float x = a;
  const float z = c;
  EXPECT_EQ(x * x + z, 0.0F);
}

TEST(FloatEnvironment, NanIsNotAssumedAway) {
  std::vector<float> x{NAN, 1};
  std::vector<Int1> out(2);
  eval_compare(OpId::not_equal_, Policy{}, view_of(x), view_of(x), view_of(out));
  EXPECT_EQ(bits_of(out), (Bits{1, 0}));
}

TEST(FloatEnvironment, SignedZeroAndInfinityAreKept) {
  std::vector<float> x{-0.0F, 0.0F};
  std::vector<float> zero{0.0F};
  std::vector<float> out(2);
  eval_binary(OpId::mul_, Policy{}, view_of(x), view_of(zero, Shape{}), view_of(out));
  EXPECT_EQ(bits_of(out), (Bits{0x80000000, 0}));
  std::vector<float> one{1.0F};
  eval_binary(OpId::div_, Policy{}, view_of(one, Shape{}), view_of(x), view_of(out));
  EXPECT_EQ(bits_of(out), (Bits{0xFF800000, 0x7F800000}));
}

TEST(FloatEnvironment, SumsAreNotReassociated) {
  std::vector<float> x{1e8F, 1.0F, -1e8F, 1.0F};
  EXPECT_EQ(eval_reduce_all(OpId::reduce_sum_, Policy{}, view_of(x)).as_double(), 1.0);
}

TEST(FloatEnvironment, DivisionIsNotReciprocalMultiplication) {
  std::vector<float> x(64, 5.0F);
  std::vector<float> y{41.0F};
  std::vector<float> out(64);
  eval_binary(OpId::div_, Policy{}, view_of(x), view_of(y, Shape{}), view_of(out));
  volatile float reciprocal = 1.0F / 41.0F;
  EXPECT_NE(bits_of(5.0F * reciprocal), bits_of(out[0]));
  for (const float value : out) EXPECT_EQ(bits_of(value), bits_of(static_cast<float>(5.0 / 41.0)));
}

TEST(FloatEnvironment, SubnormalsAreKept) {
  std::vector<float> x(8, 0x1p-140F);
  std::vector<float> out(8);
  eval_binary(OpId::add_, Policy{}, view_of(x), view_of(x), view_of(out));
  for (const float value : out) EXPECT_EQ(value, 0x1p-139F);
}

TEST(FloatEnvironment, ScalarHalvesRoundAfterEachOperation) {
  const Scalar big = Scalar::from_double(Dtype::float16, 2048);
  const Scalar one = Scalar::from_double(Dtype::float16, 1);
  const Scalar sum = eval_scalar_binary(ScalarOp::add, big, one);
  EXPECT_EQ(eval_scalar_binary(ScalarOp::add, sum, one).as_double(), 2048);
}

}  // namespace
}  // namespace ascemu::refops
