// Parts of cube tiles that the layout of L1 and L0C scrambles (spec asc2 §5.5).
//
// What it is: the judgement of one copy out of such a tile. What it is not: the copy, which takes
// the part that the offsets name. Invariant: offsets at whole fractals are never judged wrong.
#pragma once

#include <span>
#include <string>

#include "interp/ast/types.h"
#include "interp/diag/diagnostic.h"

namespace ascemu::interp {

struct CubePart {
  TensorType tile;
  std::span<const std::int64_t> offsets;  // one per dimension, or none
  Shape extent;
};

// The tile lies in fractals, and the part begins inside one. False for negative offsets.
bool is_scrambled(const CubePart& part);
// What the device would do, for a part that is_scrambled.
Fault scrambled_part(const CubePart& part, const std::string& name);

}  // namespace ascemu::interp
