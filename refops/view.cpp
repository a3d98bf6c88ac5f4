#include "refops/view.h"

namespace ascemu::refops {
namespace {

bool strides_are_contiguous(const Shape& shape, const Strides& strides) {
  std::int64_t expected = 1;
  for (int axis = shape.rank() - 1; axis >= 0; --axis) {
    if (shape[axis] != 1 && strides[axis] != expected) return false;
    expected *= shape[axis];
  }
  return true;
}

}  // namespace

bool ConstView::is_contiguous() const { return strides_are_contiguous(shape, strides); }
bool View::is_contiguous() const { return strides_are_contiguous(shape, strides); }

View contiguous_view(std::byte* data, Dtype dtype, const Shape& shape) {
  return {data, dtype, shape, contiguous_strides(shape)};
}

ConstView contiguous_view(const std::byte* data, Dtype dtype, const Shape& shape) {
  return {data, dtype, shape, contiguous_strides(shape)};
}

}  // namespace ascemu::refops
