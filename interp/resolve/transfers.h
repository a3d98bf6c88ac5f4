// Moves between on-chip memories (spec asc2 §5.4, §11.3).
#pragma once

#include <string>
#include <vector>

#include "interp/ast/types.h"
#include "interp/diag/result.h"

namespace ascemu::interp {

// The places a tensor passes through, without `from`, with `to`; empty when it is there already.
// bad_location when the device has no way. `what` starts the message ("matmul: 'input' 'a'").
Result<std::vector<Space>> plan_transfer(const TensorType& type, Space from, Space to,
                                         const std::string& what);

}  // namespace ascemu::interp
