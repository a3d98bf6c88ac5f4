#include "interp/resolve/locations.h"

namespace ascemu::interp {

std::vector<Diagnostic> resolve_locations(Program& program) {
  for (SlotInfo& slot : program.slots) {
    auto* tensor = std::get_if<TensorType>(&slot.type);
    if (tensor != nullptr && tensor->space == Space::automatic) tensor->space = Space::ub;
  }
  return {};
}

}  // namespace ascemu::interp
