// Whole-tree validation: whether the walker may run a Program as it is.
//
// What it is: slots in range and of the right kind, dtypes and shapes that fit, definite
// assignment, limits. What it is not: the language's type rules with their error types
// (interp/builtins). Invariant: a program that passes cannot make the walker touch a slot before it
// is assigned or call refops outside its preconditions.
#pragma once

#include <vector>

#include "interp/ast/tree.h"

namespace ascemu::interp {

std::vector<Diagnostic> validate(const Program& program);

}  // namespace ascemu::interp
