// Element loops whose float results are settled (N2.1, N4) while they are in the nearest cache.
//
// What it is: run_kernel, map_unary and map_binary with a Behaviour.
// What it is not: meaning; target/settle.h says what settling is.
//
// Invariant: where narrow() already settles, and for integers, the loops are those of loops.h.
#pragma once

#include "refops/loops.h"
#include "refops/target/behaviour.h"

namespace ascemu::refops {

// As run_kernel; defined for 2 and 3 operands, the result included.
template <int kOperands>
void run_settled_kernel(const Behaviour& behaviour, const View& result,
                        const std::array<ConstView, kOperands - 1>& operands, RowKernel kernel,
                        const void* context);

template <class Out, class In, class F>
void map_settled_unary(const Behaviour& behaviour, const ConstView& x, const View& out,
                       const F& f) {
  run_settled_kernel<2>(behaviour, out, {x}, unary_row<Out, In, F>, &f);
}

template <class Out, class In, class F>
void map_settled_binary(const Behaviour& behaviour, const ConstView& a, const ConstView& b,
                        const View& out, const F& f) {
  run_settled_kernel<3>(behaviour, out, {a, b}, binary_row<Out, In, F>, &f);
}

}  // namespace ascemu::refops
