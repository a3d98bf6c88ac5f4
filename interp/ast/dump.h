// The tree as readable text, for people and golden tests.
//
// What it is: one line a statement, slots as %number, types with locations after a colon. What it
// is not: a format that anything reads back. Invariant: equal programs give equal text; any tree,
// valid or not, can be dumped.
#pragma once

#include <string>

#include "interp/ast/tree.h"

namespace ascemu::interp {

std::string dump(const Program& program);

}  // namespace ascemu::interp
