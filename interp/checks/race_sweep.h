// Finds the accesses of different blocks that meet in the same bytes.
//
// What it is: a sweep over addresses, exact for strided rows, in time that grows with the rows that
// moved and not with the pairs of accesses. What it is not: words. Invariant: the same touches give
// the same visits in the same order.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "interp/checks/access_log.h"

namespace ascemu::interp {

// One record of one block's log.
struct Touch {
  ByteRows bytes;
  std::int64_t block = 0;
  const AccessLog* log = nullptr;
  const AccessRecord* record = nullptr;

  const AccessSite& site() const { return log->site(record->site); }
};

using Meeting = std::function<void(const Touch&, const Touch&)>;

// Calls `meet` for pairs of touches of different blocks that share bytes, one of them writing, or
// one atomic and the other not. A pair may come more than once; after very
// many visits the rest is left out.
void sweep_bytes(std::vector<Touch> touches, const Meeting& meet);

// Calls `meet` for pairs of scalar stores of different blocks into one cache line of their array.
void sweep_lines(const std::vector<Touch>& touches, const std::vector<GlobalArray>& arrays,
                 const Meeting& meet);

}  // namespace ascemu::interp
