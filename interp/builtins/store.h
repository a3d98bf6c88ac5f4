// The scalar store, which copy_out of a size-1 tensor shares with store_scalar (spec asc2 §5.7).
#pragma once

#include <span>

#include "interp/builtins/trace_state.h"

namespace ascemu::interp {

// Stores a number, a scalar or a size-1 tensor, converted to the dtype of dst.
Status store_element(TraceState& state, const Arg& value, const Value& dst,
                     std::span<const Arg> offsets);

}  // namespace ascemu::interp
