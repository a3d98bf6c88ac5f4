#include "refops/target/behaviour.h"

namespace ascemu::refops {
namespace {

Behaviour saturating(Behaviour behaviour) {
  behaviour.saturates_halves = true;
  return behaviour;
}

}  // namespace

const Behaviour& behaviour_of(const Policy& policy) {
  static const Behaviour kIeee = detail::ieee_behaviour();
  static const Behaviour kDouble = detail::fp64_behaviour();
  static const Behaviour k910b = detail::ascend910b_behaviour();
  static const Behaviour k910_93 = detail::ascend910_93_behaviour();
  static const Behaviour k950pr = detail::ascend950pr_behaviour();
  static const Behaviour k910bSaturating = saturating(k910b);
  static const Behaviour k910_93Saturating = saturating(k910_93);
  if (policy.mode == NumericMode::ieee) return kIeee;
  if (policy.mode == NumericMode::fp64) return kDouble;
  switch (policy.chip) {
    case Chip::ascend910b:
      return policy.saturate ? k910bSaturating : k910b;
    case Chip::ascend910_93:
      return policy.saturate ? k910_93Saturating : k910_93;
    case Chip::ascend950pr:
      break;
  }
  return k950pr;
}

}  // namespace ascemu::refops
