#include <gtest/gtest.h>

#include "refops/eval.h"
#include "refops/tests/arrays.h"

namespace ascemu::refops {
namespace {

TEST(LaneMasks, CountAndBits) {
  EXPECT_EQ(lane_mask_from_count(0).bits, (std::array<std::uint64_t, 4>{0, 0, 0, 0}));
  EXPECT_EQ(lane_mask_from_count(3).bits, (std::array<std::uint64_t, 4>{7, 0, 0, 0}));
  EXPECT_EQ(lane_mask_from_count(64).bits, (std::array<std::uint64_t, 4>{~0ULL, 0, 0, 0}));
  EXPECT_EQ(lane_mask_from_count(129).bits, (std::array<std::uint64_t, 4>{~0ULL, ~0ULL, 1, 0}));
  EXPECT_EQ(lane_mask_from_count(1000).bits,
            (std::array<std::uint64_t, 4>{~0ULL, ~0ULL, ~0ULL, ~0ULL}));
  EXPECT_EQ(lane_mask_from_bits(5, 9).bits, (std::array<std::uint64_t, 4>{9, 5, 0, 0}));
}

template <class T>
void check_repeats() {
  constexpr std::size_t kLanes = 256 / sizeof(T);
  std::vector<T> out(kLanes * 2 + 5, T{1});
  eval_mask_blend(lane_mask_from_count(3), dtype_of<T>(), Scalar::from_int(dtype_of<T>(), -2),
                  view_of(out));
  for (std::size_t i = 0; i < out.size(); ++i)
    ASSERT_EQ(out[i], i % kLanes < 3 ? T{1} : T{-2}) << i;
}

TEST(MaskBlend, RepeatsEvery256Bytes) {
  check_repeats<std::int8_t>();
  check_repeats<std::int16_t>();
  check_repeats<std::int32_t>();
  check_repeats<std::int64_t>();
  check_repeats<float>();
}

TEST(MaskBlend, BitsSelectSingleLanes) {
  std::vector<Float16> out(130, Float16::from_bits(0x3C00));
  eval_mask_blend(lane_mask_from_bits(std::uint64_t{1} << 63, 0b101), Dtype::float16,
                  Scalar::from_double(Dtype::float16, -0.0), view_of(out));
  for (std::size_t i = 0; i < out.size(); ++i) {
    const std::size_t lane = i % 128;
    const bool active = lane == 0 || lane == 2 || lane == 127;
    ASSERT_EQ(out[i].bits, active ? 0x3C00 : 0x8000) << i;
  }
}

TEST(MaskBlend, BytesPastLane128AreInactiveUnderBits) {
  std::vector<std::int8_t> out(256, 1);
  eval_mask_blend(lane_mask_from_bits(~0ULL, ~0ULL), Dtype::int8, Scalar::from_int(Dtype::int8, 0),
                  view_of(out));
  for (std::size_t i = 0; i < out.size(); ++i) ASSERT_EQ(out[i], i < 128 ? 1 : 0) << i;
}

// Elements stored wider than declared keep the lanes of their declared dtype (N20).
TEST(MaskBlend, LanesAreThoseOfTheDeclaredDtype) {
  std::vector<double> out(2 * 128 + 5, 1);
  eval_mask_blend(lane_mask_from_count(100), Dtype::float16,
                  Scalar::from_double(Dtype::float64, 0.1), view_of(out));
  for (std::size_t i = 0; i < out.size(); ++i) ASSERT_EQ(out[i], i % 128 < 100 ? 1 : 0.1) << i;
}

}  // namespace
}  // namespace ascemu::refops
