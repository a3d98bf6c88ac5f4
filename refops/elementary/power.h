// pow of two float elements.
//
// What it is: special values (C99 F.9.4.4), exact results, and exp(y log(x)) in double, then in
// double-double.
// What it is not: integer pow (transcendental.h).
//
// Invariant: results that are exact, ties between two elements among them, are found by integer
// arithmetic and rounded as such. Every other result is irrational or needs more bits than a tie
// has, and is rounded from a value within 2^-90 of it, relatively. Such a value can be off only
// when the exact one lies within 2^-90 of a tie: for operands without structure the chance is 2^-65
// per pair, 2^-1 over all 2^64 pairs of float32; float16 and bfloat16 are checked in the tests.
#pragma once

#include <optional>

#include "refops/elementary/double_double.h"

namespace ascemu::refops::elementary {

// The results that need no evaluation: zeros, infinities, NaN, y = 0, |x| = 1, x < 0 to a fraction.
std::optional<double> special_power(double x, double y);
// x^y for positive finite x when it is a number of at most 53 bits. x and y have at most 24 bits.
std::optional<double> exact_power(double x, double y);
// For positive finite x and |y log(x)| < 800; relative error below 2^-90.
DoubleDouble accurate_power(double x, double y);

// The element for any operands, by the first step that settles it.
template <class T>
T resolve_power(double x, double y);

}  // namespace ascemu::refops::elementary
