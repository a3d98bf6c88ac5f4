#include <gtest/gtest.h>

#include "refops/eval.h"
#include "refops/hf32.h"
#include "refops/tests/arrays.h"

namespace ascemu::refops {
namespace {

template <class T>
std::vector<T> random_elements(std::size_t count, unsigned seed) {
  std::mt19937 random(seed);
  std::vector<T> values;
  for (std::size_t i = 0; i < count; ++i) {
    const float value =
        std::ldexp(static_cast<float>(random() % 4096) - 2048, static_cast<int>(random() % 9) - 14);
    values.push_back(narrow<T>(value));
  }
  return values;
}

// acc first, ascending k, one rounding per multiply and per add.
template <class T>
void check_shape(std::int64_t m, std::int64_t k, std::int64_t n) {
  const auto a = random_elements<T>(static_cast<std::size_t>(m * k), 37);
  const auto b = random_elements<T>(static_cast<std::size_t>(k * n), 41);
  const auto start = random_elements<float>(static_cast<std::size_t>(m * n), 43);
  std::vector<float> acc = start;
  eval_matmul_acc(Policy{}, false, view_of(a, {m, k}), view_of(b, {k, n}), view_of(acc, {m, n}));
  for (std::int64_t i = 0; i < m; ++i) {
    for (std::int64_t j = 0; j < n; ++j) {
      float total = start[static_cast<std::size_t>(i * n + j)];
      for (std::int64_t step = 0; step < k; ++step) {
        const float product = widen(a[static_cast<std::size_t>(i * k + step)]) *
                              widen(b[static_cast<std::size_t>(step * n + j)]);
        total = total + product;
      }
      ASSERT_EQ(bits_of(acc[static_cast<std::size_t>(i * n + j)]), bits_of(total)) << i << " " << j;
    }
  }
}

TEST(Matmul, EveryElementIsTheAscendingSum) {
  for (const auto& [m, k, n] : {std::array<std::int64_t, 3>{1, 1, 1},
                                {4, 8, 8},
                                {5, 3, 9},
                                {16, 33, 16},
                                {3, 100, 17},
                                {33, 1, 31}}) {
    check_shape<Float16>(m, k, n);
    check_shape<Bfloat16>(m, k, n);
    check_shape<float>(m, k, n);
  }
}

TEST(Matmul, ReadsTransposedViews) {
  const auto a = random_elements<float>(6 * 5, 47);
  const auto b = random_elements<float>(6 * 7, 53);
  std::vector<float> a_t(30);
  std::vector<float> expected(35);
  std::vector<float> acc(35);
  for (std::size_t i = 0; i < 6; ++i) {
    for (std::size_t j = 0; j < 5; ++j) a_t[j * 6 + i] = a[i * 5 + j];
  }
  eval_matmul_acc(Policy{}, false, view_of(a_t, {5, 6}), view_of(b, {6, 7}),
                  view_of(expected, {5, 7}));
  ConstView flipped = view_of(a, {6, 5});
  flipped.shape = Shape{5, 6};
  flipped.strides = Strides{1, 5};
  eval_matmul_acc(Policy{}, false, flipped, view_of(b, {6, 7}), view_of(acc, {5, 7}));
  EXPECT_EQ(bits_of(acc), bits_of(expected));
}

TEST(Matmul, AccumulatorIsTheFirstTerm) {
  // (-1 + 1) + 2^-30 keeps the small term, 1 + 2^-30 would lose it.
  const std::vector<float> a{1, 0x1p-15F};
  const std::vector<float> b{1, 0x1p-15F};
  std::vector<float> acc{-1};
  eval_matmul_acc(Policy{}, false, view_of(a, {1, 2}), view_of(b, {2, 1}), view_of(acc, {1, 1}));
  EXPECT_EQ(acc[0], 0x1p-30F);
}

TEST(Matmul, PaddingOfRegisterTilesNeverLeaksNan) {
  const std::vector<float> a{INFINITY, 1, 1, INFINITY};
  const std::vector<float> b{1, 2, 0, 3};
  std::vector<float> acc(4);
  eval_matmul_acc(Policy{}, false, view_of(a, {2, 2}), view_of(b, {2, 2}), view_of(acc, {2, 2}));
  EXPECT_EQ(bits_of(acc), (Bits{0x7F800000, 0x7F800000, kNanFloat, 0x7F800000}));
}

TEST(Matmul, EmptyDepthKeepsTheAccumulator) {
  std::vector<float> a(1);
  std::vector<float> acc{3, 4};
  eval_matmul_acc(Policy{}, false, view_of(a, {2, 0}), view_of(a, {0, 1}), view_of(acc, {2, 1}));
  EXPECT_EQ(acc, (std::vector<float>{3, 4}));
}

TEST(Hf32, KeepsElevenStoredBitsToNearestEven) {
  const auto rounded = [](std::uint32_t bits) {
    return bits_of(round_to_hf32(std::bit_cast<float>(bits)));
  };
  EXPECT_EQ(rounded(0x3F800000), 0x3F800000U);
  EXPECT_EQ(rounded(0x3F8007FF), 0x3F800000U);
  EXPECT_EQ(rounded(0x3F800800), 0x3F800000U);
  EXPECT_EQ(rounded(0x3F800801), 0x3F801000U);
  EXPECT_EQ(rounded(0x3F801800), 0x3F802000U);
  EXPECT_EQ(rounded(0xBFFFF800), 0xC0000000U);
  EXPECT_EQ(rounded(0x7F7FFFFF), 0x7F800000U);
  EXPECT_EQ(rounded(0x7F800000), 0x7F800000U);
  EXPECT_EQ(rounded(0xFFC00001), kNanFloat);
  EXPECT_EQ(rounded(0x007FFFFF), 0U);
  EXPECT_EQ(rounded(0x80000001), 0x80000000U);
}

TEST(Hf32, RoundsBothOperandsOnlyWhenAsked) {
  const std::vector<float> a{1.0F + 0x1p-13F};
  const std::vector<float> b{3.0F};
  std::vector<float> plain(1);
  std::vector<float> reduced(1);
  eval_matmul_acc(Policy{}, false, view_of(a, {1, 1}), view_of(b, {1, 1}), view_of(plain, {1, 1}));
  eval_matmul_acc(Policy{}, true, view_of(a, {1, 1}), view_of(b, {1, 1}), view_of(reduced, {1, 1}));
  EXPECT_EQ(plain[0], 3.0F + 0x3p-13F);
  EXPECT_EQ(reduced[0], 3.0F);
}

}  // namespace
}  // namespace ascemu::refops
