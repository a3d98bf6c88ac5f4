// A3: Ascend 910_93. The same instruction set as A2 (NN 12.10: equality of vdiv is not proven).
#include "refops/target/behaviour.h"

namespace ascemu::refops {

Behaviour detail::ascend910_93_behaviour() { return ascend910b_behaviour(); }

}  // namespace ascemu::refops
