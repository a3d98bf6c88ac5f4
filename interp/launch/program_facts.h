// What a launch needs to know about a whole program before its blocks start.
#pragma once

#include <cstdint>
#include <vector>

#include "interp/ast/tree.h"

namespace ascemu::interp {

struct ProgramFacts {
  bool has_atomics = false;
  std::vector<std::uint8_t>
      kinds;                     // by parameter: bits of AccessKind, what statements may do to it
  std::vector<bool> transposed;  // by slot: a Transpose statement reads it
};

ProgramFacts gather_facts(const Program& program);

}  // namespace ascemu::interp
