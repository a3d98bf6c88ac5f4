#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>

#include "refops/eval.h"
#include "refops/tests/arrays.h"

namespace ascemu::refops {
namespace {

template <class T>
std::vector<T> ramp(std::int64_t count) {
  std::vector<T> values(static_cast<std::size_t>(count));
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = static_cast<T>(i * 7 + 1);
  return values;
}

template <class T>
void check_permutation(const Shape& shape, const std::vector<int>& permutation) {
  const auto x = ramp<T>(shape.count_elems());
  Shape turned = shape;
  for (int axis = 0; axis < shape.rank(); ++axis) {
    turned[axis] = shape[permutation[static_cast<std::size_t>(axis)]];
  }
  std::vector<T> out(x.size());
  eval_transpose(permutation, view_of(x, shape), view_of(out, turned));
  const Strides strides = contiguous_strides(shape);
  for (std::int64_t flat = 0; flat < turned.count_elems(); ++flat) {
    std::int64_t rest = flat;
    std::int64_t from = 0;
    for (int axis = turned.rank() - 1; axis >= 0; --axis) {
      from += rest % turned[axis] * strides[permutation[static_cast<std::size_t>(axis)]];
      rest /= turned[axis];
    }
    ASSERT_EQ(out[static_cast<std::size_t>(flat)], x[static_cast<std::size_t>(from)])
        << shape.to_string() << " at " << flat;
  }
}

TEST(Transpose, EveryPermutationOfFourAxesAndElementSize) {
  std::vector<int> permutation{0, 1, 2, 3};
  do {
    check_permutation<std::int8_t>({2, 3, 4, 5}, permutation);
    check_permutation<std::int16_t>({3, 1, 17, 2}, permutation);
    check_permutation<std::int32_t>({1, 18, 3, 20}, permutation);
    check_permutation<std::int64_t>({2, 2, 2, 33}, permutation);
  } while (std::next_permutation(permutation.begin(), permutation.end()));
}

TEST(Transpose, BlocksCoverEveryRemainder) {
  for (const std::int64_t rows : {1, 15, 16, 17, 40}) {
    for (const std::int64_t columns : {1, 15, 16, 33})
      check_permutation<std::int32_t>({rows, columns}, {1, 0});
  }
}

TEST(Copy, BroadcastsAndWritesStridedViews) {
  const std::vector<std::int16_t> x{1, 2, 3};
  std::vector<std::int16_t> rows(6);
  eval_copy(view_of(x, {1, 3}), view_of(rows, {2, 3}));
  EXPECT_EQ(rows, (std::vector<std::int16_t>{1, 2, 3, 1, 2, 3}));
  std::vector<std::int16_t> columns(6);
  eval_copy(view_of(x, {3, 1}), view_of(columns, {3, 2}));
  EXPECT_EQ(columns, (std::vector<std::int16_t>{1, 1, 2, 2, 3, 3}));
  std::vector<std::int16_t> grid(12);
  View window = view_of(grid, {3, 4});
  window.data += sizeof(std::int16_t);
  window.shape = Shape{3, 2};
  eval_copy(view_of(x, {3, 1}), window);
  EXPECT_EQ(grid, (std::vector<std::int16_t>{0, 1, 1, 0, 0, 2, 2, 0, 0, 3, 3, 0}));
  View column = view_of(grid, {3, 4});
  column.shape = Shape{3};
  column.strides = Strides{4};
  eval_copy(view_of(x), column);
  EXPECT_EQ(grid, (std::vector<std::int16_t>{1, 1, 1, 0, 2, 2, 2, 0, 3, 3, 3, 0}));
}

TEST(Copy, KeepsEveryBit) {
  const auto x = halves({0xFD55, 0x8000, 0x7E01});
  std::vector<Float16> out(3);
  eval_copy(view_of(x), view_of(out));
  EXPECT_EQ(bits_of(out), (Bits{0xFD55, 0x8000, 0x7E01}));
}

TEST(Concat, JoinsAlongTheFirstAxis) {
  const std::vector<std::int32_t> a{1, 2, 3, 4};
  const std::vector<std::int32_t> b{5, 6};
  const std::vector<std::int32_t> c{7, 8, 9, 10};
  ConstView turned = view_of(c, {2, 2});
  turned.strides = Strides{1, 2};
  std::vector<std::int32_t> out(10);
  const ConstView inputs[] = {view_of(a, {2, 2}), view_of(b, {1, 2}), turned};
  eval_concat(inputs, view_of(out, {5, 2}));
  EXPECT_EQ(out, (std::vector<std::int32_t>{1, 2, 3, 4, 5, 6, 7, 9, 8, 10}));
}

TEST(Fill, WritesEveryDtypeAndOnlyTheView) {
  for (int i = 0; i < kDtypeCount; ++i) {
    const auto dtype = static_cast<Dtype>(i);
    const Scalar value = Scalar::from_int(dtype, 1);
    std::vector<std::byte> bytes(3 * dtype_size_bytes(dtype));
    eval_fill(value, contiguous_view(bytes.data(), dtype, {3}));
    for (std::size_t at = 0; at < 3; ++at) {
      EXPECT_EQ(Scalar::load(dtype, bytes.data() + at * dtype_size_bytes(dtype)), value);
    }
  }
  std::vector<std::int32_t> grid(6);
  View column = view_of(grid, {2, 3});
  column.shape = Shape{2};
  column.strides = Strides{3};
  eval_fill(Scalar::from_int(Dtype::int32, -9), column);
  EXPECT_EQ(grid, (std::vector<std::int32_t>{-9, 0, 0, -9, 0, 0}));
}

TEST(EmptyLayouts, TouchNothing) {
  std::vector<float> x{1};
  std::vector<float> out{7};
  eval_copy(view_of(x, {0, 3}), view_of(out, {0, 3}));
  eval_transpose(std::vector<int>{1, 0}, view_of(x, {0, 3}), view_of(out, {3, 0}));
  eval_fill(Scalar::from_int(Dtype::float32, 1), view_of(out, {0}));
  EXPECT_EQ(out[0], 7);
}

}  // namespace
}  // namespace ascemu::refops
