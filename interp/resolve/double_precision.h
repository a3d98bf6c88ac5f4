// The program whose local floats are float64 (contract N19).
//
// What it is: a valid tree in which every local tensor and runtime scalar of a float dtype is
// stored as float64, float constants are the numbers they were written as, casts between floats
// change nothing, and casts between floats and integers round as they do between the declared
// dtypes. What it is not: another program: types, spans, positions and every text stay as they are;
// arrays and scalar arguments keep their dtypes. Invariant: SlotInfo::storage is set for the slots
// concerned and for no other.
#pragma once

#include "interp/ast/tree.h"

namespace ascemu::interp {

Program in_double_precision(Program program);

}  // namespace ascemu::interp
