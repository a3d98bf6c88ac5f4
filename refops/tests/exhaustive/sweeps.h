// The exhaustive checks there are.
//
// What it is: makers of Sweeps. Codes: the pattern of a float32 operand, or a float16 pair as
// left * 65536 + right.
// What it is not: their running (sweep.h).
//
// Invariant: the expected results share no code with refops but the element types.
#pragma once

#include <vector>

#include "refops/tests/exhaustive/sweep.h"

namespace ascemu::refops::exhaustive {

// Elementary functions of float32: exp, log, sqrt, rsqrt, tanh, erf, sin, cos, exp2, log2, tan,
// sinh, cosh, in this order.
std::vector<Sweep> float32_functions();
// The first eight are those of the contract's proof.
inline constexpr std::size_t kRequiredFunctions = 8;

// Arithmetic, pow, maximum, minimum and comparisons of float16.
std::vector<Sweep> float16_pairs();

}  // namespace ascemu::refops::exhaustive
