// The elementary functions in double-double: what decides when a plain double does not.
//
// What it is: evaluations with a relative error below 2^-95 for the operands of their comments.
// What it is not: special values, rounding (functions.h), speed (about a microsecond each).
//
// Invariant: only double-double arithmetic and integer operations; the same bits everywhere.
#pragma once

#include <cstdint>

#include "refops/elementary/double_double.h"

namespace ascemu::refops::elementary::accurate {

// |x| < 800; overflows to an infinite high part.
DoubleDouble exp(DoubleDouble x);
// |x| < 1100; exact for integers.
DoubleDouble exp2(double x);
// Positive finite x, subnormal doubles included.
DoubleDouble log(double x);
// As log; exact for powers of two.
DoubleDouble log2(double x);
DoubleDouble rsqrt(double x);

// A finite x minus the nearest multiple of pi/2, which is `number` modulo 4.
struct Quadrant {
  DoubleDouble r;
  std::uint64_t number = 0;
};
Quadrant reduce(double x);
DoubleDouble sin_of(const Quadrant& q);
DoubleDouble cos_of(const Quadrant& q);
DoubleDouble tan_of(const Quadrant& q);

// 2^-400 < |x| < 711.
DoubleDouble sinh(double x);
DoubleDouble cosh(double x);
DoubleDouble tanh(double x);
// 0 < |x| <= 6.
DoubleDouble erf(double x);

}  // namespace ascemu::refops::elementary::accurate
