// The checks that judge a single access, one row each: what fires, and how it is told.
//
// What it is not: levels (off, warn, error), repetition, positions; the walker applies those.
// Checks that compare accesses with each other observe the same AccessEvent. Invariant: a check
// never changes what the access did.
#pragma once

#include <optional>
#include <span>

#include "interp/diag/diagnostic.h"
#include "interp/memory/access.h"

namespace ascemu::interp {

struct AccessCheck {
  // The code of the finding, or nothing when the access is in order.
  std::optional<Code> (*judge)(const AccessEvent& event);
  // The finding's words. Called only when judge returned `code`.
  Fault (*explain)(Code code, const AccessEvent& event);
};

std::span<const AccessCheck> access_checks();

// bounds.cpp: accesses that leave the array, negative offsets, stores into read-only arrays.
std::optional<Code> judge_bounds(const AccessEvent& event);
Fault explain_bounds(Code code, const AccessEvent& event);
// portability.cpp: clipped rows of a store, leading coordinates past the end (spec §5.7, §12.6).
std::optional<Code> judge_portability(const AccessEvent& event);
Fault explain_portability(Code code, const AccessEvent& event);

// "x_gm (parameter x_ptr)" in quotes; the parameter alone when the tensor has no name (spec
// §12.13).
std::string tensor_text(const AccessEvent& event);
// "array: x_ptr, float32, 64 elements (256 bytes)".
std::string array_note(const GlobalArray& array);
// "reads", "writes", "updates".
std::string verb(AccessKind kind);
// The first and the last element.
struct ElementSpan {
  std::int64_t first, last;
};
// "element 3", "elements 3 to 9".
std::string short_text(const ElementSpan& elements);
// "elements 3 to 7 (bytes 12 to 31)"; the ends are inclusive.
std::string elements_text(const GlobalArray& array, std::int64_t first, std::int64_t last);
// "'x_gm' (parameter 'x_ptr')", or the parameter alone.
std::string tensor_text(std::string_view tensor_name, const GlobalArray& array);
// The notes every access finding carries: tensor, offsets, extent, elements, array.
std::vector<std::string> access_notes(const AccessEvent& event);

}  // namespace ascemu::interp
