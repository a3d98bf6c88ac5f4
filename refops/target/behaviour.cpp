#include "refops/target/behaviour.h"

namespace ascemu::refops {
namespace {

Behaviour saturating(Behaviour behaviour) {
  behaviour.saturates_halves = true;
  return behaviour;
}

// One object, so that the hot path asks once whether it exists.
struct Table {
  Behaviour ieee = detail::ieee_behaviour();
  Behaviour in_double = detail::fp64_behaviour();
  Behaviour a2 = detail::ascend910b_behaviour();
  Behaviour a3 = detail::ascend910_93_behaviour();
  Behaviour a5 = detail::ascend950pr_behaviour();
  Behaviour a2_saturating = saturating(a2);
  Behaviour a3_saturating = saturating(a3);
};

}  // namespace

const Behaviour& behaviour_of(const Policy& policy) {
  static const Table kTable;
  if (policy.mode == NumericMode::ieee) return kTable.ieee;
  if (policy.mode == NumericMode::fp64) return kTable.in_double;
  switch (policy.chip) {
    case Chip::ascend910b:
      return policy.saturate ? kTable.a2_saturating : kTable.a2;
    case Chip::ascend910_93:
      return policy.saturate ? kTable.a3_saturating : kTable.a3;
    case Chip::ascend950pr:
      break;
  }
  return kTable.a5;
}

}  // namespace ascemu::refops
