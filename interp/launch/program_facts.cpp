#include "interp/launch/program_facts.h"

#include "interp/memory/access.h"

namespace ascemu::interp {
namespace {

constexpr std::int32_t kUnknown = -1;  // not yet met, or no address
constexpr std::int32_t kSeveral = -2;  // a pointer chosen at run time

class Visitor {
 public:
  Visitor(const Program& program, ProgramFacts& facts)
      : facts_(facts), origin_(program.slots.size(), kUnknown) {
    for (std::size_t i = 0; i < program.params.size(); ++i)
      origin_[program.params[i].slot] = static_cast<std::int32_t>(i);
  }

  // Pointers that loops carry settle after a few rounds.
  void run(const Block& body) {
    do {
      changed_ = false;
      visit_block(body);
    } while (changed_);
  }

 private:
  void visit_block(const Block& block) {
    for (const Stmt& stmt : block.stmts)
      std::visit([this](const auto& node) { visit(node); }, stmt.node);
  }

  template <class Node>
  void visit(const Node&) {}
  void visit(const Transpose& node) {
    if (const auto* const slot = std::get_if<SlotRef>(&node.x))
      facts_.transposed[slot->slot] = true;
  }
  void visit(const AddressAdd& node) { flow(node.base, node.dst); }
  void visit(const MakeGlobal& node) { flow(node.base, node.dst); }
  void visit(const Move& node) {
    for (std::size_t i = 0; i < node.dst.size(); ++i) flow(node.src[i], node.dst[i]);
  }
  void visit(const CopyIn& node) { touch(node.src, AccessKind::read); }
  void visit(const LoadScalar& node) { touch(node.src, AccessKind::read); }
  void visit(const Gather& node) { touch(node.src, AccessKind::read); }
  void visit(const CopyOut& node) { touch(node.dst, AccessKind::write); }
  void visit(const StoreScalar& node) { touch(node.dst, AccessKind::write); }
  void visit(const Scatter& node) { touch(node.dst, AccessKind::write); }
  void visit(const Atomic& node) {
    facts_.has_atomics = true;
    touch(node.dst, AccessKind::atomic);
  }
  void visit(const If& node) {
    visit_block(node.then_block);
    visit_block(node.else_block);
  }
  void visit(const For& node) { visit_block(node.body); }
  void visit(const While& node) {
    visit_block(node.condition_block);
    visit_block(node.body);
  }

  void flow(const Operand& from, Slot to) {
    const auto* const slot = std::get_if<SlotRef>(&from);
    const std::int32_t origin = slot == nullptr ? kUnknown : origin_[slot->slot];
    if (origin == kUnknown || origin_[to] == origin || origin_[to] == kSeveral) return;
    origin_[to] = origin_[to] == kUnknown ? origin : kSeveral;
    changed_ = true;
  }

  void touch(const Operand& tensor, AccessKind kind) {
    const std::int32_t origin = origin_[std::get<SlotRef>(tensor).slot];
    const auto bit = static_cast<std::uint8_t>(1U << static_cast<unsigned>(kind));
    if (origin >= 0) {
      facts_.kinds[static_cast<std::size_t>(origin)] |= bit;
    } else {
      for (std::uint8_t& kinds : facts_.kinds) kinds |= bit;
    }
  }

  ProgramFacts& facts_;
  std::vector<std::int32_t> origin_;  // by slot: the parameter an address or tensor came from
  bool changed_ = false;
};

}  // namespace

ProgramFacts gather_facts(const Program& program) {
  ProgramFacts facts;
  facts.transposed.resize(program.slots.size());
  facts.kinds.resize(program.params.size());
  Visitor(program, facts).run(program.body);
  return facts;
}

}  // namespace ascemu::interp
