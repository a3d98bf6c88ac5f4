// The row sums of softmax and the norms, per chip and size class (contract N13).
#include <gtest/gtest.h>

#include "refops/sums/row_sum.h"
#include "refops/tests/sum_policies.h"

namespace ascemu::refops {
namespace {

float blocks_in_order(const Vector<float>& v) {
  return orders::tree(orders::blocks_in_order(orders::blocks(v, 64), add), add);
}

Wrong<float> wrong_row_sums() {
  auto wrong = wrong_for_every_row();
  wrong.insert(wrong.end(),
               {
                   {"last axis of A2",
                    [](const Vector<float>& v) { return orders::last_axis_pairs(v, 64, add); }},
                   {"last axis of A5",
                    [](const Vector<float>& v) { return orders::last_axis_halves(v, 64, add); }},
                   {"blocks of 64 from the last",
                    [](const Vector<float>& v) {
                      auto parts = orders::blocks(v, 64);
                      std::ranges::reverse(parts);
                      return orders::tree(orders::blocks_in_order(parts, add), add);
                    }},
                   {"halves of 64 lanes",
                    [](const Vector<float>& v) {
                      return orders::halves(orders::blocks_in_order(orders::blocks(v, 64), add),
                                            add);
                    }},
               });
  return wrong;
}

std::function<float(const Vector<float>&)> product(RowSum order) {
  return [order](const Vector<float>& v) { return sums::sum_row(order, v); };
}

// A tail of 300 elements, so that blocks of 64 and of 512 differ after the first 512.
TEST(RowOrder, LongRowsOfA2GoByBlocksOf512) {
  auto wrong = wrong_row_sums();
  wrong.push_back({"blocks of 64 in order", blocks_in_order});
  wrong.push_back({"the last part as a block of 512", [](const Vector<float>& v) {
                     return orders::row_blocks(orders::padded(v, (v.size() + 511) / 512 * 512),
                                               add);
                   }});
  for (const std::size_t count : {812U, 1324U, 2348U}) {
    expect_only_right_order<Vector<float>, float>(
        values_of<float>(count, 8), product(RowSum::blocks),
        [](const Vector<float>& v) { return orders::row_blocks(v, add); }, wrong);
  }
}

TEST(RowOrder, RowsBelow512OfA2AndAllOfA5GoByBlocksOf64) {
  for (const std::size_t count : {311U, 500U}) {
    expect_only_right_order<Vector<float>, float>(
        values_of<float>(count, 8), product(RowSum::blocks), blocks_in_order, wrong_row_sums());
  }
  for (const std::size_t count : {311U, 812U, 1324U}) {
    auto wrong = wrong_row_sums();
    if (count > 512) {
      wrong.push_back(
          {"blocks of 512", [](const Vector<float>& v) { return orders::row_blocks(v, add); }});
    }
    expect_only_right_order<Vector<float>, float>(
        values_of<float>(count, 8), product(RowSum::lanes),
        [](const Vector<float>& v) { return orders::row_lanes(v, add); }, wrong);
  }
}

TEST(RowOrder, EveryLength) {
  std::mt19937 random(131);
  for (std::size_t count = 1; count < 1700; count += count < 300 ? 1 : 37) {
    const auto x = spread_values<float>(random, count, 8);
    ASSERT_EQ(bits_of(sums::sum_row(RowSum::blocks, x)), bits_of(orders::row_blocks(x, add)));
    ASSERT_EQ(bits_of(sums::sum_row(RowSum::lanes, x)), bits_of(orders::row_lanes(x, add)));
    ASSERT_EQ(bits_of(sums::sum_row(RowSum::ascending, x)), bits_of(orders::ascending(x, add)));
  }
}

TEST(RowOrder, SignOfAZeroSum) {
  const auto sum = [](RowSum order, std::size_t count) {
    return bits_of(sums::sum_row(order, Vector<float>(count, -0.0F)));
  };
  EXPECT_EQ(sum(RowSum::lanes, 64), 0U);
  EXPECT_EQ(sum(RowSum::blocks, 64), 0x80000000U);
  EXPECT_EQ(sum(RowSum::blocks, 63), 0U);
  EXPECT_EQ(sum(RowSum::blocks, 100), 0x80000000U);
  EXPECT_EQ(sum(RowSum::ascending, 63), 0x80000000U);
}

TEST(RowOrder, Float64AlwaysAscends) {
  const std::vector<double> x{1, 0x1p-53, 0x1p-53, 0x1p-53};
  const std::vector<double> reversed{0x1p-53, 0x1p-53, 0x1p-53, 1};
  for (const RowSum order : {RowSum::ascending, RowSum::blocks, RowSum::lanes}) {
    EXPECT_EQ(sums::sum_row(order, x), 1.0);
    EXPECT_EQ(sums::sum_row(order, reversed), 1 + 0x1p-51);
  }
}

}  // namespace
}  // namespace ascemu::refops
