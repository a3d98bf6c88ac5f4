#include <gtest/gtest.h>

#include "refops/eval.h"
#include "refops/tests/arrays.h"

namespace ascemu::refops {
namespace {

template <class T>
void check_integers() {
  const T high = std::numeric_limits<T>::max();
  const std::vector<T> src{1, -5, 7};
  std::vector<T> dst{high, 2, 7};
  eval_atomic(OpId::atomic_add_, Policy{}, view_of(src), view_of(dst));
  EXPECT_EQ(dst, (std::vector<T>{std::numeric_limits<T>::min(), -3, 14}));
  eval_atomic(OpId::atomic_max_, Policy{}, view_of(src), view_of(dst));
  EXPECT_EQ(dst, (std::vector<T>{1, -3, 14}));
  eval_atomic(OpId::atomic_min_, Policy{}, view_of(src), view_of(dst));
  EXPECT_EQ(dst, (std::vector<T>{1, -5, 7}));
}

TEST(Atomic, Integers) {
  check_integers<std::int16_t>();
  check_integers<std::int32_t>();
}

TEST(Atomic, FloatsRoundOncePerElement) {
  const auto src = halves({0x3C00, 0x7E01, 0xBC00});
  auto dst = halves({0x6800, 0x3C00, 0x3C00});
  eval_atomic(OpId::atomic_add_, Policy{}, view_of(src), view_of(dst));
  EXPECT_EQ(bits_of(dst), (Bits{0x6800, kNanHalf, 0}));
  const auto brain_src = bhalves({0x3F80});
  auto brain = bhalves({0x4380});
  eval_atomic(OpId::atomic_add_, Policy{}, view_of(brain_src), view_of(brain));
  EXPECT_EQ(bits_of(brain), (Bits{0x4380}));
  const std::vector<float> value{NAN};
  std::vector<float> target{1};
  eval_atomic(OpId::atomic_max_, Policy{}, view_of(value), view_of(target));
  EXPECT_EQ(bits_of(target), (Bits{kNanFloat}));
}

TEST(Atomic, WritesOnlyTheStridedDestination) {
  const std::vector<float> src{1, 2, 3, 4};
  std::vector<float> grid(9, 10);
  View window = view_of(grid, {3, 3});
  window.shape = Shape{2, 2};
  eval_atomic(OpId::atomic_add_, Policy{}, view_of(src, {2, 2}), window);
  EXPECT_EQ(grid, (std::vector<float>{11, 12, 10, 13, 14, 10, 10, 10, 10}));
}

}  // namespace
}  // namespace ascemu::refops
