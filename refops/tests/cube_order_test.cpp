// What tells the cube's groups from every other way to accumulate (contract N14.1).
#include <gtest/gtest.h>

#include "refops/eval.h"
#include "refops/tests/arrays.h"
#include "refops/tests/cube_oracle.h"
#include "refops/tests/order_proof.h"
#include "refops/tests/policies.h"

namespace ascemu::refops {
namespace {

constexpr Policy kA2 = on(Chip::ascend910b);
constexpr Policy kA5 = on(Chip::ascend950pr);

template <class T>
struct Dot {
  float accumulator = 0;
  std::vector<T> a;
  std::vector<T> b;

  std::vector<float> left() const { return widened(a); }
  std::vector<float> right() const { return widened(b); }

 private:
  static std::vector<float> widened(const std::vector<T>& elements) {
    std::vector<float> values;
    for (const T& element : elements) values.push_back(widen(element));
    return values;
  }
};

template <class T>
float product_result(const Policy& policy, const Dot<T>& dot) {
  std::vector<float> acc{dot.accumulator};
  const auto k = static_cast<std::int64_t>(dot.a.size());
  eval_matmul_acc(policy, false, view_of(dot.a, {1, k}), view_of(dot.b, {k, 1}),
                  view_of(acc, {1, 1}));
  return acc[0];
}

template <class T>
float in_groups(CubeOracle& oracle, const Dot<T>& dot, std::size_t group, std::size_t offset = 0) {
  const auto left = dot.left();
  const auto right = dot.right();
  float total = dot.accumulator;
  std::size_t start = 0;
  while (start < left.size()) {
    const std::size_t size = start == 0 && offset != 0 ? offset : group;
    const std::size_t count = std::min(size, left.size() - start);
    total = oracle.join(total, std::span(left).subspan(start, count),
                        std::span(right).subspan(start, count));
    start += count;
  }
  return total;
}

template <class T>
std::vector<Formulation<Dot<T>, float>> wrong_formulations(CubeOracle& oracle, std::size_t group) {
  using Input = Dot<T>;
  const auto over_k = [](const Input& dot, auto&& step) {
    const auto left = dot.left();
    const auto right = dot.right();
    for (std::size_t k = 0; k < left.size(); ++k) step(left[k], right[k]);
  };
  std::vector<Formulation<Input, float>> wrong{
      {"one multiply and one add per element",
       [=](const Input& dot) {
         float total = dot.accumulator;
         over_k(dot, [&](float x, float y) { total = total + x * y; });
         return total;
       }},
      {"fused multiply-add",
       [=](const Input& dot) {
         float total = dot.accumulator;
         over_k(dot, [&](float x, float y) { total = std::fma(x, y, total); });
         return total;
       }},
      {"accumulator last",
       [=, &oracle](const Input& dot) {
         Input from_zero = dot;
         from_zero.accumulator = 0;
         return in_groups(oracle, from_zero, group) + dot.accumulator;
       }},
      {"a group rounded before it meets the accumulator",
       [=, &oracle](const Input& dot) {
         const auto left = dot.left();
         const auto right = dot.right();
         float total = dot.accumulator;
         for (std::size_t k = 0; k < left.size(); k += group) {
           const std::size_t count = std::min(group, left.size() - k);
           total = total + oracle.join(0.0F, std::span(left).subspan(k, count),
                                       std::span(right).subspan(k, count));
         }
         return total;
       }},
      {"double accumulator", [=](const Input& dot) {
         double total = dot.accumulator;
         over_k(dot, [&](float x, float y) { total += static_cast<double>(x) * y; });
         return static_cast<float>(total);
       }}};
  for (const std::size_t other : {group / 4, group / 2, group * 2, std::size_t{1000}}) {
    wrong.push_back({"groups of " + std::to_string(other),
                     [=, &oracle](const Input& dot) { return in_groups(oracle, dot, other); }});
  }
  wrong.push_back({"groups aligned to the end", [=, &oracle](const Input& dot) {
                     return in_groups(oracle, dot, group, dot.a.size() % group);
                   }});
  wrong.push_back({"groups from the last", [=, &oracle](const Input& dot) {
                     Input reversed{dot.accumulator,
                                    {dot.a.rbegin(), dot.a.rend()},
                                    {dot.b.rbegin(), dot.b.rend()}};
                     return in_groups(oracle, reversed, group);
                   }});
  return wrong;
}

template <class T>
void prove(const Policy& policy, std::size_t group) {
  CubeOracle oracle;
  const std::size_t depth = group * 3 + group / 4 + 1;
  expect_only_right_order<Dot<T>, float>(
      [&](std::mt19937& random) {
        return Dot<T>{spread_value(random, 3), spread_values<T>(random, depth, 3),
                      spread_values<T>(random, depth, 3)};
      },
      [&](const Dot<T>& dot) { return product_result(policy, dot); },
      [&](const Dot<T>& dot) { return in_groups(oracle, dot, group); },
      wrong_formulations<T>(oracle, group));
}

TEST(CubeOrder, GroupsOfSixteenHalves) {
  for (const Policy& policy : {kA2, kA5}) {
    prove<Float16>(policy, 16);
    prove<Bfloat16>(policy, 16);
  }
}

TEST(CubeOrder, GroupsOfFourFloat32) {
  for (const Policy& policy : {kA2, kA5}) prove<float>(policy, 4);
}

// The rounding of a group is one: a tie of the float32 sum that the double sum only seems to meet.
TEST(CubeOrder, ADoubleSumRoundsTwice) {
  const Dot<float> dot{1, {0x1p-24F, 0x1p-60F}, {1, 0x1p-20F}};
  EXPECT_EQ(product_result(kA5, dot), 1 + 0x1p-23F);
  const Dot<float> below{1, {0x1p-24F, -0x1p-60F}, {1, 0x1p-20F}};
  EXPECT_EQ(product_result(kA5, below), 1.0F);
  const Dot<float> tie{1, {0x1p-24F, 0}, {1, 0}};
  EXPECT_EQ(product_result(kA5, tie), 1.0F);
  const Dot<float> odd{1 + 0x1p-23F, {0x1p-24F, 0}, {1, 0}};
  EXPECT_EQ(product_result(kA5, odd), 1 + 0x1p-22F);
}

// Consecutive calls go on with the stored float32 accumulator, groups starting anew.
TEST(CubeOrder, TilesOfKContinueWithTheStoredAccumulator) {
  std::mt19937 random(127);
  CubeOracle oracle;
  for (int round = 0; round < 50; ++round) {
    const Dot<Bfloat16> first{spread_value(random, 3), spread_values<Bfloat16>(random, 20, 3),
                              spread_values<Bfloat16>(random, 20, 3)};
    Dot<Bfloat16> second{product_result(kA5, first), spread_values<Bfloat16>(random, 30, 3),
                         spread_values<Bfloat16>(random, 30, 3)};
    EXPECT_EQ(bits_of(second.accumulator), bits_of(in_groups(oracle, first, 16)));
    EXPECT_EQ(bits_of(product_result(kA5, second)), bits_of(in_groups(oracle, second, 16)));
  }
}

// N14.2: operands are rounded to HF32, then grouped as float32.
TEST(CubeOrder, Hf32OperandsAreRoundedBeforeTheirProducts) {
  const std::vector<float> a{1.0F + 0x1p-13F, 0x1p-149F};
  const std::vector<float> b{3.0F, 0x1p127F};
  std::vector<float> acc{0x1p-40F};
  eval_matmul_acc(kA2, true, view_of(a, {1, 2}), view_of(b, {2, 1}), view_of(acc, {1, 1}));
  EXPECT_EQ(acc[0], 3.0F);
}

}  // namespace
}  // namespace ascemu::refops
