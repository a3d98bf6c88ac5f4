// Float32 operands whose exact results lie closest to a rounding boundary.
//
// What it is: findings of the exhaustive sweeps (refops_exhaustive), hardest first per function.
// What it is not: complete; the sweeps are.
//
// Invariant: none; every entry is only an operand.
#pragma once

#include <cstdint>

#include "refops/elementary/elementary.h"

namespace ascemu::refops {

struct HardCase {
  elementary::Function function;
  std::uint32_t pattern;
};

inline constexpr HardCase kHardCases[] = {{elementary::Function::exp, 0x33800000}};

}  // namespace ascemu::refops
