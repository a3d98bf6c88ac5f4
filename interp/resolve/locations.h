// Where every local tensor lives: the language's two rounds over the tree (spec asc2 §5.4, §11.3).
//
// What it is: sets TensorType::space of every tensor slot, lists the copies that the compiler
// inserts, reports illegal transfers at the place of the use. What it is not: capacity.
// Invariant: after success no tensor slot is `automatic`.
#pragma once

#include <vector>

#include "interp/ast/tree.h"

namespace ascemu::interp {

// Errors are empty on success. Portability findings are added to program.findings.
std::vector<Diagnostic> resolve_locations(Program& program);

}  // namespace ascemu::interp
