// The vector mask in force, as an op of a given dtype takes it (spec asc2 §6.7, §11.1).
#pragma once

#include <optional>

#include "interp/builtins/trace_state.h"

namespace ascemu::interp {

// The innermost open mask, its `other` converted to the dtype of the result.
Result<std::optional<MaskSpec>> current_mask(TraceState& state, Dtype dtype);

}  // namespace ascemu::interp
