#include "interp/resolve/placement.h"

#include <map>
#include <optional>

#include "interp/ast/operands.h"
#include "interp/ast/type_text.h"
#include "interp/resolve/transfers.h"

namespace ascemu::interp {
namespace {

class PlacementJudge {
 public:
  PlacementJudge(Program& program, const std::vector<TensorNode>& nodes)
      : program_(program), nodes_(nodes) {}

  std::vector<Diagnostic> run() {
    for (Slot slot = 0; slot < nodes_.size(); ++slot) {
      const TensorNode& node = nodes_[slot];
      if (!node.is_tensor) continue;
      if (node.place == Space::automatic) {
        report_unresolved(slot);
        continue;
      }
      for (const TensorUse& use : node.uses) judge_use(slot, use);
      if (node.loaded_at != kNoSpan && node.place == Space::l1) judge_sides(slot);
    }
    for (const auto& [span, copy] : copies_) program_.implicit_copies.push_back(copy);
    if (errors_.empty()) find_lone_transposes();
    return std::move(errors_);
  }

 private:
  const TensorType& type_of(Slot slot) const {
    return std::get<TensorType>(program_.slots[slot].type);
  }

  std::string quoted_name(Slot slot) const {
    const std::string& name = program_.slots[slot].name;
    return name.empty() ? "" : " ('" + name + "')";
  }

  std::string describe(Slot slot, const TensorUse& use) const {
    return std::string(use.op) + ": '" + std::string(use.argument) + "'" + quoted_name(slot);
  }

  Label definition(Slot slot, std::string text) const {
    return {program_.slots[slot].defined_at, std::move(text)};
  }

  void report(Slot slot, Fault fault, SpanId span) {
    Diagnostic error = locate(std::move(fault), span);
    const std::string place(space_name(nodes_[slot].place));
    if (program_.slots[slot].defined_at != span) {
      error.labels.push_back(definition(slot, "the tensor is made here, in " + place));
    }
    errors_.push_back(std::move(error));
  }

  void report_unresolved(Slot slot) {
    const std::string& name = program_.slots[slot].name;
    Diagnostic error =
        locate(make_fault(Code::unresolved_location,
                          (name.empty() ? "a tensor" : "'" + name + "'") +
                              " is re-bound in a runtime loop or branch, and its users need it in "
                              "different places"),
               program_.slots[slot].defined_at);
    for (const TensorUse& use : nodes_[slot].uses) {
      const bool is_linked = use.kind == NeedKind::follow || use.kind == NeedKind::merged;
      const Space asked = is_linked ? nodes_[use.result].place : use.space;
      if (asked == Space::automatic) continue;
      error.labels.push_back(
          {use.span, std::string(use.op) + " needs it in " + std::string(space_name(asked))});
    }
    errors_.push_back(std::move(error));
  }

  void judge_use(Slot slot, const TensorUse& use) {
    switch (use.kind) {
      case NeedKind::exact:
        return judge_move(slot, use, use.space);
      case NeedKind::follow:
      case NeedKind::merged:
        return judge_move(slot, use, nodes_[use.result].place);
      case NeedKind::stored:
        return judge_store(slot, use);
      case NeedKind::copied:
        return judge_copy(slot, use);
      case NeedKind::ignored:
        return;
    }
  }

  // A copy that the compiler inserts.
  void judge_move(Slot slot, const TensorUse& use, Space goal) {
    if (goal == Space::automatic) return;
    const auto hops = plan_transfer(type_of(slot), nodes_[slot].place, goal, describe(slot, use));
    if (!hops) return report(slot, hops.fault(), use.span);
    Space from = nodes_[slot].place;
    for (const Space to : *hops) {
      copies_.emplace(use.span, ImplicitCopy{slot, from, to, use.span});
      from = to;
    }
  }

  void judge_store(Slot slot, const TensorUse& use) {
    const Space place = nodes_[slot].place;
    if (place == Space::ub || place == Space::l0c) return;
    report(slot,
           make_fault(Code::bad_location,
                      describe(slot, use) + " is " + type_phrase(type_of(slot)) + " in " +
                          std::string(space_name(place)) + "; only UB and L0C can be stored"),
           use.span);
  }

