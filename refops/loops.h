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

template <class Out, class In, class F>
void map_unary(const ConstView& x, const View& out, F f) {
  const auto plan =
      plan_loops<2>(out.shape, {out.strides, broadcast_strides(x.shape, x.strides, out.shape)});
  const auto* source = reinterpret_cast<const In*>(x.data);
  auto* target = reinterpret_cast<Out*>(out.data);
  const auto [to, from] = plan.inner_strides;
  const std::int64_t count = plan.inner;
  run_rows(plan, [&](const std::array<std::int64_t, 2>& at) {
    Out* const row = target + at[0];
    const In* const row_x = source + at[1];
    if (to == 1 && from == 1) {
#pragma omp simd
      for (std::int64_t i = 0; i < count; ++i) row[i] = f(row_x[i]);
    } else {
      for (std::int64_t i = 0; i < count; ++i) row[i * to] = f(row_x[i * from]);
    }
  });
}

template <class Out, class In, class F>
void map_binary(const ConstView& a, const ConstView& b, const View& out, F f) {
  const auto plan =
      plan_loops<3>(out.shape, {out.strides, broadcast_strides(a.shape, a.strides, out.shape),
                                broadcast_strides(b.shape, b.strides, out.shape)});
  const auto* source_a = reinterpret_cast<const In*>(a.data);
  const auto* source_b = reinterpret_cast<const In*>(b.data);
  auto* target = reinterpret_cast<Out*>(out.data);
  const auto [to, from_a, from_b] = plan.inner_strides;
  const std::int64_t count = plan.inner;
  run_rows(plan, [&](const std::array<std::int64_t, 3>& at) {
    Out* const row = target + at[0];
    const In* const row_a = source_a + at[1];
    const In* const row_b = source_b + at[2];
    if (to == 1 && from_a == 1 && from_b == 1) {
#pragma omp simd
      for (std::int64_t i = 0; i < count; ++i) row[i] = f(row_a[i], row_b[i]);
    } else if (to == 1 && from_a == 1 && from_b == 0) {
      const In fixed = *row_b;
#pragma omp simd
      for (std::int64_t i = 0; i < count; ++i) row[i] = f(row_a[i], fixed);
    } else if (to == 1 && from_a == 0 && from_b == 1) {
      const In fixed = *row_a;
#pragma omp simd
      for (std::int64_t i = 0; i < count; ++i) row[i] = f(fixed, row_b[i]);
    } else {
      for (std::int64_t i = 0; i < count; ++i)
        row[i * to] = f(row_a[i * from_a], row_b[i * from_b]);
    }
  });
}

}  // namespace ascemu::refops
