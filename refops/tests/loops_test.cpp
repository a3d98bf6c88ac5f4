// How element-wise ops walk their operands, seen through the public door (eval.h).
#include <gtest/gtest.h>

#include "refops/eval.h"
#include "refops/tests/arrays.h"

namespace ascemu::refops {
namespace {

std::vector<float> ramp(std::int64_t count) {
  std::vector<float> values(static_cast<std::size_t>(count));
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = static_cast<float>(i + 1);
  return values;
}

std::int64_t offset_of(const Shape& index, const Strides& strides) {
  std::int64_t offset = 0;
  for (int axis = 0; axis < strides.rank(); ++axis) offset += index[axis] * strides[axis];
  return offset;
}

// Every index of a shape in row-major order.
std::vector<Shape> indices_of(const Shape& shape) {
  std::vector<Shape> all;
  for (std::int64_t flat = 0; flat < shape.count_elems(); ++flat) {
    Shape index = shape;
    std::int64_t rest = flat;
    for (int axis = shape.rank() - 1; axis >= 0; --axis) {
      index[axis] = rest % shape[axis];
      rest /= shape[axis];
    }
    all.push_back(index);
  }
  return all;
}

TEST(Broadcasting, RandomShapesMatchTheNaiveWalk) {
  std::mt19937 random(19);
  for (int round = 0; round < 300; ++round) {
    Shape shape;
    const int rank = static_cast<int>(random() % 5);
    for (int axis = 0; axis < rank; ++axis) shape.push_back(1 + random() % 5);
    const auto shrink = [&](const Shape& full) {
      Shape result;
      for (int axis = static_cast<int>(random() % (rank + 1)); axis < rank; ++axis) {
        result.push_back(random() % 3 == 0 ? 1 : full[axis]);
      }
      return result;
    };
    const Shape shape_a = shrink(shape);
    const Shape shape_b = shrink(shape);
    const Shape result = *broadcast_shapes(shape_a, shape_b);
    const auto a = ramp(shape_a.count_elems());
    auto b = ramp(shape_b.count_elems());
    for (float& value : b) value *= 1000;
    std::vector<float> out(static_cast<std::size_t>(result.count_elems()));
    eval_binary(OpId::sub_, Policy{}, view_of(a, shape_a), view_of(b, shape_b),
                view_of(out, result));
    const Strides strides_a = broadcast_strides(shape_a, contiguous_strides(shape_a), result);
    const Strides strides_b = broadcast_strides(shape_b, contiguous_strides(shape_b), result);
    std::size_t at = 0;
    for (const Shape& index : indices_of(result)) {
      const float expected = a[static_cast<std::size_t>(offset_of(index, strides_a))] -
                             b[static_cast<std::size_t>(offset_of(index, strides_b))];
      ASSERT_EQ(out[at++], expected) << shape_a.to_string() << shape_b.to_string();
    }
  }
}

TEST(Strides, OperandsMayBeAnyViewOfTheirBytes) {
  const auto base = ramp(24);
  ConstView columns = view_of(base, Shape{4, 6});
  columns.shape = Shape{6, 2};
  columns.strides = Strides{1, 12};
  const std::vector<float> one{1};
  std::vector<float> out(12);
  eval_binary(OpId::add_, Policy{}, columns, view_of(one, Shape{}), view_of(out, Shape{6, 2}));
  EXPECT_EQ(out, (std::vector<float>{2, 14, 3, 15, 4, 16, 5, 17, 6, 18, 7, 19}));
}

TEST(Aliasing, TheResultMayBeAnOperand) {
  auto a = ramp(1000);
  const auto b = ramp(1000);
  eval_binary(OpId::add_, Policy{}, view_of(a), view_of(b), view_of(a));
  for (std::size_t i = 0; i < a.size(); ++i) ASSERT_EQ(a[i], 2 * static_cast<float>(i + 1));
  eval_binary(OpId::mul_, Policy{}, view_of(a), view_of(a), view_of(a));
  for (std::size_t i = 0; i < a.size(); ++i) ASSERT_EQ(a[i], 4 * b[i] * b[i]);
  eval_unary(OpId::negative_, Policy{}, view_of(a), view_of(a));
  for (std::size_t i = 0; i < a.size(); ++i) ASSERT_EQ(a[i], -4 * b[i] * b[i]);
}

// A vectorised body and its tail give the bits of the one-element call, for every length and both
// scalar sides.
TEST(FastPaths, EqualTheOneElementCall) {
  std::mt19937 random(23);
  for (int length = 1; length < 40; ++length) {
    std::vector<Float16> a;
    std::vector<Float16> b;
    for (int i = 0; i < length; ++i) {
      a.push_back(Float16::from_bits(static_cast<std::uint16_t>(random())));
      b.push_back(Float16::from_bits(static_cast<std::uint16_t>(random())));
    }
    for (const OpId op : {OpId::add_, OpId::mul_, OpId::div_, OpId::maximum_, OpId::minimum_}) {
      std::vector<Float16> out(a.size());
      const auto expect_each = [&](const ConstView& left, const ConstView& right) {
        eval_binary(op, Policy{}, left, right, view_of(out));
        for (std::size_t i = 0; i < out.size(); ++i) {
          std::vector<Float16> single(1);
          const bool fixed_left = left.shape.rank() == 0;
          const bool fixed_right = right.shape.rank() == 0;
          const std::vector<Float16> x{a[fixed_left ? 0 : i]};
          const std::vector<Float16> y{b[fixed_right ? 0 : i]};
          eval_binary(op, Policy{}, view_of(x), view_of(y), view_of(single));
          ASSERT_EQ(out[i].bits, single[0].bits) << op_name(op) << " " << i << "/" << length;
        }
      };
      expect_each(view_of(std::as_const(a)), view_of(std::as_const(b)));
      expect_each(view_of(std::as_const(a), Shape{}), view_of(std::as_const(b)));
      expect_each(view_of(std::as_const(a)), view_of(std::as_const(b), Shape{}));
    }
  }
}

TEST(EmptyShapes, TouchNothing) {
  std::vector<float> out{7};
  std::vector<float> x{1};
  eval_unary(OpId::negative_, Policy{}, view_of(x, Shape{3, 0}), view_of(out, Shape{3, 0}));
  eval_unary(OpId::negative_, Policy{}, view_of(x, Shape{0, 3}), view_of(out, Shape{0, 3}));
  EXPECT_EQ(out[0], 7);
}

}  // namespace
}  // namespace ascemu::refops
