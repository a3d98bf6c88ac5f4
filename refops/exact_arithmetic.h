// Addition to fused multiply-add of float elements, rounded once in any mode (contract N3, N6).
//
// What it is: the exact path of decision 6, in integers: what the fast paths of arithmetic.h, which
// round to nearest, must agree with, and the only path of the other modes. What it is not: an
// operation of the language, whose arithmetic rounds to nearest even.
//
// Invariant: the exact result rounded once by round_exact, hence infinity past the largest finite
// number in every mode. An exact zero of a sum of unlike signs is +0, in the mode floor -0. NaN is
// canonical. T is Float16, Bfloat16 or float.
#pragma once

#include "refops/element.h"
#include "refops/round.h"

namespace ascemu::refops::exact {

template <class T>
T add(T a, T b, RoundMode mode);
template <class T>
T sub(T a, T b, RoundMode mode);
template <class T>
T mul(T a, T b, RoundMode mode);
template <class T>
T div(T a, T b, RoundMode mode);
template <class T>
T sqrt(T x, RoundMode mode);
// a * b + c.
template <class T>
T fma(T a, T b, T c, RoundMode mode);

}  // namespace ascemu::refops::exact
