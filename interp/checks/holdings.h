// The buffers of a program: which statement needs which bytes, how often and how long.
//
// What it is: the reading of a placed tree that capacity.h adds up. What it is not: capacities.
// Invariant: a reshape, and what is computed while a tensor moves, shares its source's buffer, a
// re-bound name that of its values.
#pragma once

#include <vector>

#include "interp/checks/capacity.h"

namespace ascemu::interp {

std::vector<Holding> read_holdings(const Program& program);
// A broadcast operation is there: 950PR then allocates at run time (spec §1.7).
bool has_broadcast(const Program& program);

}  // namespace ascemu::interp
