// BuilderAccess: what may be read of a Builder while it still builds.
//
// What it is: the warnings so far, for a front end that reports a trace that failed (a finished
// Program has them as Program::findings). What it is not: a way to change the tree.
#pragma once

#include <vector>

#include "interp/ast/builder.h"

namespace ascemu::interp {

struct BuilderAccess {
  static const std::vector<Diagnostic>& findings(const Builder& builder);
};

}  // namespace ascemu::interp
