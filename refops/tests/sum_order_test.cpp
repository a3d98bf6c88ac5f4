// The orders of sums over whole tensors, per chip (contract N12.1).
#include <gtest/gtest.h>

#include "refops/eval.h"
#include "refops/tests/arrays.h"
#include "refops/tests/sum_policies.h"

namespace ascemu::refops {
namespace {

// What a whole sum over repeats of `lanes` must not be, whatever the chip.
template <class T, class Join>
Wrong<T> wrong_whole_sums(std::size_t lanes, Join join) {
  return {
      {"ascending", [=](const Vector<T>& v) { return orders::ascending(v, join); }},
      {"descending", [=](const Vector<T>& v) { return orders::descending(v, join); }},
      {"trees of halved repeats",
       [=](const Vector<T>& v) { return orders::repeats_in_order(v, lanes / 2, join); }},
      {"halves in a repeat",
       [=](const Vector<T>& v) {
         Vector<T> partials;
         for (const auto& part : orders::blocks(v, lanes)) {
           partials.push_back(orders::halves(part, join));
         }
         return orders::ascending(partials, join);
       }},
      {"repeats from the last",
       [=](const Vector<T>& v) {
         return orders::descending(orders::trees_of(orders::blocks(v, lanes), join), join);
       }},
      {"one rounding of a double sum",
       [](const Vector<T>& v) {
         double total = 0;
         for (const T& value : v) total += static_cast<double>(widen(value));
         return narrow<T>(static_cast<Compute<T>>(total));
       }},
  };
}

// The folds of repeats that A5 does not use for R repeats.
template <class T, class Join>
Wrong<T> wrong_folds(std::size_t lanes, std::size_t repeats, Join join) {
  Wrong<T> wrong;
  wrong.push_back({"repeats in order",
                   [=](const Vector<T>& v) { return orders::repeats_in_order(v, lanes, join); }});
  if (repeats > 2) {
    wrong.push_back({"last repeats first", [=](const Vector<T>& v) {
                       auto parts = orders::blocks(v, lanes);
                       std::ranges::reverse(parts);
                       return orders::tree(orders::blocks_in_order(parts, join), join);
                     }});
  }
  if (repeats > 3) {
    wrong.push_back({"repeats folded in order", [=](const Vector<T>& v) {
                       return orders::tree(orders::blocks_in_order(orders::blocks(v, lanes), join),
                                           join);
                     }});
    wrong.push_back({"repeats folded by halves", [=](const Vector<T>& v) {
                       const auto r = orders::blocks(v, lanes);
                       return orders::tree(orders::joined(orders::joined(r[0], r[2], join),
                                                          orders::joined(r[1], r[3], join), join),
                                           join);
                     }});
  }
  if (repeats <= 4) {
    wrong.push_back({"trees of trees",
                     [=](const Vector<T>& v) { return orders::trees_of_trees(v, lanes, join); }});
  }
  return wrong;
}

template <class T>
void append(Wrong<T>& wrong, const Wrong<T>& more) {
  wrong.insert(wrong.end(), more.begin(), more.end());
}

template <class T, class Join>
void prove_whole_sums(Join join) {
  constexpr std::size_t kLanes = 256 / sizeof(T);
  // Three full repeats and a part of the fourth; five; more than one repeat of repeats.
  for (const std::size_t count : {kLanes * 3 + 7, kLanes * 5, kLanes * kLanes + kLanes + 3}) {
    for (const Policy& policy : {kA2, kA3}) {
      auto wrong = wrong_whole_sums<T>(kLanes, join);
      wrong.push_back({"the order of A5", [=](const Vector<T>& v) {
                         return orders::repeats_folded(v, kLanes, join);
                       }});
      expect_only_right_order<Vector<T>, T>(
          values_of<T>(count, 8), [&](const Vector<T>& v) { return whole(policy, v); },
          [=](const Vector<T>& v) { return orders::repeats_in_order(v, kLanes, join); }, wrong);
    }
  }
  for (const std::size_t repeats : {2U, 3U, 4U, 5U, 9U, 200U}) {
    auto wrong = wrong_whole_sums<T>(kLanes, join);
    append(wrong, wrong_folds<T>(kLanes, repeats, join));
    expect_only_right_order<Vector<T>, T>(
        values_of<T>(repeats * kLanes - 3, 8), [](const Vector<T>& v) { return whole(kA5, v); },
        [=](const Vector<T>& v) { return orders::repeats_folded(v, kLanes, join); }, wrong);
  }
}

TEST(SumOrder, WholeSumsOfFloat32GoByRepeats) { prove_whole_sums<float>(add); }
TEST(SumOrder, WholeSumsOfFloat16GoByRepeatsInFloat16) { prove_whole_sums<Float16>(add_half); }

TEST(SumOrder, WholeSumsInIeeeAscend) {
  auto wrong = wrong_whole_sums<float>(64, add);
  wrong.erase(wrong.begin());
  wrong.push_back({"A2", [](const Vector<float>& v) { return whole(kA2, v); }});
  wrong.push_back({"A5", [](const Vector<float>& v) { return whole(kA5, v); }});
  expect_only_right_order<Vector<float>, float>(
      values_of<float>(300, 8), [](const Vector<float>& v) { return whole(kIeee, v); },
      [](const Vector<float>& v) { return orders::ascending(v, add); }, wrong);
  auto wrong_half = wrong_whole_sums<Float16>(128, add_half);
  wrong_half.erase(wrong_half.begin());
  wrong_half.push_back({"float32 accumulator", [](const Vector<Float16>& v) {
                          float total = 0;
                          for (const Float16 value : v) total += value.to_float();
                          return Float16::from_float(total);
                        }});
  expect_only_right_order<Vector<Float16>, Float16>(
      values_of<Float16>(300, 8), [](const Vector<Float16>& v) { return whole(kIeee, v); },
      [](const Vector<Float16>& v) { return orders::ascending(v, add_half); }, wrong_half);
}

TEST(SumOrder, WholeSumsOfEveryLength) {
  std::mt19937 random(61);
  for (std::size_t count = 1; count < 600; ++count) {
    const auto x = spread_values<float>(random, count, 8);
    const auto h = spread_values<Float16>(random, count, 8);
    ASSERT_EQ(bits_of(whole(kA2, x)), bits_of(orders::repeats_in_order(x, 64, add))) << count;
    ASSERT_EQ(bits_of(whole(kA5, x)), bits_of(orders::repeats_folded(x, 64, add))) << count;
    ASSERT_EQ(bits_of(whole(kA2, h)), bits_of(orders::repeats_in_order(h, 128, add_half)));
    ASSERT_EQ(bits_of(whole(kA5, h)), bits_of(orders::repeats_folded(h, 128, add_half)));
    ASSERT_EQ(bits_of(whole(kIeee, h)), bits_of(orders::ascending(h, add_half)));
  }
}

// The sample of the facts (NN 1.3): 60000 + 60000 clamps at its node, not at the end.
TEST(SumOrder, SaturationActsAtEveryNode) {
  const auto x = halves({0x7B53, 0x7B53, 0xF753, 0x5640});
  EXPECT_EQ(whole(kA2, x).bits, 0x7C00);
  EXPECT_EQ(whole(kA5, x).bits, 0x7C00);
  // 65504 + (-29904), a tie at 35600 that goes to 35584.
  EXPECT_EQ(whole(kA2Saturating, x).bits, 0x7858);
  const auto infinite = halves({0x7C00, 0xFC00});
  EXPECT_EQ(whole(kA2, infinite).bits, 0x7FFF);
  EXPECT_EQ(whole(kA2Saturating, infinite).bits, 0x0000);
  EXPECT_EQ(whole(kA2Saturating, halves({0x7E01, 0x3C00})).bits, 0x0000);
}

TEST(SumOrder, MissingLanesArePlusZero) {
  for (const Policy& policy : {kA2, kA5}) {
    EXPECT_EQ(bits_of(whole(policy, Vector<float>(64, -0.0F))), 0x80000000U);
    EXPECT_EQ(bits_of(whole(policy, Vector<float>(63, -0.0F))), 0U);
  }
  EXPECT_EQ(bits_of(whole(kIeee, Vector<float>(63, -0.0F))), 0x80000000U);
}

}  // namespace
}  // namespace ascemu::refops
