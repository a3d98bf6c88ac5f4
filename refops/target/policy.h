// Numeric policy: which of the documented behaviours an evaluation follows (contract
// docs/numerics.md).
//
// What it is: the choice of the user. What it is not: what the choice means; behaviour.h says that.
#pragma once

#include <cstdint>

namespace ascemu::refops {

enum class NumericMode : std::uint8_t { npu, ieee, fp64 };
enum class Chip : std::uint8_t { ascend910b, ascend910_93, ascend950pr };

struct Policy {
  NumericMode mode = NumericMode::ieee;
  Chip chip = Chip::ascend950pr;
  // Contract N4: only in the mode npu, only on A2 and A3; elsewhere it has no effect.
  bool saturate = false;
};

}  // namespace ascemu::refops
