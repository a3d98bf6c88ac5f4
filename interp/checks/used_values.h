// Which values of a program have an effect: they reach an array, control flow or what is printed.
//
// What it is: one bit for every slot, read from the tree. What it is not: an optimisation; nothing
// is erased. Invariant: a slot that is not marked can be left out without a visible change.
#pragma once

#include <vector>

#include "interp/ast/tree.h"

namespace ascemu::interp {

std::vector<bool> used_values(const Program& program);

}  // namespace ascemu::interp
