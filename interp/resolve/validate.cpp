#include "interp/resolve/validate.h"

namespace ascemu::interp {

std::vector<Diagnostic> validate(const Program&) { return {}; }

}  // namespace ascemu::interp
