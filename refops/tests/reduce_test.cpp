#include <gtest/gtest.h>

#include "refops/eval.h"
#include "refops/tests/arrays.h"
#include "refops/tests/rounding_oracle.h"

namespace ascemu::refops {
namespace {

// Ascending accumulation by definition: for every kept index all reduced indices in row-major
// order.
template <class T, class Step>
std::vector<T> reduce_naive(const std::vector<T>& x, const Shape& shape, std::uint32_t mask,
                            Step step) {
  std::vector<T> totals;
  std::vector<bool> started;
  for (std::size_t flat = 0; flat < x.size(); ++flat) {
    std::size_t rest = flat;
    std::size_t kept = 0;
    std::size_t scale = 1;
    for (int axis = shape.rank() - 1; axis >= 0; --axis) {
      const auto dim = static_cast<std::size_t>(shape[axis]);
      if (((mask >> axis) & 1U) == 0) {
        kept += rest % dim * scale;
        scale *= dim;
      }
      rest /= dim;
    }
    totals.resize(std::max(totals.size(), kept + 1));
    started.resize(totals.size());
    totals[kept] = started[kept] ? step(totals[kept], x[flat]) : x[flat];
    started[kept] = true;
  }
  return totals;
}

TEST(Reduce, RandomAxesMatchTheNaiveOrder) {
  std::mt19937 random(29);
  for (int round = 0; round < 200; ++round) {
    Shape shape;
    const int rank = 1 + static_cast<int>(random() % 4);
    for (int axis = 0; axis < rank; ++axis) shape.push_back(1 + random() % 6);
    const std::uint32_t mask = random() % (1U << rank);
    std::vector<float> x(static_cast<std::size_t>(shape.count_elems()));
    for (float& value : x) {
      value =
          std::ldexp(static_cast<float>(random() % 2001) - 1000, static_cast<int>(random() % 30));
    }
    const auto add = [](float a, float b) { return a + b; };
    const auto multiply = [](float a, float b) { return a * b; };
    const auto larger = [](float a, float b) { return a > b ? a : b; };
    const auto smaller = [](float a, float b) { return a < b ? a : b; };
    const auto check = [&](OpId op, const std::vector<float>& expected) {
      std::vector<float> out(expected.size());
      eval_reduce(op, Policy{}, mask, view_of(x, shape), view_of(out));
      ASSERT_EQ(bits_of(out), bits_of(expected)) << op_name(op) << shape.to_string() << mask;
    };
    check(OpId::reduce_sum_, reduce_naive(x, shape, mask, add));
    check(OpId::reduce_max_, reduce_naive(x, shape, mask, larger));
    check(OpId::reduce_min_, reduce_naive(x, shape, mask, smaller));
    // Magnitudes near 1, so that 1,296 factors neither overflow nor vanish.
    for (float& value : x) value = 1 + static_cast<float>(random() % 1024) / 65536;
    check(OpId::reduce_prod_, reduce_naive(x, shape, mask, multiply));
  }
}

TEST(Reduce, ReadsStridedViews) {
  const std::vector<std::int32_t> x{1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12};
  ConstView view = view_of(x, {3, 4});
  view.shape = Shape{2, 3};
  view.strides = Strides{2, 4};
  std::vector<std::int32_t> out(2);
  eval_reduce(OpId::reduce_sum_, Policy{}, 0b10, view, view_of(out));
  EXPECT_EQ(out, (std::vector<std::int32_t>{15, 21}));
  eval_reduce(OpId::reduce_max_, Policy{}, 0b10, view, view_of(out, {2, 1}));
  EXPECT_EQ(out, (std::vector<std::int32_t>{9, 11}));
}

TEST(ReduceSum, AscendingOrderIsVisibleInTheBits) {
  const std::vector<float> x{1.0F, 0x1p-24F, 0x1p-24F, 0x1p-24F};
  EXPECT_EQ(eval_reduce_all(OpId::reduce_sum_, Policy{}, view_of(x)).as_double(), 1.0);
  const std::vector<float> reversed{0x1p-24F, 0x1p-24F, 0x1p-24F, 1.0F};
  EXPECT_EQ(eval_reduce_all(OpId::reduce_sum_, Policy{}, view_of(reversed)).as_double(),
            1.0 + 0x1p-22);
}

TEST(ReduceSum, Float16RoundsAtEveryAddition) {
  // 2048 + 1 is a tie that goes to 2048; 65504 + 65504 is an infinity.
  std::vector<Float16> x(4096, Float16::from_bits(0x3C00));
  EXPECT_EQ(eval_reduce_all(OpId::reduce_sum_, Policy{}, view_of(x)).bits, 0x6800U);
  const auto wide = halves({0x7BFF, 0x7BFF, 0xFBFF});
  EXPECT_EQ(eval_reduce_all(OpId::reduce_sum_, Policy{}, view_of(wide)).bits, 0x7C00U);
}

TEST(ReduceSum, IntegersWrapAndZeroKeepsItsSign) {
  const std::vector<std::int32_t> x{2147483647, 1, 5};
  EXPECT_EQ(eval_reduce_all(OpId::reduce_sum_, Policy{}, view_of(x)).as_int(), -2147483643);
  const std::vector<std::int64_t> y{INT64_MAX, 1};
  EXPECT_EQ(eval_reduce_all(OpId::reduce_sum_, Policy{}, view_of(y)).as_int(), INT64_MIN);
  const std::vector<float> zeros{-0.0F, -0.0F};
  EXPECT_EQ(eval_reduce_all(OpId::reduce_sum_, Policy{}, view_of(zeros)).bits, 0x80000000U);
}

TEST(ReduceExtremum, NanAndSignedZero) {
  const std::vector<float> x{1, -NAN, 3};
  EXPECT_EQ(eval_reduce_all(OpId::reduce_max_, Policy{}, view_of(x)).bits, kNanFloat);
  EXPECT_EQ(eval_reduce_all(OpId::reduce_min_, Policy{}, view_of(x)).bits, kNanFloat);
  const std::vector<float> zeros{-0.0F, 0.0F, -0.0F};
  EXPECT_EQ(eval_reduce_all(OpId::reduce_max_, Policy{}, view_of(zeros)).bits, 0U);
  EXPECT_EQ(eval_reduce_all(OpId::reduce_min_, Policy{}, view_of(zeros)).bits, 0x80000000U);
  const std::vector<float> infinite{-INFINITY, -INFINITY};
  EXPECT_EQ(eval_reduce_all(OpId::reduce_max_, Policy{}, view_of(infinite)).bits, 0xFF800000U);
}

TEST(ReduceExtremum, EveryDtype) {
  const std::vector<std::int8_t> bytes{-128, 127, 0};
  EXPECT_EQ(eval_reduce_all(OpId::reduce_max_, Policy{}, view_of(bytes)).as_int(), 127);
  EXPECT_EQ(eval_reduce_all(OpId::reduce_min_, Policy{}, view_of(bytes)).as_int(), -128);
  const auto b = bhalves({0xBF80, 0x4000, 0x3F80});
  EXPECT_EQ(eval_reduce_all(OpId::reduce_max_, Policy{}, view_of(b)).bits, 0x4000U);
  EXPECT_EQ(eval_reduce_all(OpId::reduce_min_, Policy{}, view_of(b)).bits, 0xBF80U);
  const auto h = halves({0xFC00, 0x0001, 0x8001});
  EXPECT_EQ(eval_reduce_all(OpId::reduce_max_, Policy{}, view_of(h)).bits, 0x0001U);
  EXPECT_EQ(eval_reduce_all(OpId::reduce_min_, Policy{}, view_of(h)).bits, 0xFC00U);
}

// Long rows go through the wide path; its result must not depend on where the extremum or the NaN
// lies.
TEST(ReduceExtremum, EveryPositionOfALongRow) {
  for (std::size_t length : {1U, 7U, 8U, 9U, 31U, 64U, 77U}) {
    for (std::size_t at = 0; at < length; ++at) {
      std::vector<float> x(length, 1.0F);
      x[at] = 2.0F;
      ASSERT_EQ(eval_reduce_all(OpId::reduce_max_, Policy{}, view_of(x)).as_double(), 2.0);
      x[at] = -2.0F;
      ASSERT_EQ(eval_reduce_all(OpId::reduce_min_, Policy{}, view_of(x)).as_double(), -2.0);
      x[at] = NAN;
      ASSERT_EQ(eval_reduce_all(OpId::reduce_max_, Policy{}, view_of(x)).bits, kNanFloat);
    }
  }
}

}  // namespace
}  // namespace ascemu::refops
