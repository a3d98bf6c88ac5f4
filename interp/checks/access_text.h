// How the bytes of an access to an array are told ("16 in every 32"), and which arrays share bytes.
//
// What it is not: a judgement of accesses (race.h, ordering.h).
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "interp/checks/access_checks.h"
#include "interp/checks/access_log.h"

namespace ascemu::interp {

ElementSpan elements_of(const GlobalArray& array, const ByteSpan& bytes);

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
