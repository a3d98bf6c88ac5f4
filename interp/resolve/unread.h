// Erases pure statements whose results nobody reads.
//
// What it is: the second half of a rewrite; only slots that it names are looked at. What it is not:
// dead code elimination: what the kernel computes without use stays.
#pragma once

#include <set>

#include "interp/ast/tree.h"

namespace ascemu::interp {

// The statements that make `candidates`, each a statement with one result and no other effect, as
// far as no statement left reads them.
void erase_unread(Program& program, const std::set<Slot>& candidates);

}  // namespace ascemu::interp
