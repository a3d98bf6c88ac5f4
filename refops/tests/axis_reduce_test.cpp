// Several axes, strides, products, NaN and float64 of reductions over axes (contract N12.4 to
// N12.6, N19).
#include <gtest/gtest.h>

#include "refops/eval.h"
#include "refops/tests/arrays.h"
#include "refops/tests/sum_policies.h"

namespace ascemu::refops {
namespace {

TEST(SumOrder, MissingLanesOfAnAxisArePlusZero) {
  for (const Policy& policy : {kA2, kA5}) {
    for (const std::size_t full : {8U, 64U}) {
      const auto sum = [&](std::size_t count) {
        return bits_of(last_axis(OpId::reduce_sum_, policy, Vector<float>(count, -0.0F)));
      };
      EXPECT_EQ(sum(full), 0x80000000U);
      EXPECT_EQ(sum(full - 1), 0U);
    }
  }
}

// N12.4: the innermost requested axis first, each in the order of its place.
TEST(SumOrder, SeveralAxesInnermostFirst) {
  const std::int64_t planes = 5;
  const std::int64_t rows = 7;
  const std::int64_t columns = 11;
  std::mt19937 random(73);
  const auto x = spread_values<float>(random, 5 * 7 * 11, 8);
  const auto at = [&](std::int64_t i, std::int64_t j, std::int64_t k) {
    return x[static_cast<std::size_t>((i * rows + j) * columns + k)];
  };
  const auto identity = [](float value) { return value; };
  const auto last = [](const Policy& policy, const Vector<float>& v) {
    return policy.chip == Chip::ascend910b ? orders::last_axis_pairs(v, 64, add)
                                           : orders::last_axis_halves(v, 64, add);
  };
  for (const Policy& policy : {kA2, kA5}) {
    Vector<float> over_last_two(5);
    eval_reduce(OpId::reduce_sum_, policy, 0b110, view_of(x, {planes, rows, columns}),
                view_of(over_last_two, {planes, 1, 1}));
    for (std::int64_t i = 0; i < planes; ++i) {
      Vector<float> sums;
      for (std::int64_t j = 0; j < rows; ++j) {
        Vector<float> row;
        for (std::int64_t k = 0; k < columns; ++k) row.push_back(at(i, j, k));
        sums.push_back(last(policy, row));
      }
      EXPECT_EQ(bits_of(over_last_two[static_cast<std::size_t>(i)]),
                bits_of(orders::earlier_axis(sums, add, identity)));
    }
    Vector<float> over_first_two(11);
    eval_reduce(OpId::reduce_sum_, policy, 0b011, view_of(x, {planes, rows, columns}),
                view_of(over_first_two, {1, 1, columns}));
    for (std::int64_t k = 0; k < columns; ++k) {
      Vector<float> sums;
      for (std::int64_t i = 0; i < planes; ++i) {
        Vector<float> column;
        for (std::int64_t j = 0; j < rows; ++j) column.push_back(at(i, j, k));
        sums.push_back(orders::earlier_axis(column, add, identity));
      }
      EXPECT_EQ(bits_of(over_first_two[static_cast<std::size_t>(k)]),
                bits_of(orders::earlier_axis(sums, add, identity)));
    }
  }
}

TEST(SumOrder, AxesOfStridedViews) {
  std::mt19937 random(79);
  const auto x = spread_values<float>(random, 40 * 90, 8);
  Vector<float> flipped(x.size());
  for (std::size_t i = 0; i < 40; ++i) {
    for (std::size_t j = 0; j < 90; ++j) flipped[j * 40 + i] = x[i * 90 + j];
  }
  ConstView view = view_of(x, {40, 90});
  view.shape = Shape{90, 40};
  view.strides = Strides{1, 90};
  for (const Policy& policy : {kA2, kA5}) {
    for (const std::uint32_t axis : {0b01U, 0b10U}) {
      Vector<float> strided(axis == 1 ? 40 : 90);
      Vector<float> contiguous(strided.size());
      eval_reduce(OpId::reduce_sum_, policy, axis, view, view_of(strided));
      eval_reduce(OpId::reduce_sum_, policy, axis, view_of(flipped, {90, 40}), view_of(contiguous));
      EXPECT_EQ(bits_of(strided), bits_of(contiguous));
    }
    EXPECT_EQ(eval_reduce_all(OpId::reduce_sum_, policy, view).bits,
              eval_reduce_all(OpId::reduce_sum_, policy, view_of(flipped)).bits);
  }
}

// N12.6: the trees of sums with products and ones.
TEST(ProductOrder, TreesOfTheAxes) {
  std::mt19937 random(83);
  const auto multiply = [](float a, float b) { return a * b; };
  const auto identity = [](float value) { return value; };
  for (std::size_t count = 1; count < 200; ++count) {
    Vector<float> x(count);
    for (float& value : x) value = 1 + static_cast<float>(random() % 0x100000) * 0x1p-24F;
    const OpId op = OpId::reduce_prod_;
    ASSERT_EQ(bits_of(last_axis(op, kA2, x)),
              bits_of(orders::last_axis_pairs(x, 64, multiply, 1.0F)));
    ASSERT_EQ(bits_of(last_axis(op, kA5, x)),
              bits_of(orders::last_axis_halves(x, 64, multiply, 1.0F)));
    ASSERT_EQ(bits_of(first_axis(op, kA2, x)),
              bits_of(orders::earlier_axis(x, multiply, identity)));
  }
  const Vector<float> zeros{-0.0F, 1.0F};
  EXPECT_EQ(bits_of(last_axis(OpId::reduce_prod_, kA5, zeros)), 0x80000000U);
  EXPECT_EQ(bits_of(first_axis(OpId::reduce_prod_, kA2, zeros)), 0x80000000U);
}

TEST(ReduceExtremum, NanTakesTheTargetsPatternAndSaturationClampsTheResult) {
  const OpId max = OpId::reduce_max_;
  const OpId min = OpId::reduce_min_;
  const Vector<float> x{1, -NAN, 3};
  EXPECT_EQ(eval_reduce_all(max, kA5, view_of(x)).bits, 0x7FFFFFFFU);
  EXPECT_EQ(eval_reduce_all(min, kA2, view_of(x)).bits, 0x7FFFFFFFU);
  const auto h = halves({0x7C00, 0x3C00});
  EXPECT_EQ(eval_reduce_all(max, kA2, view_of(h)).bits, 0x7C00U);
  EXPECT_EQ(eval_reduce_all(max, kA2Saturating, view_of(h)).bits, 0x7BFFU);
  EXPECT_EQ(eval_reduce_all(max, kA2Saturating, view_of(halves({0xFE00, 0x3C00}))).bits, 0U);
}

TEST(ReduceSum, NanTakesTheTargetsPatternInEveryOrder) {
  for (const std::size_t count : {1U, 20U, 70U, 300U}) {
    Vector<float> x(count, 1.0F);
    x[count / 2] = -NAN;
    for (const Policy& policy : {kA2, kA5}) {
      EXPECT_EQ(eval_reduce_all(OpId::reduce_sum_, policy, view_of(x)).bits, 0x7FFFFFFFU);
      EXPECT_EQ(bits_of(last_axis(OpId::reduce_sum_, policy, x)), 0x7FFFFFFFU);
      EXPECT_EQ(bits_of(first_axis(OpId::reduce_sum_, policy, x)), 0x7FFFFFFFU);
    }
    EXPECT_EQ(bits_of(last_axis(OpId::reduce_sum_, kIeee, x)), kNanFloat);
  }
}

// N19: ascending, one float64 operation each.
TEST(Reduce, Float64ElementsAscendInEveryMode) {
  const std::vector<double> x{1, 0x1p-53, 0x1p-53, 0x1p-53};
  const std::vector<double> reversed{0x1p-53, 0x1p-53, 0x1p-53, 1};
  for (const OpId op : {OpId::reduce_sum_, OpId::reduce_prod_}) {
    std::vector<double> out(1);
    eval_reduce(op, kFp64, 1, view_of(x), view_of(out, {1}));
    EXPECT_EQ(out[0], op == OpId::reduce_sum_ ? 1.0 : 0x1p-159);
  }
  EXPECT_EQ(eval_reduce_all(OpId::reduce_sum_, kFp64, view_of(reversed)).as_double(), 1 + 0x1p-51);
  EXPECT_EQ(eval_reduce_all(OpId::reduce_max_, kFp64, view_of(x)).as_double(), 1.0);
  EXPECT_EQ(eval_reduce_all(OpId::reduce_min_, kFp64, view_of(x)).as_double(), 0x1p-53);
}

}  // namespace
}  // namespace ascemu::refops
