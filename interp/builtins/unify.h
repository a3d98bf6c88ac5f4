// Common dtype and common shape of operands (spec asc2 §6.1, §11.1).
#pragma once

#include "interp/builtins/conversion.h"

namespace ascemu::interp {

// Equal: the same; ints or floats: the wider; float16 with bfloat16: `a`; int with a float of equal
// width: the float. Different widths: RuntimeError. Unsigned: NotImplementedError.
Result<Dtype> common_dtype(std::string_view op, Dtype a, Dtype b);
// NumPy's rule; RuntimeError when the shapes do not fit (spec §12.12).
Result<Shape> common_shape(std::string_view op, const Shape& a, const Shape& b);
// Portability: what an older chip family lacks for this op and dtype (spec §6.1, §11.1).
void warn_chip_gaps(TraceState& state, OpId op, Dtype dtype);

}  // namespace ascemu::interp
