#include "interp/launch/program_facts.h"

namespace ascemu::interp {
namespace {

void visit_block(const Block& block, ProgramFacts& facts) {
  for (const Stmt& stmt : block.stmts) {
    if (const auto* const turn = std::get_if<Transpose>(&stmt.node)) {
      if (const auto* const slot = std::get_if<SlotRef>(&turn->x))
        facts.transposed[slot->slot] = true;
    } else if (std::holds_alternative<Atomic>(stmt.node)) {
      facts.has_atomics = true;
    } else if (const auto* const branch = std::get_if<If>(&stmt.node)) {
      visit_block(branch->then_block, facts);
      visit_block(branch->else_block, facts);
    } else if (const auto* const loop = std::get_if<For>(&stmt.node)) {
      visit_block(loop->body, facts);
    } else if (const auto* const repeat = std::get_if<While>(&stmt.node)) {
      visit_block(repeat->condition_block, facts);
      visit_block(repeat->body, facts);
    }
  }
}

}  // namespace

ProgramFacts gather_facts(const Program& program) {
  ProgramFacts facts;
  facts.transposed.resize(program.slots.size());
  visit_block(program.body, facts);
  return facts;
}

}  // namespace ascemu::interp
