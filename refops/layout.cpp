#include <algorithm>
#include <cstring>
#include <type_traits>
#include <vector>
#include <xtensor/xadapt.hpp>
#include <xtensor/xnoalias.hpp>

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

// An xtensor expression over the bytes of a view; `Bits` is const for operands. The size is that of
// the shape, which is all xtensor uses it for: strides address the bytes behind `data`.
template <class Bits>
auto adapt_view(Bits* data, const Shape& shape, const Strides& strides) {
  return xt::adapt(data, static_cast<std::size_t>(shape.count_elems()), xt::no_ownership(),
                   to_dims(shape), to_strides(strides));
}

using CopyPlan = LoopPlan<2>;  // operand 0 the result, operand 1 the source

// Whole rows at a time; returns false when the innermost axis is not dense on both sides.
bool copy_rows(const CopyPlan& plan, std::int64_t size_bytes, const ConstView& x, const View& out) {
  const bool dense = plan.inner == 1 || (plan.inner_strides[0] == 1 && plan.inner_strides[1] == 1);
  if (!dense) return false;
  const auto row_bytes = static_cast<std::size_t>(plan.inner * size_bytes);
  if (row_bytes == 0) return true;
  run_rows(plan, [&](const std::array<std::int64_t, 2>& at) {
    std::memmove(out.data + at[0] * size_bytes, x.data + at[1] * size_bytes, row_bytes);
  });
  return true;
}

// A swap of the two innermost loops in square blocks, so that both sides stay in the cache; returns
// false for any other plan.
template <class Bits>
bool copy_swapped(const CopyPlan& plan, const ConstView& x, const View& out) {
  if (plan.rank == 0 || plan.inner_strides[0] != 1) return false;
  const auto last = static_cast<std::size_t>(plan.rank - 1);
  if (plan.strides[1][last] != 1) return false;
  constexpr std::int64_t kBlock = 16;
  CopyPlan outer = plan;
  outer.rank = plan.rank - 1;
  const std::int64_t lines = plan.dims[last];
  const std::int64_t to = plan.strides[0][last];
  const std::int64_t from = plan.inner_strides[1];
  run_rows(outer, [&](const std::array<std::int64_t, 2>& at) {
    Bits* const target = reinterpret_cast<Bits*>(out.data) + at[0];
    const Bits* const source = reinterpret_cast<const Bits*>(x.data) + at[1];
    for (std::int64_t line = 0; line < lines; line += kBlock) {
      const std::int64_t line_end = std::min(line + kBlock, lines);
      for (std::int64_t column = 0; column < plan.inner; column += kBlock) {
        const std::int64_t column_end = std::min(column + kBlock, plan.inner);
        for (std::int64_t i = line; i < line_end; ++i) {
          for (std::int64_t j = column; j < column_end; ++j)
            target[i * to + j] = source[j * from + i];
        }
      }
    }
  });
  return true;
}

}  // namespace

void eval_transpose(std::span<const int> permutation, const ConstView& x, const View& out) {
  ConstView permuted = x;
  for (int axis = 0; axis < out.shape.rank(); ++axis) {
    const int from = permutation[static_cast<std::size_t>(axis)];
    permuted.shape[axis] = x.shape[from];
    permuted.strides[axis] = x.strides[from];
  }
  eval_copy(permuted, out);
}

void eval_copy(const ConstView& x, const View& out) {
  if (out.shape.count_elems() == 0) return;
  const Strides strides = broadcast_strides(x.shape, x.strides, out.shape);
  const CopyPlan plan = plan_loops<2>(out.shape, {out.strides, strides});
  const std::size_t size_bytes = dtype_size_bytes(out.dtype);
  if (copy_rows(plan, static_cast<std::int64_t>(size_bytes), x, out)) return;
  dispatch_size(size_bytes, [&]<class Bits>(std::type_identity<Bits>) {
    if (copy_swapped<Bits>(plan, x, out)) return;
    if (!out.is_contiguous()) {
      return map_unary<Bits, Bits>(x, out, [](Bits bits) { return bits; });
    }
    // Any permutation or broadcast into a dense result.
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
