// The platform-free behaviours: the modes ieee and fp64.
#include "refops/target/behaviour.h"

namespace ascemu::refops {

Behaviour detail::ieee_behaviour() { return {}; }

Behaviour detail::fp64_behaviour() {
  Behaviour behaviour = ieee_behaviour();
  behaviour.computes_in_double = true;
  return behaviour;
}

}  // namespace ascemu::refops
