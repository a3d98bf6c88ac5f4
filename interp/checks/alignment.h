// The check `alignment`: shapes whose rows or blocks the device needs aligned (spec asc2 §5.3).
//
// What it is: a reading of a placed tree, before it runs. What it is not: a refusal; findings are
// warnings of the trace whose level the launch decides. Invariant: the program is not changed but
// for its findings; one finding a cause, the places that share it are labels.
#pragma once

#include "interp/ast/tree.h"

namespace ascemu::interp {

void check_alignment(Program& program, Generation generation);

}  // namespace ascemu::interp
