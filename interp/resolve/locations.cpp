#include "interp/resolve/locations.h"

#include <deque>
#include <optional>
#include <set>

#include "interp/resolve/placement.h"
#include "interp/resolve/tensor_graph.h"

namespace ascemu::interp {
namespace {

class LocationSolver {
 public:
  explicit LocationSolver(const Program& program)
      : program_(program), nodes_(read_tensors(program)) {}

  std::vector<TensorNode>& run() {
    for (Slot slot = 0; slot < nodes_.size(); ++slot) enqueue(slot);
    settle();
    apply_default([&](const TensorNode& node) {
      return node.origin == Origin::load || node.origin == Origin::copy || is_stored(node);
    });
    apply_default([&](const TensorNode& node) {
      return node.origin == Origin::cast || node.origin == Origin::reshape ||
             node.origin == Origin::transpose;
    });
    apply_default([&](const TensorNode& node) { return !disagrees(node); });
    return nodes_;
  }

 private:
  void enqueue(Slot slot) {
    if (nodes_[slot].is_tensor) queue_.push_back(slot);
  }

  void place(Slot slot, Space space) {
    TensorNode& node = nodes_[slot];
    node.place = space;
    for (const Slot source : node.sources) enqueue(source);
    for (const TensorUse& use : node.uses) {
      const bool is_linked = use.kind == NeedKind::follow || use.kind == NeedKind::copied ||
                             use.kind == NeedKind::merged;
      if (is_linked) enqueue(use.result);
    }
  }

  void settle() {
    while (!queue_.empty()) {
      const Slot slot = queue_.front();
      queue_.pop_front();
      if (nodes_[slot].place != Space::automatic) continue;
      if (const auto space = decide(slot)) place(slot, *space);
    }
  }

  // Round 2: UB, or the one place that the asking users name, for what `applies` picks.
  template <class F>
  void apply_default(F&& applies) {
    for (Slot slot = 0; slot < nodes_.size(); ++slot) {
      const TensorNode& node = nodes_[slot];
      if (!node.is_tensor || node.place != Space::automatic || !applies(node)) continue;
      const auto asked = asked_places(node);
      const bool is_merge = node.origin == Origin::variable && !is_stored(node);
      const bool takes_asked = is_merge && asked.size() == 1;
      place(slot, takes_asked ? *asked.begin() : Space::ub);
      settle();
    }
  }

  static bool is_stored(const TensorNode& node) {
    for (const TensorUse& use : node.uses) {
      if (use.kind == NeedKind::stored) return true;
    }
    return false;
  }

  // What a use asks for now; nothing while it does not ask.
  Space asked_place(const TensorUse& use) const {
    switch (use.kind) {
      case NeedKind::exact:
        return use.space;
      case NeedKind::follow:
      case NeedKind::merged:
        return nodes_[use.result].place;
      default:
        return Space::automatic;
    }
  }

  std::set<Space> asked_places(const TensorNode& node) const {
    std::set<Space> places;
    for (const TensorUse& use : node.uses) {
      const Space asked = asked_place(use);
      if (asked != Space::automatic) places.insert(asked);
    }
    return places;
  }

  bool disagrees(const TensorNode& node) const {
    return node.origin == Origin::variable && asked_places(node).size() > 1;
  }

  // The place that all users ask for.
  std::optional<Space> agreed_place(const TensorNode& node) const {
    std::optional<Space> agreed;
    for (const TensorUse& use : node.uses) {
      if (use.kind == NeedKind::ignored) continue;
      const Space asked = asked_place(use);
      if (asked == Space::automatic) {
        const bool waits_for_merge =
            use.kind == NeedKind::merged && node.origin == Origin::variable;
        if (waits_for_merge) continue;
        return std::nullopt;
      }
      if (agreed && *agreed != asked) return std::nullopt;
      agreed = asked;
    }
    return agreed;
  }

  bool is_allowed(Slot slot, Space space) const {
    const Origin origin = nodes_[slot].origin;
    const auto& type = std::get<TensorType>(program_.slots[slot].type);
    switch (origin) {
      case Origin::load:
        return space != Space::l0c && space != Space::fix;
      case Origin::cast:
        return space == Space::ub || space == Space::l0c;
      case Origin::transpose:
        if (space == Space::ub) return true;
        return type.shape.rank() == 2 &&
               (space == Space::l1 || space == Space::l0a || space == Space::l0b);
      default:
        return true;
    }
  }

  // Round 1.
  std::optional<Space> decide(Slot slot) const {
    const TensorNode& node = nodes_[slot];
    const bool follows = node.origin == Origin::cast || node.origin == Origin::reshape ||
                         node.origin == Origin::transpose;
    if (follows && !node.sources.empty()) {
      const Space source = nodes_[node.sources.front()].place;
      if (source != Space::automatic && is_allowed(slot, source)) return source;
    }
    const auto agreed = agreed_place(node);
    return agreed && is_allowed(slot, *agreed) ? agreed : std::nullopt;
  }

  const Program& program_;
  std::vector<TensorNode> nodes_;
  std::deque<Slot> queue_;
};

}  // namespace

std::vector<Diagnostic> resolve_locations(Program& program) {
  LocationSolver solver(program);
  const std::vector<TensorNode>& nodes = solver.run();
  std::vector<Diagnostic> errors = check_placement(program, nodes);
  if (!errors.empty()) return errors;
  for (Slot slot = 0; slot < nodes.size(); ++slot) {
    auto* type = std::get_if<TensorType>(&program.slots[slot].type);
    if (type == nullptr) continue;
    type->space = nodes[slot].place;
    const bool is_cube =
        type->space == Space::l0a || type->space == Space::l0b || type->space == Space::l0c;
    program.has_cube = program.has_cube || is_cube;
  }
  return errors;
}

}  // namespace ascemu::interp
