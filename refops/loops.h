// How element-wise ops walk strided, broadcasting operands.
//
// What it is: a plan of nested loops (size-1 axes dropped, mergeable axes merged) and templates
// that run a function object over it, contiguous inner loops in a form the compiler vectorises.
// What it is not: meaning.
//
// Invariant: elements are visited in row-major order of the result; an operand may be the very
// bytes of the result, never a partial overlap.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "refops/view.h"

namespace ascemu::refops {

// Operand 0 is the result. Strides are in elements; the innermost loop is the last axis.
template <int kOperands>
struct LoopPlan {
  int rank = 0;  // number of outer loops
  std::array<std::int64_t, kMaxRank> dims{};
  std::array<std::array<std::int64_t, kMaxRank>, kOperands> strides{};
  std::int64_t inner = 1;
  std::array<std::int64_t, kOperands> inner_strides{};
};

namespace detail {

// Writes the merged nest into dims/strides (operand-major, kMaxRank apart) and returns its rank.
int merge_axes(const Shape& shape, int operands, const Strides* operand_strides, std::int64_t* dims,
               std::int64_t* strides);

}  // namespace detail

// Every operand broadcasts to `shape`. The result's strides come first.
template <int kOperands>
LoopPlan<kOperands> plan_loops(const Shape& shape,
                               const std::array<Strides, kOperands>& operand_strides) {
  LoopPlan<kOperands> plan;
  const int rank = detail::merge_axes(shape, kOperands, operand_strides.data(), plan.dims.data(),
                                      plan.strides[0].data());
  if (rank > 0) {
    const auto last = static_cast<std::size_t>(rank - 1);
    plan.inner = plan.dims[last];
    for (std::size_t i = 0; i < kOperands; ++i) plan.inner_strides[i] = plan.strides[i][last];
    plan.rank = rank - 1;
  }
  return plan;
}

// Calls body(offsets) once per innermost row, offsets in elements.
template <int kOperands, class Body>
void run_rows(const LoopPlan<kOperands>& plan, Body&& body) {
  std::array<std::int64_t, kOperands> offsets{};
  std::array<std::int64_t, kMaxRank> index{};
  for (int axis = 0; axis < plan.rank; ++axis) {
    if (plan.dims[static_cast<std::size_t>(axis)] == 0) return;
  }
  while (true) {
    body(offsets);
    int axis = plan.rank - 1;
    for (; axis >= 0; --axis) {
      const auto at = static_cast<std::size_t>(axis);
      for (std::size_t i = 0; i < kOperands; ++i) offsets[i] += plan.strides[i][at];
      if (++index[at] < plan.dims[at]) break;
      for (std::size_t i = 0; i < kOperands; ++i) offsets[i] -= plan.strides[i][at] * plan.dims[at];
      index[at] = 0;
    }
    if (axis < 0) return;
  }
}

// Computes `count` elements: result and operands are contiguous there (the result may be an
// operand).
using RowKernel = void (*)(const void* context, std::int64_t count, std::byte* result,
                           const std::byte* const* operands);

// Calls the kernel over the whole shape. Rows whose operands or result are not contiguous go
// through small buffers, so that one kernel per op and dtype serves every layout. Defined for 2 to
// 4 operands, the result included.
template <int kOperands>
void run_kernel(const View& result, const std::array<ConstView, kOperands - 1>& operands,
                RowKernel kernel, const void* context);

// The kernels of a function object; it is the context.
template <class Out, class In, class F>
void unary_row(const void* context, std::int64_t count, std::byte* result,
               const std::byte* const* operands) {
  const F meaning = *static_cast<const F*>(context);
  auto* target = reinterpret_cast<Out*>(result);
  const auto* source = reinterpret_cast<const In*>(operands[0]);
#pragma omp simd
  for (std::int64_t i = 0; i < count; ++i) target[i] = meaning(source[i]);
}

template <class Out, class In, class F>
void binary_row(const void* context, std::int64_t count, std::byte* result,
                const std::byte* const* operands) {
  const F meaning = *static_cast<const F*>(context);
  auto* target = reinterpret_cast<Out*>(result);
  const auto* left = reinterpret_cast<const In*>(operands[0]);
  const auto* right = reinterpret_cast<const In*>(operands[1]);
#pragma omp simd
  for (std::int64_t i = 0; i < count; ++i) target[i] = meaning(left[i], right[i]);
}

template <class Out, class In, class F>
void map_unary(const ConstView& x, const View& out, const F& f) {
  run_kernel<2>(out, {x}, unary_row<Out, In, F>, &f);
}

template <class Out, class In, class F>
void map_binary(const ConstView& a, const ConstView& b, const View& out, const F& f) {
  run_kernel<3>(out, {a, b}, binary_row<Out, In, F>, &f);
}

}  // namespace ascemu::refops
