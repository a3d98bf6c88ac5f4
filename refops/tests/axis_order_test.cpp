// Sums and products over axes, per chip (contract N12.2 to N12.6).
#include <gtest/gtest.h>

#include "refops/eval.h"
#include "refops/tests/arrays.h"
#include "refops/tests/sum_policies.h"

namespace ascemu::refops {
namespace {

// N12.2: every length up to 300 and some long ones, on both chips.
TEST(SumOrder, LastAxisOfEveryLength) {
  std::mt19937 random(67);
  for (std::size_t count = 1; count < 1100; count += count < 300 ? 1 : 97) {
    const auto x = spread_values<float>(random, count, 8);
    const auto h = spread_values<Float16>(random, count, 8);
    const OpId op = OpId::reduce_sum_;
    ASSERT_EQ(bits_of(last_axis(op, kA2, x)), bits_of(orders::last_axis_pairs(x, 64, add)));
    ASSERT_EQ(bits_of(last_axis(op, kA5, x)), bits_of(orders::last_axis_halves(x, 64, add)));
    ASSERT_EQ(bits_of(last_axis(op, kA2, h)), bits_of(orders::last_axis_pairs(h, 128, add_half)));
    ASSERT_EQ(bits_of(last_axis(op, kA5, h)), bits_of(orders::last_axis_halves(h, 128, add_half)));
    ASSERT_EQ(bits_of(last_axis(op, kIeee, h)), bits_of(orders::ascending(h, add_half)));
  }
}

Wrong<float> wrong_last_axis_sums() {
  auto wrong = wrong_for_every_row();
  wrong.insert(wrong.end(),
               {
                   {"blocks of 64 in order",
                    [](const Vector<float>& v) {
                      return orders::tree(orders::blocks_in_order(orders::blocks(v, 64), add), add);
                    }},
                   {"zeros up to a power of two",
                    [](const Vector<float>& v) {
                      return orders::tree(
                          orders::padded(v, 2 * orders::power_of_two_below(v.size())), add);
                    }},
                   {"earlier axis",
                    [](const Vector<float>& v) {
                      return orders::earlier_axis(v, add, [](float x) { return x; });
                    }},
               });
  return wrong;
}

TEST(SumOrder, LastAxisFoldsItsTailOnItsHead) {
  const auto product = [](const Policy& policy) {
    return [&policy](const Vector<float>& v) { return last_axis(OpId::reduce_sum_, policy, v); };
  };
  const auto pairs = [](const Vector<float>& v) { return orders::last_axis_pairs(v, 64, add); };
  const auto halves = [](const Vector<float>& v) { return orders::last_axis_halves(v, 64, add); };
  for (const std::size_t count : {300U, 777U}) {
    auto wrong = wrong_last_axis_sums();
    wrong.push_back({"halves", halves});
    expect_only_right_order<Vector<float>, float>(values_of<float>(count, 8), product(kA2), pairs,
                                                  wrong);
    wrong.back() = {"pairs", pairs};
    expect_only_right_order<Vector<float>, float>(values_of<float>(count, 8), product(kA5), halves,
                                                  wrong);
  }
  // Up to 24 elements A5 adds blocks of 8 in order.
  const Wrong<float> wrong{
      {"ascending", [](const Vector<float>& v) { return orders::ascending(v, add); }},
      {"tree", [](const Vector<float>& v) { return orders::tree(orders::padded(v, 64), add); }},
      {"last block first", [](const Vector<float>& v) {
         auto parts = orders::blocks(v, 8);
         std::ranges::reverse(parts);
         return orders::tree(orders::blocks_in_order(parts, add), add);
       }}};
  expect_only_right_order<Vector<float>, float>(values_of<float>(21, 8), product(kA5), halves,
                                                wrong);
}

// N12.3.
TEST(SumOrder, EarlierAxisFoldsSurplusRowsAndHalves) {
  const auto identity = [](float x) { return x; };
  const auto right = [=](const Vector<float>& v) { return orders::earlier_axis(v, add, identity); };
  auto wrong = wrong_last_axis_sums();
  wrong.back() = {"last axis of A2",
                  [](const Vector<float>& v) { return orders::last_axis_pairs(v, 64, add); }};
  wrong.push_back({"last axis of A5",
                   [](const Vector<float>& v) { return orders::last_axis_halves(v, 64, add); }});
  wrong.push_back({"pairs of rows", [](const Vector<float>& v) {
                     return orders::tree(
                         orders::tail_on_head(v, orders::power_of_two_below(v.size()), add), add);
                   }});
  for (const Policy& policy : {kA2, kA5}) {
    expect_only_right_order<Vector<float>, float>(
        values_of<float>(150, 8),
        [&](const Vector<float>& v) { return first_axis(OpId::reduce_sum_, policy, v); }, right,
        wrong);
  }
  std::mt19937 random(71);
  for (std::size_t count = 1; count < 140; ++count) {
    const auto x = spread_values<float>(random, count, 8);
    ASSERT_EQ(bits_of(first_axis(OpId::reduce_sum_, kA2, x)), bits_of(right(x)));
    ASSERT_EQ(bits_of(first_axis(OpId::reduce_sum_, kA5, x)), bits_of(right(x)));
  }
  for (const std::size_t rows : {1U, 4U, 5U}) {
    const Vector<float> zeros(rows, -0.0F);
    EXPECT_EQ(bits_of(first_axis(OpId::reduce_sum_, kA2, zeros)), 0U);
    EXPECT_EQ(bits_of(first_axis(OpId::reduce_sum_, kA5, zeros)), 0x80000000U);
  }
}

}  // namespace
}  // namespace ascemu::refops
