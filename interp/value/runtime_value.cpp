#include "interp/value/runtime_value.h"

#include <algorithm>

namespace ascemu::interp {

std::int64_t add_saturating(std::int64_t a, std::int64_t b) {
  std::int64_t sum = 0;
  if (!__builtin_add_overflow(a, b, &sum)) return sum;
  return a < 0 ? INT64_MIN : INT64_MAX;
}

std::int64_t multiply_saturating(std::int64_t a, std::int64_t b) {
  std::int64_t product = 0;
  if (!__builtin_mul_overflow(a, b, &product)) return product;
  return (a < 0) == (b < 0) ? INT64_MAX : INT64_MIN;
}

Address move_address(const Address& base, std::int64_t offset_elems) {
  return {base.array, add_saturating(base.offset_elems, offset_elems)};
}

Global declare_global(const Address& base, const Shape& dims) {
  Global global{base.array, base.offset_elems, dims, dims};
  std::int64_t stride = 1;
  for (int axis = dims.rank() - 1; axis >= 0; --axis) {
    global.strides[axis] = stride;
    stride = multiply_saturating(stride, std::max<std::int64_t>(dims[axis], 0));
  }
  return global;
}

}  // namespace ascemu::interp
