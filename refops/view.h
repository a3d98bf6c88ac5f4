// Typed, strided windows on bytes: how every op of refops sees its operands.
//
// What it is not: an owner. The caller keeps the bytes alive and guarantees that every addressed
// element lies inside them.
#pragma once

#include <cstddef>

#include "refops/dtype.h"
#include "refops/scalar.h"
#include "refops/shape.h"

namespace ascemu::refops {

struct ConstView {
  const std::byte* data = nullptr;
  Dtype dtype = Dtype::float32;
  Shape shape;
  Strides strides;  // in elements

  bool is_contiguous() const;
};

struct View {
  std::byte* data = nullptr;
  Dtype dtype = Dtype::float32;
  Shape shape;
  Strides strides;

  bool is_contiguous() const;
  operator ConstView() const { return {data, dtype, shape, strides}; }
};

View contiguous_view(std::byte* data, Dtype dtype, const Shape& shape);
ConstView contiguous_view(const std::byte* data, Dtype dtype, const Shape& shape);

}  // namespace ascemu::refops
