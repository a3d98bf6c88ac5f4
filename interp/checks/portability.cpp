#include <string>

#include "interp/checks/access_checks.h"

namespace ascemu::interp {

std::optional<Code> judge_portability(const AccessEvent& event) {
  if (event.leaves_leading) return Code::portability_outside_row;
  if (event.clips_rows && event.kind != AccessKind::read) return Code::portability_clip_rows;
  return std::nullopt;
}

Fault explain_portability(Code code, const AccessEvent& event) {
  const std::string operation(event.operation);
  if (code == Code::portability_outside_row) {
    return make_fault(code,
                      operation + " moves nothing: its leading coordinate lies past the end of " +
                          tensor_text(event),
                      access_notes(event));
  }
  return make_fault(
      code, operation + " is clipped in its rows, which run past the end of " + tensor_text(event),
      access_notes(event));
}

}  // namespace ascemu::interp
