// The rewrites of the device compiler that change what a kernel computes (contract N17).
//
// What it is: a pass over a placed tree, after resolve_locations and before validate: casts of
// casts, maximum with zero, leaky relu, casts of a `where` of two scalars. Positions stay, so that
// diagnostics name the user's line. What it is not: an optimisation; where the bits are those of
// the tree as written, nothing is touched but for N17.2, which the contract names.
//
// Invariant: a rewrite looks through a value only where no loop, branch, copy or accumulation can
// have changed what it was made from; values that the rewrites left without a reader are gone.
#pragma once

#include <vector>

#include "interp/ast/tree.h"
#include "refops/target/behaviour.h"

namespace ascemu::interp {

// Does N17 where behaviour.rewrites, and in every mode the casts of a `where` of two scalars that
// the language has no cast for (spec asc2 §11.6). Errors: such casts whose scalars or mask were
// re-bound in between.
std::vector<Diagnostic> apply_rewrites(Program& program, const refops::Behaviour& behaviour);

}  // namespace ascemu::interp
