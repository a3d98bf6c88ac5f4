// The platform-free behaviour: the modes ieee and fp64.
#include "refops/target/behaviour.h"

namespace ascemu::refops {

Behaviour detail::ieee_behaviour() { return {}; }

}  // namespace ascemu::refops
