// How an access to an array is told: "reads", "elements 3 to 9", "16 in every 32".
//
// What it is not: a judgement of accesses (race.h, ordering.h).
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "interp/checks/access_log.h"

namespace ascemu::interp {

// The first and the last element.
struct ElementSpan {
  std::int64_t first, last;
};
ElementSpan elements_of(const GlobalArray& array, const ByteSpan& bytes);

// "reads", "writes", "updates".
std::string verb(AccessKind kind);
// "element 3", "elements 3 to 9".
std::string short_text(const ElementSpan& elements);
// "elements 0 to 495 (bytes 0 to 1983), 16 in every 32".
std::string rows_text(const GlobalArray& array, const ByteRows& bytes);

// The arrays have bytes in common: they are one array passed twice.
bool share_bytes(const GlobalArray& a, const GlobalArray& b);
// By parameter: what statements may do to its array under any of its names (bits of AccessKind).
std::vector<std::uint8_t> kinds_of_arrays(const std::vector<GlobalArray>& arrays,
                                          const std::vector<std::uint8_t>& kinds);
inline bool has_kind(std::uint8_t kinds, AccessKind kind) {
  return (kinds >> static_cast<unsigned>(kind) & 1U) != 0;
}

}  // namespace ascemu::interp
