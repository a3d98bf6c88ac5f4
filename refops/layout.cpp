#include <cstring>
#include <type_traits>
#include <vector>
#include <xtensor/xadapt.hpp>
#include <xtensor/xnoalias.hpp>
#include <xtensor/xstrided_view.hpp>

#include "refops/eval.h"
#include "refops/loops.h"

namespace ascemu::refops {
namespace {

// Layout ops move bits: one instance per element size.
template <class F>
void dispatch_size(std::size_t size_bytes, F&& f) {
  switch (size_bytes) {
    case 1:
      return f(std::type_identity<std::uint8_t>{});
    case 2:
      return f(std::type_identity<std::uint16_t>{});
    case 4:
      return f(std::type_identity<std::uint32_t>{});
    default:
      return f(std::type_identity<std::uint64_t>{});
  }
}

std::vector<std::size_t> to_dims(const Shape& shape) {
  return {shape.dims().begin(), shape.dims().end()};
}

std::vector<std::ptrdiff_t> to_strides(const Strides& strides) {
  return {strides.dims().begin(), strides.dims().end()};
}

// Number of elements between the first and one past the last that the strides address.
std::size_t addressed_elems(const Shape& shape, const Strides& strides) {
  std::int64_t last = 0;
  for (int axis = 0; axis < shape.rank(); ++axis) last += (shape[axis] - 1) * strides[axis];
  return static_cast<std::size_t>(last + 1);
}

// An xtensor expression over the bytes of a view; `Bits` is const for operands.
template <class Bits>
auto adapt_view(Bits* data, const Shape& shape, const Strides& strides) {
  return xt::adapt(data, addressed_elems(shape, strides), xt::no_ownership(), to_dims(shape),
                   to_strides(strides));
}

// Rows of whole elements when both innermost axes are dense; returns false when they are not.
bool copy_rows(const ConstView& x, const View& out) {
  const auto plan =
      plan_loops<2>(out.shape, {out.strides, broadcast_strides(x.shape, x.strides, out.shape)});
  const bool dense = plan.inner == 1 || (plan.inner_strides[0] == 1 && plan.inner_strides[1] == 1);
  if (!dense) return false;
  const auto size = static_cast<std::int64_t>(dtype_size_bytes(out.dtype));
  const auto row_bytes = static_cast<std::size_t>(plan.inner * size);
  if (row_bytes == 0) return true;
  run_rows(plan, [&](const std::array<std::int64_t, 2>& at) {
    std::memmove(out.data + at[0] * size, x.data + at[1] * size, row_bytes);
  });
  return true;
}

}  // namespace

void eval_transpose(std::span<const int> permutation, const ConstView& x, const View& out) {
  if (out.shape.count_elems() == 0) return;
  dispatch_size(dtype_size_bytes(x.dtype), [&]<class Bits>(std::type_identity<Bits>) {
    const auto source = adapt_view(reinterpret_cast<const Bits*>(x.data), x.shape, x.strides);
    auto target = adapt_view(reinterpret_cast<Bits*>(out.data), out.shape, out.strides);
    const std::vector<std::size_t> axes(permutation.begin(), permutation.end());
    xt::noalias(target) = xt::transpose(source, axes);
  });
}

void eval_copy(const ConstView& x, const View& out) {
  if (out.shape.count_elems() == 0 || copy_rows(x, out)) return;
  dispatch_size(dtype_size_bytes(x.dtype), [&]<class Bits>(std::type_identity<Bits>) {
    const Strides strides = broadcast_strides(x.shape, x.strides, out.shape);
    const auto source = adapt_view(reinterpret_cast<const Bits*>(x.data), out.shape, strides);
    auto target = adapt_view(reinterpret_cast<Bits*>(out.data), out.shape, out.strides);
    xt::noalias(target) = source;
  });
}

void eval_concat(std::span<const ConstView> inputs, const View& out) {
  const auto size = static_cast<std::int64_t>(dtype_size_bytes(out.dtype));
  View part = out;
  for (const ConstView& input : inputs) {
    part.shape[0] = input.shape[0];
    eval_copy(input, part);
    part.data += input.shape[0] * out.strides[0] * size;
  }
}

void eval_fill(const Scalar& value, const View& out) {
  std::byte bytes[sizeof(std::uint64_t)];
  value.store(bytes);
  dispatch_size(dtype_size_bytes(out.dtype), [&]<class Bits>(std::type_identity<Bits>) {
    const ConstView source =
        contiguous_view(static_cast<const std::byte*>(bytes), out.dtype, Shape{});
    map_unary<Bits, Bits>(source, out, [](Bits bits) { return bits; });
  });
}

}  // namespace ascemu::refops
