// Numeric policy: which of the documented behaviours an evaluation follows.
//
// Every refops function that produces values takes a Policy. Chip differences are decided in
// refops/target only (architecture, decision 8). Issue "numeric contract" refines this; today every
// mode computes IEEE, one rounding per op, written order.
#pragma once

#include <cstdint>

namespace ascemu::refops {

enum class NumericMode : std::uint8_t { npu, ieee, fp64 };
enum class Chip : std::uint8_t { ascend910b, ascend910_93, ascend950pr };

struct Policy {
  NumericMode mode = NumericMode::ieee;
  Chip chip = Chip::ascend950pr;
};

}  // namespace ascemu::refops