  // A copy that the kernel asks for; a whole tensor that is in place already needs none.
  void judge_copy(Slot slot, const TensorUse& use) {
    const Space from = nodes_[slot].place;
    const Space to = nodes_[use.result].place;
    if (to == Space::automatic) return;
    if (from == to && use.takes_part) {
      const std::string place(space_name(from));
      return report(slot,
                    make_fault(Code::bad_location,
                               describe(slot, use) + " lies in " + place +
                                   "; the device cannot copy a part of it to " + place,
                               {}, "Load the part from global memory instead."),
                    use.span);
    }
    TensorType part = type_of(use.result);
    part.dtype = type_of(slot).dtype;
    const auto hops = plan_transfer(part, from, to, describe(slot, use));
    if (!hops) return report(slot, hops.fault(), use.span);
    if (hops->size() > 1) {
      copies_.emplace(use.span, ImplicitCopy{slot, nodes_[slot].place, hops->front(), use.span});
    }
  }

  struct Sides {
    std::optional<SpanId> left;   // first use towards L0A
    std::optional<SpanId> right;  // first use towards L0B or BT
  };

  static void add_side(Sides& sides, Space goal, SpanId span) {
    if (goal == Space::l0a && !sides.left) sides.left = span;
    const bool is_right = goal == Space::l0b || goal == Space::bt;
    if (is_right && !sides.right) sides.right = span;
  }

  // Every side that the loaded bytes reach, through transposes and reshapes that stay in L1.
  void collect_sides(Slot slot, Sides& sides, int depth) const {
    constexpr int kMaxDepth = 64;
    if (depth > kMaxDepth) return;
    for (const TensorUse& use : nodes_[slot].uses) {
      if (use.kind == NeedKind::exact) {
        add_side(sides, use.space, use.span);
      } else if (use.kind == NeedKind::copied) {
        add_side(sides, nodes_[use.result].place, use.span);
      } else if (use.kind == NeedKind::follow) {
        const Space place = nodes_[use.result].place;
        if (place == Space::l1) {
          collect_sides(use.result, sides, depth + 1);
        } else {
          add_side(sides, place, use.span);
        }
      }
    }
  }

  void judge_sides(Slot slot) {
    Sides sides;
    collect_sides(slot, sides, 0);
    if (!sides.left || !sides.right) return;
    Diagnostic error = locate(make_fault(Code::bad_location,
                                         "a tile in L1" + quoted_name(slot) +
                                             " feeds both the left and the right side of a matmul",
                                         {}, "Load the tile twice, once for each side."),
                              program_.slots[slot].defined_at);
    error.labels.push_back({*sides.left, "moved to L0A here"});
    error.labels.push_back({*sides.right, "moved to L0B or BT here"});
    errors_.push_back(std::move(error));
  }

  // Portability: a transpose of rank > 2 exists on the device only fused with a load or a store.
  void find_lone_transposes() {
    for_each_stmt(program_.body, [&](const Stmt& stmt) {
      const auto* transpose = std::get_if<Transpose>(&stmt.node);
      const Slot* source = transpose == nullptr ? nullptr : slot_of(transpose->x);
      if (source == nullptr || type_of(*source).shape.rank() <= 2) return;
      const bool after_load =
          nodes_[*source].loaded_at != kNoSpan && nodes_[*source].uses.size() == 1;
      const auto& uses = nodes_[transpose->dst].uses;
      const bool before_store = uses.size() == 1 && uses.front().kind == NeedKind::stored;
      if (after_load || before_store) return;
      Diagnostic finding = locate(
          make_fault(
              Code::portability,
              "transpose of a tensor of rank " + std::to_string(type_of(*source).shape.rank()) +
                  " stands between other operations",
              {},
              "The device compiler can only fuse such a transpose with the copy_in before it "
              "or the copy_out after it."),
          stmt.span);
      finding.severity = Severity::warning;
      program_.findings.push_back(std::move(finding));
    });
  }

  Program& program_;
  const std::vector<TensorNode>& nodes_;
  std::vector<Diagnostic> errors_;
  std::multimap<SpanId, ImplicitCopy> copies_;  // by place; equal ones keep their order
};

}  // namespace

std::vector<Diagnostic> check_placement(Program& program, const std::vector<TensorNode>& nodes) {
  return PlacementJudge(program, nodes).run();
}

}  // namespace ascemu::interp
