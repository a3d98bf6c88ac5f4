// The groups of the cube against exact sums (contract N14.1).
#include <gtest/gtest.h>

#include <cstring>

#include "refops/cube/exact_group.h"
#include "refops/elementary/elementary.h"
#include "refops/eval.h"
#include "refops/tests/arrays.h"
#include "refops/tests/cube_oracle.h"
#include "refops/tests/policies.h"

namespace ascemu::refops {
namespace {

constexpr Policy kA2 = on(Chip::ascend910b);
constexpr Policy kA5 = on(Chip::ascend950pr);

template <class T>
constexpr std::size_t kGroup = std::is_same_v<T, float> ? 4 : 16;

// How the operands and accumulators of a batch are made.
enum class Spread { close, wide, any_finite, few_bits, near_tie };
constexpr Spread kSpreads[] = {Spread::close, Spread::wide, Spread::any_finite, Spread::few_bits,
                               Spread::near_tie};

template <class T>
T any_operand(std::mt19937& random, Spread spread) {
  const auto sign = random() % 2 == 0 ? 1.0F : -1.0F;
  const auto full = static_cast<float>(random() % 0x1000000) * 0x1p-23F;
  switch (spread) {
    case Spread::close:
      return narrow<T>(sign * std::ldexp(full, static_cast<int>(random() % 6)));
    case Spread::wide:
      return narrow<T>(sign * std::ldexp(full, static_cast<int>(random() % 40) - 20));
    case Spread::few_bits:
      // Sums of these meet ties, cancel, or miss a tie by one bit far below.
      return narrow<T>(sign * std::ldexp(1.0F, static_cast<int>(random() % 5) * 12 - 24));
    case Spread::near_tie: {
      // Products of 1, 2^-12, 2^-24 and some far below, which decide the ties of the others.
      const int below = 12 + static_cast<int>(random() % (std::is_same_v<T, Float16> ? 12 : 24));
      const std::array<int, 4> exponents{0, 0, 12, below};
      const float magnitude = std::ldexp(1.0F, -exponents[random() % 4]);
      return narrow<T>(random() % 4 == 0 ? -magnitude : magnitude);
    }
    default:
      break;
  }
  T value;
  const auto pattern = static_cast<std::uint32_t>(random());
  std::memcpy(static_cast<void*>(&value), &pattern, sizeof(T));
  return value;
}

template <class T>
T random_operand(std::mt19937& random, Spread spread) {
  while (true) {
    const T value = any_operand<T>(random, spread);
    if (std::isfinite(widen(value))) return value;
  }
}

template <class T>
float random_accumulator(std::mt19937& random, Spread spread) {
  if (random() % 8 == 0) return 0.0F;
  if (spread == Spread::near_tie) return random_operand<float>(random, spread);
  if (spread == Spread::any_finite) return random_operand<float>(random, spread);
  const auto significand = static_cast<float>(static_cast<int>(random() % 0x2000000) - 0x1000000);
  return std::ldexp(significand, static_cast<int>(random() % 30) - 40);
}

struct Counts {
  int groups = 0;
  int mismatches = 0;
};

// 16 x 16 results of one group each, the last group of the batch short.
template <class T>
Counts check_batch(std::mt19937& random, Spread spread, CubeOracle& oracle) {
  const std::size_t depth = random() % 4 == 0 ? 1 + random() % kGroup<T> : kGroup<T>;
  const std::size_t lines = 16;
  std::vector<T> a(lines * depth);
  std::vector<T> b(depth * lines);
  for (T& value : a) value = random_operand<T>(random, spread);
  for (T& value : b) value = random_operand<T>(random, spread);
  std::vector<float> start(lines * lines);
  for (float& value : start) value = random_accumulator<T>(random, spread);
  std::vector<float> acc = start;
  const auto n = static_cast<std::int64_t>(lines);
  const auto k = static_cast<std::int64_t>(depth);
  eval_matmul_acc(kA5, false, view_of(a, {n, k}), view_of(b, {k, n}), view_of(acc, {n, n}));
  Counts counts;
  std::vector<float> left(depth);
  std::vector<float> right(depth);
  for (std::size_t i = 0; i < lines; ++i) {
    for (std::size_t j = 0; j < lines; ++j) {
      for (std::size_t step = 0; step < depth; ++step) {
        left[step] = widen(a[i * depth + step]);
        right[step] = widen(b[step * lines + j]);
      }
      const std::size_t at = i * lines + j;
      const float expected = oracle.join(start[at], left, right);
      ++counts.groups;
      counts.mismatches += bits_of(acc[at]) == bits_of(expected) ? 0 : 1;
    }
  }
  return counts;
}

template <class T>
void check_groups(unsigned seed) {
  CubeOracle oracle;
  std::mt19937 random(seed);
  Counts total;
  for (int batch = 0; batch < 500; ++batch) {
    const Counts counts = check_batch<T>(random, kSpreads[batch % 5], oracle);
    total.groups += counts.groups;
    total.mismatches += counts.mismatches;
  }
  EXPECT_EQ(total.mismatches, 0);
  EXPECT_EQ(total.groups, 128000);
  EXPECT_TRUE(oracle.is_exact());
}

TEST(Cube, GroupsOfFloat16AreExactSumsRoundedOnce) { check_groups<Float16>(101); }
TEST(Cube, GroupsOfBfloat16AreExactSumsRoundedOnce) { check_groups<Bfloat16>(103); }
TEST(Cube, GroupsOfFloat32AreExactSumsRoundedOnce) { check_groups<float>(107); }

// What the fast sums leave open, on groups that they would settle too.
TEST(Cube, ExactSumsAnswerEveryGroup) {
  CubeOracle oracle;
  std::mt19937 random(108);
  int mismatches = 0;
  for (int round = 0; round < 50000; ++round) {
    const Spread spread = kSpreads[round % 5];
    const std::size_t count = 1 + random() % 16;
    std::vector<float> a(count);
    std::vector<float> b(count);
    for (float& value : a) value = random_operand<float>(random, spread);
    for (float& value : b) value = random_operand<float>(random, spread);
    const float start = random_accumulator<float>(random, spread);
    const std::vector<double> left(a.begin(), a.end());
    const std::vector<double> right(b.begin(), b.end());
    const float sum = cube::join_exactly(start, left.data(), 1, right.data(), 1,
                                         static_cast<std::int64_t>(count));
    mismatches += bits_of(sum) == bits_of(oracle.join(start, a, b)) ? 0 : 1;
  }
  EXPECT_EQ(mismatches, 0);
  EXPECT_TRUE(oracle.is_exact());
}

// Groups follow one another from the first element of K; the last may be short; tiles of any size.
template <class T>
void check_shape(std::int64_t m, std::int64_t k, std::int64_t n) {
  std::mt19937 random(109);
  CubeOracle oracle;
  std::vector<T> a(static_cast<std::size_t>(m * k));
  std::vector<T> b(static_cast<std::size_t>(k * n));
  for (T& value : a) value = random_operand<T>(random, Spread::wide);
  for (T& value : b) value = random_operand<T>(random, Spread::close);
  std::vector<float> start(static_cast<std::size_t>(m * n));
  for (float& value : start) value = random_accumulator<T>(random, Spread::wide);
  for (const Policy& policy : {kA2, kA5}) {
    std::vector<float> acc = start;
    eval_matmul_acc(policy, false, view_of(a, {m, k}), view_of(b, {k, n}), view_of(acc, {m, n}));
    for (std::int64_t i = 0; i < m; ++i) {
      for (std::int64_t j = 0; j < n; ++j) {
        float total = start[static_cast<std::size_t>(i * n + j)];
        std::vector<float> left;
        std::vector<float> right;
        for (std::int64_t step = 0; step < k; ++step) {
          left.push_back(widen(a[static_cast<std::size_t>(i * k + step)]));
          right.push_back(widen(b[static_cast<std::size_t>(step * n + j)]));
          if (left.size() < kGroup<T> && step + 1 < k) continue;
          total = oracle.join(total, left, right);
          left.clear();
          right.clear();
        }
        ASSERT_EQ(bits_of(acc[static_cast<std::size_t>(i * n + j)]), bits_of(total))
            << m << " " << k << " " << n << " at " << i << " " << j;
      }
    }
  }
}

TEST(Cube, GroupsStartAtTheFirstElementWhateverTheShape) {
  for (const auto& [m, k, n] : {std::array<std::int64_t, 3>{1, 1, 1},
                                {4, 16, 8},
                                {5, 17, 9},
                                {16, 33, 16},
                                {3, 100, 17},
                                {33, 15, 31}}) {
    check_shape<Float16>(m, k, n);
    check_shape<Bfloat16>(m, k, n);
    check_shape<float>(m, k, n);
  }
}

TEST(Cube, EveryInstructionSetReturnsTheSameBits) {
  using elementary::VectorLevel;
  std::mt19937 random(113);
  const VectorLevel before = elementary::current_vector_level();
  for (const Spread spread : kSpreads) {
    std::vector<float> a(20 * 30);
    std::vector<float> b(30 * 20);
    for (float& value : a) value = random_operand<float>(random, spread);
    for (float& value : b) value = random_operand<float>(random, spread);
    std::vector<std::vector<std::uint64_t>> results;
    for (const auto level :
         {VectorLevel::baseline, VectorLevel::sse42, VectorLevel::avx2, VectorLevel::avx512}) {
      if (!elementary::vector_level_is_available(level)) continue;
      elementary::force_vector_level(level);
      std::vector<float> acc(400);
      eval_matmul_acc(kA5, false, view_of(a, {20, 30}), view_of(b, {30, 20}),
                      view_of(acc, {20, 20}));
      results.push_back(bits_of(acc));
    }
    for (const auto& bits : results) EXPECT_EQ(bits, results.front());
  }
  elementary::force_vector_level(before);
}

// One result from `a` (a row) and `b` (a column).
float join(const Policy& policy, float accumulator, const std::vector<float>& a,
           const std::vector<float>& b) {
  std::vector<float> acc{accumulator};
  const auto k = static_cast<std::int64_t>(a.size());
  eval_matmul_acc(policy, false, view_of(a, {1, k}), view_of(b, {k, 1}), view_of(acc, {1, 1}));
  return acc[0];
}

TEST(Cube, InfinitiesAndNan) {
  const float inf = INFINITY;
  const std::uint64_t nan = 0x7FFFFFFF;
  const auto bits = [](float accumulator, std::vector<float> a, std::vector<float> b) {
    return bits_of(join(kA5, accumulator, a, b));
  };
  EXPECT_EQ(bits(0, {inf, 1}, {2, 3}), 0x7F800000U);
  EXPECT_EQ(bits(0, {-inf, 1}, {2, 3}), 0xFF800000U);
  EXPECT_EQ(bits(0, {inf, 1}, {0, 3}), nan);
  EXPECT_EQ(bits(0, {inf, inf}, {1, -1}), nan);
  EXPECT_EQ(bits(-inf, {inf, 1}, {1, 1}), nan);
  EXPECT_EQ(bits(-inf, {1, 1}, {1, 1}), 0xFF800000U);
  EXPECT_EQ(bits(-inf, {0x1.fffffep127F, 1}, {0x1.fffffep127F, 1}), 0xFF800000U);
  EXPECT_EQ(bits(-NAN, {1, 1}, {1, 1}), nan);
  EXPECT_EQ(bits(0, {-NAN, 1}, {0, 1}), nan);
  // The exact sum decides, not a partial one.
  EXPECT_EQ(bits(0, {0x1p127F, 0x1p127F}, {4, -4}), 0U);
  EXPECT_EQ(bits(0x1.fffffep127F, {0x1p104F, -0x1p104F}, {1, 1}), 0x7F7FFFFFU);
  EXPECT_EQ(bits(0x1.fffffep127F, {0x1p103F, 0}, {1, 1}), 0x7F800000U);
  EXPECT_EQ(bits(0x1.fffffep127F, {0x1p103F, -0x1p-149F}, {1, 0x1p-149F}), 0x7F7FFFFFU);
}

TEST(Cube, ZerosAndSubnormals) {
  const auto bits = [](float accumulator, std::vector<float> a, std::vector<float> b) {
    return bits_of(join(kA2, accumulator, a, b));
  };
  EXPECT_EQ(bits(-0.0F, {-0.0F, 0.0F}, {1, -2}), 0x80000000U);
  EXPECT_EQ(bits(0.0F, {-0.0F, 0.0F}, {1, -2}), 0U);
  EXPECT_EQ(bits(-0.0F, {-0.0F, 0.0F}, {1, 2}), 0U);
  EXPECT_EQ(bits(-1.0F, {1, 0}, {1, 2}), 0U);
  EXPECT_EQ(bits(0, {0x1p-149F, 0}, {1, 0}), 1U);
  EXPECT_EQ(bits(0, {0x1p-149F, 0}, {0.5F, 0}), 0U);
  EXPECT_EQ(bits(0, {0x1p-149F, 0x1p-149F}, {0.5F, 0x1p-149F}), 1U);
  EXPECT_EQ(bits(0, {-0x1p-149F, 0}, {0x1p-149F, 0}), 0x80000000U);
  // Every element of a wide spread, negative zeros among them.
  EXPECT_EQ(bits(-0.0F, {-0.0F, 0x1p100F}, {0x1p-100F, -0.0F}), 0x80000000U);
}

TEST(Cube, Float64AccumulatorsAscendInFloat64) {
  const std::vector<double> a{1, 0x1p-27, 1};
  const std::vector<double> b{1, 0x1p-27, -1};
  std::vector<double> acc{0x1p-54};
  for (const bool hf32 : {false, true}) {
    acc[0] = 0x1p-54;
    eval_matmul_acc(kFp64, hf32, view_of(a, {1, 3}), view_of(b, {3, 1}), view_of(acc, {1, 1}));
    EXPECT_EQ(acc[0], 0.0);
  }
  const std::vector<double> third{1.0 / 3};
  eval_matmul_acc(kFp64, false, view_of(third, {1, 1}), view_of(third, {1, 1}),
                  view_of(acc, {1, 1}));
  EXPECT_EQ(acc[0], 1.0 / 3 * (1.0 / 3));
}

}  // namespace
}  // namespace ascemu::refops
