// The cube of the devices: groups of K share one rounding with the accumulator (contract N14.1).
//
// What it is: acc += a @ b over packed operands; per group the exact sum of the exact products and
// the accumulator, rounded to nearest even once. Method: a sum in double that is exact where the
// exponents in the group lie close enough together; else one whose error bound mostly does not
// matter, a compensated one where it does, and exact_group.h for what is still open.
// What it is not: packing, HF32, the choice of the group size.
//
// Invariant: the bits depend neither on the tile nor on the instruction set.
#pragma once

#include <cstdint>
#include <vector>

#include "refops/cube/panels.h"
#include "refops/target/behaviour.h"

namespace ascemu::refops::cube {

// How far apart the bits of the operands of one panel are, group by group: an exponent difference,
// the largest of the panel's lines. Lines with an infinity or a NaN have kUnbounded.
struct GroupSpreads {
  static constexpr int kUnbounded = 1 << 20;

  std::vector<int> values;
  std::int64_t per_panel = 0;

  GroupSpreads(const Panels<double>& panels, std::int64_t group);
  const int* panel(std::int64_t index) const { return values.data() + index * per_panel; }
};

// acc is float32; `group` is at most 16.
void multiply_groups(const Panels<double>& a, const Panels<double>& b, std::int64_t group,
                     const View& acc, const Behaviour& behaviour);

}  // namespace ascemu::refops::cube
