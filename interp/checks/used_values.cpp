#include "interp/checks/used_values.h"

#include <algorithm>

#include "interp/ast/operands.h"

namespace ascemu::interp {
namespace {

struct Flow {
  std::vector<Slot> to, from;
};

}  // namespace

std::vector<bool> used_values(const Program& program) {
  std::vector<bool> is_used(program.slots.size());
  std::vector<Flow> flows;
  for_each_stmt(program.body, [&](const Stmt& stmt) {
    Flow flow;
    const auto see = [&](const Operand& operand) {
      if (const Slot* slot = slot_of(operand)) flow.from.push_back(*slot);
    };
    for_each_read(stmt.node, see);
    if (const auto* loop = std::get_if<While>(&stmt.node)) see(loop->condition);
    // A loop's bounds act, though it writes its induction variable.
    if (!std::holds_alternative<For>(stmt.node))
      for_each_write(stmt.node, [&](Slot slot) { flow.to.push_back(slot); });
    if (const auto* step = std::get_if<MatmulAcc>(&stmt.node))
      flow.to.push_back(*slot_of(step->acc));
    if (flow.to.empty()) {
      for (const Slot slot : flow.from) is_used[slot] = true;
    } else {
      flows.push_back(std::move(flow));
    }
  });
  const auto used = [&](Slot slot) { return is_used[slot]; };
  for (bool has_changed = true; has_changed;) {
    has_changed = false;
    for (auto flow = flows.rbegin(); flow != flows.rend(); ++flow) {
      if (std::ranges::none_of(flow->to, used)) continue;
      for (const Slot slot : flow->from) {
        has_changed = has_changed || !is_used[slot];
        is_used[slot] = true;
      }
    }
  }
  return is_used;
}

}  // namespace ascemu::interp
