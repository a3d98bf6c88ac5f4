// Words a broken barrier: who waits where, and who ended (spec asc2 §11.1).
#pragma once

#include "interp/ast/tree.h"
#include "interp/diag/diagnostic.h"
#include "interp/launch/barrier.h"

namespace ascemu::interp {

// Placed at the lowest waiting block's asc.sync_all().
Diagnostic describe_deadlock(const Barrier::Deadlock& blocks, const Program& program);

}  // namespace ascemu::interp
