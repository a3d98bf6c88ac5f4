// The functions that a device computes as several operations (contract N11, mode npu).
//
// What it is: the ops of N11.1 to N11.11 over views, for targets that compose functions.
// What it is not: the correctly rounded functions (elementary/), exp, log and sqrt (N6), which are
// single operations, or their steps (steps.h).
//
// Invariant: a float16 operand is widened to float32, the composition runs in float32 and the
// result is rounded once; exp2 and rsqrt run in the dtype. Results are settled (N2.1, N4).
#pragma once

#include "refops/composed/steps.h"
#include "refops/ops.h"
#include "refops/view.h"

namespace ascemu::refops::composed {

// Whether eval_unary here defines the op.
bool is_composed(OpId op);
// Preconditions as those of refops/eval.h; float16 and float32.
void eval_unary(OpId op, const Behaviour& target, const ConstView& x, const View& out);
// N11.11.
void eval_pow(const Behaviour& target, const ConstView& base, const ConstView& exponent,
              const View& out);

}  // namespace ascemu::refops::composed
