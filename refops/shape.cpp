#include "refops/shape.h"

#include <cassert>

namespace ascemu::refops {

Shape::Shape(std::initializer_list<std::int64_t> dims)
    : Shape(std::span<const std::int64_t>(dims.begin(), dims.size())) {}

Shape::Shape(std::span<const std::int64_t> dims) {
  for (const std::int64_t dim : dims) push_back(dim);
}

std::int64_t Shape::count_elems() const {
  std::int64_t count = 1;
  for (const std::int64_t dim : dims()) count *= dim;
  return count;
}

void Shape::push_back(std::int64_t dim) {
  assert(rank_ < kMaxRank);
  if (rank_ < kMaxRank) dims_[static_cast<std::size_t>(rank_++)] = dim;
}

std::string Shape::to_string() const {
  std::string text = "[";
  for (int axis = 0; axis < rank_; ++axis) {
    if (axis > 0) text += ", ";
    text += std::to_string((*this)[axis]);
  }
  return text + "]";
}

Strides contiguous_strides(const Shape& shape) {
  Strides strides = shape;
  std::int64_t stride = 1;
  for (int axis = shape.rank() - 1; axis >= 0; --axis) {
    strides[axis] = stride;
    stride *= shape[axis];
  }
  return strides;
}

std::optional<Shape> broadcast_shapes(const Shape& a, const Shape& b) {
  const Shape& longer = a.rank() >= b.rank() ? a : b;
  const Shape& shorter = a.rank() >= b.rank() ? b : a;
  Shape result = longer;
  const int lead = longer.rank() - shorter.rank();
  for (int axis = 0; axis < shorter.rank(); ++axis) {
    const std::int64_t left = longer[lead + axis];
    const std::int64_t right = shorter[axis];
    if (left != right && left != 1 && right != 1) return std::nullopt;
    result[lead + axis] = left == 1 ? right : left;
  }
  return result;
}

Strides broadcast_strides(const Shape& from, const Strides& strides, const Shape& to) {
  assert(from.rank() <= to.rank() && strides.rank() == from.rank());
  Strides result = to;
  const int lead = to.rank() - from.rank();
  for (int axis = 0; axis < to.rank(); ++axis) {
    const bool repeated = axis < lead || (from[axis - lead] == 1 && to[axis] != 1);
    assert(repeated || from[axis - lead] == to[axis]);
    result[axis] = repeated ? 0 : strides[axis - lead];
  }
  return result;
}

}  // namespace ascemu::refops
