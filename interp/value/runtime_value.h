// What a slot holds while a block runs: a closed variant.
//
// What it is: scalars, views of local tensors, moved pointers and declared global tensors. What it
// is not: names or positions; the Program knows those. Invariants: a local tensor view addresses
// only bytes of its allocation; its elements never change after the statement that made it, except
// those of an accumulator (matmul_acc). A Global's strides are row-major over its declared
// dimensions; one that does not fit 64 bits is INT64_MAX.
#pragma once

#include <cstddef>
#include <cstdint>
#include <variant>
#include <vector>

#include "interp/ast/types.h"
#include "interp/value/allocation.h"
#include "refops/scalar.h"
#include "refops/view.h"

namespace ascemu::interp {

struct LocalTensor {
  AllocationRef allocation;
  std::int64_t offset_bytes = 0;
  Dtype dtype = Dtype::float32;     // of the stored elements
  Dtype declared = Dtype::float32;  // of the kernel's tensor; differs only where N19 holds
  Space space = Space::ub;
  Shape shape;
  refops::Strides strides;  // in elements

  std::byte* data() const { return allocation->data() + offset_bytes; }
  refops::ConstView view() const { return {data(), dtype, shape, strides}; }
  refops::View mutable_view() const { return {data(), dtype, shape, strides}; }
};

// A pointer parameter, moved by offset_elems. `array` is the parameter's index.
struct Address {
  std::uint32_t array = 0;
  std::int64_t offset_elems = 0;
};

// A declared view of an array (spec asc2 §5.6). Dimensions may be anything the kernel computed,
// also zero or negative.
struct Global {
  std::uint32_t array = 0;
  std::int64_t offset_elems = 0;
  Shape dims;
  refops::Strides strides;
};

using RuntimeValue = std::variant<std::monostate, refops::Scalar, LocalTensor, Address, Global>;
using SlotValues = std::vector<RuntimeValue>;

// a + b and a * b, held at the ends of the 64-bit range when they do not fit it.
std::int64_t add_saturating(std::int64_t a, std::int64_t b);
std::int64_t multiply_saturating(std::int64_t a, std::int64_t b);

// The address moved by that many elements; it stays at the end of the 64-bit range when it would
// leave it.
Address move_address(const Address& base, std::int64_t offset_elems);
// Declares dims over the pointer. Requires dims.rank() >= 1.
Global declare_global(const Address& base, const Shape& dims);

}  // namespace ascemu::interp
