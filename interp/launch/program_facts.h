// What a launch needs to know about a whole program before its blocks start.
#pragma once

#include <vector>

#include "interp/ast/tree.h"

namespace ascemu::interp {

struct ProgramFacts {
  bool has_atomics = false;
  std::vector<bool> transposed;  // by slot: a Transpose statement reads it
};

ProgramFacts gather_facts(const Program& program);

}  // namespace ascemu::interp
