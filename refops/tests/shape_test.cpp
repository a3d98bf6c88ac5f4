#include "refops/shape.h"

#include <gtest/gtest.h>

#include "refops/dtype.h"
#include "refops/round.h"
#include "refops/view.h"

namespace ascemu::refops {
namespace {

TEST(Shape, CountsAndPrints) {
  EXPECT_EQ(Shape{}.count_elems(), 1);
  EXPECT_EQ(Shape{}.to_string(), "[]");
  EXPECT_EQ((Shape{2, 3, 4}.count_elems()), 24);
  EXPECT_EQ((Shape{2, 3}.to_string()), "[2, 3]");
  EXPECT_EQ((Shape{2, 0}.count_elems()), 0);
}

TEST(Shape, EqualityIgnoresNothing) {
  Shape grown;
  grown.push_back(2);
  grown.push_back(3);
  EXPECT_EQ(grown, (Shape{2, 3}));
  EXPECT_NE(grown, (Shape{2, 3, 1}));
  EXPECT_NE(grown, (Shape{3, 2}));
}

TEST(Shape, ContiguousStrides) {
  EXPECT_EQ(contiguous_strides(Shape{2, 3, 4}), (Strides{12, 4, 1}));
  EXPECT_EQ(contiguous_strides(Shape{}), Strides{});
}

TEST(Broadcast, FollowsNumpy) {
  EXPECT_EQ(broadcast_shapes(Shape{4, 1}, Shape{3}), (Shape{4, 3}));
  EXPECT_EQ(broadcast_shapes(Shape{3}, Shape{4, 1}), (Shape{4, 3}));
  EXPECT_EQ(broadcast_shapes(Shape{}, Shape{2, 2}), (Shape{2, 2}));
  EXPECT_EQ(broadcast_shapes(Shape{1}, Shape{1}), Shape{1});
  EXPECT_EQ(broadcast_shapes(Shape{2}, Shape{3}), std::nullopt);
  EXPECT_EQ(broadcast_shapes(Shape{2, 1, 5}, Shape{2, 3, 4}), std::nullopt);
}

TEST(Broadcast, RepeatedAxesHaveStrideZero) {
  EXPECT_EQ(broadcast_strides(Shape{4, 1}, Strides{1, 1}, Shape{2, 4, 3}), (Strides{0, 1, 0}));
  EXPECT_EQ(broadcast_strides(Shape{}, Strides{}, Shape{2, 2}), (Strides{0, 0}));
}

TEST(ViewLayout, ContiguityLooksThroughUnitAxes) {
  ConstView view =
      contiguous_view(static_cast<const std::byte*>(nullptr), Dtype::float32, {2, 1, 3});
  EXPECT_TRUE(view.is_contiguous());
  view.strides[1] = 77;
  EXPECT_TRUE(view.is_contiguous());
  view.strides[0] = 4;
  EXPECT_FALSE(view.is_contiguous());
}

TEST(Dtypes, NamesAndSizes) {
  for (int i = 0; i < kDtypeCount; ++i) {
    const auto dtype = static_cast<Dtype>(i);
    EXPECT_EQ(dtype_from_name(dtype_name(dtype)), dtype);
    EXPECT_NE(is_float(dtype), is_integer(dtype));
    const int width = dtype_width_bits(dtype);
    EXPECT_EQ(dtype_size_bytes(dtype), static_cast<std::size_t>(width == 1 ? 1 : width / 8));
  }
  EXPECT_EQ(dtype_from_name("half"), std::nullopt);
  EXPECT_EQ(dtype_name(Dtype::bfloat16), "bfloat16");
  EXPECT_FALSE(is_signed_integer(Dtype::int1));
  EXPECT_FALSE(is_unsigned_integer(Dtype::int1));
  EXPECT_TRUE(is_unsigned_integer(Dtype::uint64));
}

TEST(RoundModes, NumbersAndNames) {
  EXPECT_EQ(round_mode_from_number(6), RoundMode::odd);
  EXPECT_EQ(round_mode_from_number(100), RoundMode::default_mode);
  EXPECT_EQ(round_mode_from_number(7), std::nullopt);
  EXPECT_EQ(round_mode_from_number(-1), std::nullopt);
  EXPECT_EQ(round_mode_name(RoundMode::no_round), "NoRound");
  EXPECT_EQ(round_mode_name(RoundMode::default_mode), "Default");
}

}  // namespace
}  // namespace ascemu::refops
