#include "interp/resolve/rewrite_facts.h"

#include <algorithm>

#include "interp/ast/operands.h"

namespace ascemu::interp {

RewriteFacts::RewriteFacts(const Program& program)
    : program_(program), facts_(program.slots.size()), assigned_(program.slots.size()) {}

void RewriteFacts::note_change(const StmtNode& node) {
  if (const auto* move = std::get_if<Move>(&node)) {
    for (const Slot slot : move->dst) ++assigned_[slot];
  } else if (std::holds_alternative<MatmulAcc>(node)) {
    ++accumulated_;
  }
}

void RewriteFacts::enter_loop(const StmtNode& loop) {
  for_each_block(loop, [this](const Block& block) {
    for_each_stmt(block, [this](const Stmt& stmt) { note_change(stmt.node); });
  });
}

void RewriteFacts::add_slot() {
  facts_.emplace_back();
  assigned_.push_back(0);
}

// Every accumulator, and what shares its bytes, changes with any of them.
std::uint64_t RewriteFacts::version(Slot slot) const {
  const auto* type = std::get_if<TensorType>(&program_.slots[slot].type);
  const bool is_accumulator = type != nullptr && type->space == Space::l0c;
  return assigned_[slot] + (is_accumulator ? accumulated_ : 0);
}

Reading RewriteFacts::reading(const Operand& operand) const {
  const Slot* slot = slot_of(operand);
  return {*slot, version(*slot)};
}

bool RewriteFacts::is_present(const Reading& reading) const {
  return reading.version == version(reading.slot);
}

const RewriteFacts::SlotFacts* RewriteFacts::facts(const Operand& operand) const {
  const Slot* slot = slot_of(operand);
  return slot == nullptr ? nullptr : &facts_[*slot];
}

void RewriteFacts::note_cast(const Cast& cast, Dtype from, Dtype to) {
  facts_[cast.dst].cast = FirstCast{reading(cast.x), from, to, cast.mode};
}

void RewriteFacts::note_select(Slot dst, ScalarSelect select) {
  SlotFacts& known = facts_[dst];
  for (const Operand* operand : {&select.mask, &select.a, &select.b}) {
    if (slot_of(*operand) != nullptr) known.select_readings.push_back(reading(*operand));
  }
  known.select = std::move(select);
}

void RewriteFacts::note_positive(Slot dst, const Operand& x) { facts_[dst].positive = reading(x); }

void RewriteFacts::note_scaled(Slot dst, const Operand& x) { facts_[dst].scaled = reading(x); }

const FirstCast* RewriteFacts::first_cast(const Operand& operand) const {
  const SlotFacts* known = facts(operand);
  return known != nullptr && known->cast && is_present(known->cast->x) ? &*known->cast : nullptr;
}

std::optional<ScalarSelect> RewriteFacts::select(const Operand& operand) const {
  const SlotFacts* known = facts(operand);
  if (known == nullptr || !known->select) return std::nullopt;
  const bool present = std::ranges::all_of(
      known->select_readings, [this](const Reading& reading) { return is_present(reading); });
  return present ? known->select : std::nullopt;
}

bool RewriteFacts::is_positive(const Operand& mask, Slot x) const {
  const SlotFacts* known = facts(mask);
  return known != nullptr && known->positive && known->positive->slot == x &&
         is_present(*known->positive);
}

bool RewriteFacts::is_scaled(const Operand& product, Slot x) const {
  const SlotFacts* known = facts(product);
  return known != nullptr && known->scaled && known->scaled->slot == x &&
         is_present(*known->scaled);
}

}  // namespace ascemu::interp
