// One step of the cube without any error before its one rounding (contract N14.1).
//
// What it is: the sum of an accumulator and of products of float32 values, whatever their
// exponents, rounded to nearest even once; the answer for infinities and NaN. It decides what the
// fast kernels of groups.h leave open.
// What it is not: fast (a few hundred nanoseconds).
//
// Invariant: integer arithmetic on the patterns only.
#pragma once

#include <cstdint>

namespace ascemu::refops::cube {

// The values of a and b, `count` of them, are float32 numbers stored as doubles, the strides in
// elements. A zero result is -0 when every term is -0, else +0. A NaN has any payload.
float join_exactly(float accumulator, const double* a, std::int64_t a_stride, const double* b,
                   std::int64_t b_stride, std::int64_t count);

}  // namespace ascemu::refops::cube
