// The row sums of softmax and the norms, in float32 or, in the mode fp64, in float64 (contract N13,
// N19).
//
// What it is: one sum per row in the order that the target's library uses.
// What it is not: a reduction of the language (whole_sum.h, axis_sum.h).
//
// Invariant: one rounding per addition; NaNs are not settled yet.
#pragma once

#include <vector>

#include "refops/target/behaviour.h"

namespace ascemu::refops::sums {

float sum_row(RowSum order, const std::vector<float>& values);
// Always ascending.
double sum_row(RowSum order, const std::vector<double>& values);

}  // namespace ascemu::refops::sums
