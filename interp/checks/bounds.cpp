#include <string>

#include "interp/checks/access_checks.h"

namespace ascemu::interp {
namespace {

std::string elements(std::int64_t count) {
  return std::to_string(count) + (count == 1 ? " element" : " elements");
}

bool reaches_past_declaration(const AccessEvent& event) {
  return event.negative_elems == 0 && event.first >= 0;
}

}  // namespace

std::optional<Code> judge_bounds(const AccessEvent& event) {
  if (event.is_read_only) return Code::write_to_read_only;
  if (event.outside_elems + event.negative_elems == 0) return std::nullopt;
  if (event.is_unchecked_index) return Code::index_out_of_bounds;
  return event.kind == AccessKind::read ? Code::read_out_of_bounds : Code::write_out_of_bounds;
}

Fault explain_bounds(Code code, const AccessEvent& event) {
  const std::string operation(event.operation);
  if (code == Code::write_to_read_only) {
    return make_fault(
        code, operation + " " + verb(event.kind) + " the read-only array of " + tensor_text(event),
        access_notes(event));
  }
  const std::int64_t bad = event.outside_elems + event.negative_elems;
  std::string message = operation + " " + verb(event.kind) + " " + elements(bad);
  if (event.outside_elems == 0) {
    message += " at negative coordinates of ";
  } else {
    message += reaches_past_declaration(event) ? " past the end of the array of "
                                               : " outside the array of ";
  }
  return make_fault(code, message + tensor_text(event), access_notes(event));
}

}  // namespace ascemu::interp
