// Judges a placement: illegal transfers, inserted copies, the one-side rule of L1, transposes that
// the device cannot fuse (spec asc2 §5.4, §11.3, §12.11).
#pragma once

#include <vector>

#include "interp/resolve/tensor_graph.h"

namespace ascemu::interp {

// Errors, in slot order. Fills program.implicit_copies and adds portability findings.
std::vector<Diagnostic> check_placement(Program& program, const std::vector<TensorNode>& nodes);

}  // namespace ascemu::interp
