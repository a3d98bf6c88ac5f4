#include "interp/checks/holdings.h"

#include <algorithm>
#include <numeric>

#include "interp/ast/operands.h"
#include "interp/checks/used_values.h"

namespace ascemu::interp {
namespace {

constexpr std::int64_t kBlockBytes = 32;
constexpr std::int64_t kRepeatLanes = 16;

std::int64_t rounded_up(std::int64_t value, std::int64_t step) {
  return (value + step - 1) / step * step;
}

std::int64_t tensor_bytes(const TensorType& type) {
  const std::int64_t count = type.shape.count_elems();
  const auto size = static_cast<std::int64_t>(refops::dtype_size_bytes(type.dtype));
  return rounded_up(type.dtype == Dtype::int1 ? (count + 7) / 8 : count * size, kBlockBytes);
}

class HoldingReader {
 public:
  explicit HoldingReader(const Program& program)
      : program_(program),
        is_used_(used_values(program)),
        root_(program.slots.size()),
        contents_(program.slots.size()),
        defined_(program.slots.size()),
        last_read_(program.slots.size(), -1),
        reads_of_(program.slots.size()),
        is_loaded_(program.slots.size()),
        is_filled_(program.slots.size()),
        is_carried_(program.slots.size()) {
    std::iota(root_.begin(), root_.end(), Slot{0});
    for_each_stmt(program.body, [this](const Stmt& stmt) {
      for_each_read(stmt.node, [this](const Operand& operand) {
        if (const Slot* slot = slot_of(operand)) ++reads_of_[*slot];
      });
    });
  }

  std::vector<Holding> run() {
    read_block(program_.body, 1);
    for (const ImplicitCopy& copy : program_.implicit_copies) add_inserted(copy);
    for (Holding& holding : holdings_) {
      if (!holding.scratch.empty()) continue;
      holding.last = std::max(holding.last, last_read_[holding.slot]);
      holding.is_certain = holding.is_certain && is_used_[holding.slot];
      holding.may_be_in_place = is_carried_[holding.slot];
    }
    return std::move(holdings_);
  }

 private:
  const TensorType* tensor(Slot slot) const {
    return std::get_if<TensorType>(&program_.slots[slot].type);
  }
  const TensorType* tensor(const Operand& operand) const {
    const Slot* slot = slot_of(operand);
    return slot == nullptr ? nullptr : tensor(*slot);
  }

  void read_block(const Block& block, std::int64_t copies) {
    for (const Stmt& stmt : block.stmts) {
      const std::int32_t at = position_++;
      for_each_read(stmt.node, [&](const Operand& operand) {
        if (const Slot* slot = slot_of(operand)) note_read(*slot, at);
      });
      if (const auto* move = std::get_if<Move>(&stmt.node)) note_move(*move, at);
      add_results(stmt, at, copies);
      const auto* loop = std::get_if<For>(&stmt.node);
      const bool repeats = loop != nullptr || std::holds_alternative<While>(stmt.node);
      const std::int64_t inner = loop == nullptr ? copies : copies * copies_of(*loop);
      if (inner == 0) continue;
      const std::size_t first_read = reads_.size();
      if (repeats) ++open_loops_;
      for_each_block(stmt.node, [&](const Block& nested) { read_block(nested, inner); });
      if (!repeats) continue;
      --open_loops_;
      // What the loop reads from outside lives until its end.
      for (std::size_t i = first_read; i < reads_.size(); ++i) {
        if (defined_[reads_[i]] < at) extend(reads_[i], position_);
      }
    }
  }

  // How often the body stands in the unrolled loop; a loop of constant bounds is not longer than
  // its iterations.
  static std::int64_t copies_of(const For& loop) {
    const auto* start = std::get_if<Constant>(&loop.start);
    const auto* stop = std::get_if<Constant>(&loop.stop);
    const auto* step = std::get_if<Constant>(&loop.step);
    if (start == nullptr || stop == nullptr || step == nullptr) return loop.unroll_factor;
    const std::int64_t span = stop->as_int() - start->as_int();
    if (step->as_int() <= 0) return loop.unroll_factor;
    const std::int64_t count = span <= 0 ? 0 : (span - 1) / step->as_int() + 1;
    return std::min<std::int64_t>(loop.unroll_factor, count);
  }

  void note_read(Slot slot, std::int32_t at) {
    slot = root_[slot];
    if (open_loops_ > 0) reads_.push_back(slot);
    extend(slot, at);
  }

  // The values that a name holds live as long as the name is read.
  void extend(Slot slot, std::int32_t until) {
    if (last_read_[slot] >= until) return;
    last_read_[slot] = until;
    for (const Slot content : contents_[slot]) extend(content, until);
  }

  void note_move(const Move& move, std::int32_t at) {
    for (std::size_t i = 0; i < move.dst.size(); ++i) {
      const Slot* source = slot_of(move.src[i]);
      if (source == nullptr || tensor(move.dst[i]) == nullptr) continue;
      if (contents_[move.dst[i]].empty()) defined_[move.dst[i]] = at;
      contents_[move.dst[i]].push_back(root_[*source]);
      if (open_loops_ > 0) is_carried_[root_[*source]] = true;
    }
  }

  void add(Slot slot, const Stmt& stmt, std::int32_t at, std::int64_t copies, bool is_certain) {
    const TensorType* type = tensor(slot);
    if (type == nullptr) return;
    defined_[slot] = at;
    holdings_.push_back({slot,
                         type->space,
                         tensor_bytes(*type) * copies,
                         copies,
                         {},
                         is_certain,
                         false,
                         stmt.span,
                         at,
                         at});
  }

  void add_scratch(Slot slot, const Stmt& stmt, std::int32_t at, std::int64_t copies,
                   std::string name, std::int64_t size_bytes, Space space = Space::ub) {
    const std::int64_t bytes = rounded_up(size_bytes, kBlockBytes) * copies;
    holdings_.push_back(
        {slot, space, bytes, copies, std::move(name), false, false, stmt.span, at, at});
  }

  void add_inserted(const ImplicitCopy& copy) {
    const TensorType* type = tensor(copy.slot);
    if (type == nullptr || copy.to == type->space) return;
    const std::int64_t bytes = tensor_bytes(*type);
    const std::int32_t first = defined_[root_[copy.slot]];
    const std::int32_t last = std::max(first, last_read_[root_[copy.slot]]);
    const auto hold = [&](Space space, std::string what) {
      holdings_.push_back(
          {copy.slot, space, bytes, 1, std::move(what), false, false, copy.span, first, last});
    };
    hold(copy.to, "inserted copy");
    if (copy.from == Space::ub && copy.to == Space::l1)
      hold(Space::ub, "scratch of the copy to L1");
  }

  // Outside UB the device computes while it moves: relu and casts of an accumulator, transposes.
  bool is_on_the_way(Slot dst) const {
    const TensorType* type = tensor(dst);
    return type != nullptr && type->space != Space::ub;
  }

  void share(Slot dst, const Operand& x) {
    if (const Slot* source = slot_of(x)) root_[dst] = root_[*source];
  }

  bool is_filled(const Operand& operand) const {
    const Slot* slot = slot_of(operand);
    return slot == nullptr || tensor(*slot) == nullptr || is_filled_[*slot];
  }

  void add_results(const Stmt& stmt, std::int32_t at, std::int64_t copies) {
    const auto keep = [&](Slot slot, bool is_certain) { add(slot, stmt, at, copies, is_certain); };
    const bool is_plain = !program_.allocation.vf_fusion;
    std::visit(
        Overloaded{
            [&](const CopyIn& s) {
              keep(s.dst, true);
              is_loaded_[s.dst] = true;
              // There is no way past L1.
              const TensorType* type = tensor(s.dst);
              if (type != nullptr && type->space != Space::ub && type->space != Space::l1)
                add_scratch(s.dst, stmt, at, copies, "staging", tensor_bytes(*type), Space::l1);
            },
            [&](const CopyLocal& s) {
              keep(s.dst, true);
              const TensorType* from = tensor(s.src);
              const TensorType* to = tensor(s.dst);
              if (from != nullptr && from->space == Space::ub && to->space == Space::l1)
                add_scratch(s.dst, stmt, at, copies, "scratch of the copy to L1",
                            tensor_bytes(*to));
            },
            [&](const Reshape& s) { share(s.dst, s.x); },
            [&](const Move&) {},
            [&](const Fill& s) {
              is_filled_[s.dst] = true;
              keep(s.dst, false);
            },
            [&](const Cast& s) {
              if (is_on_the_way(s.dst)) return share(s.dst, s.x);
              keep(s.dst, false);
            },
            [&](const Transpose& s) {
              const Slot* source = slot_of(s.x);
              const bool is_fused =
                  source != nullptr && is_loaded_[*source] && reads_of_[*source] == 1;
              if (is_fused || is_on_the_way(s.dst)) return share(s.dst, s.x);
              keep(s.dst, false);
            },
            [&](const BroadcastTo& s) { keep(s.dst, false); },
            [&](const Unary& s) {
              if (is_on_the_way(s.dst)) return share(s.dst, s.x);
              keep(s.dst, is_plain && !is_filled(s.x));
            },
            [&](const Binary& s) {
              const TensorType* type = tensor(s.dst);
              const bool is_mask = type != nullptr && type->dtype == Dtype::int1;
              keep(s.dst, is_plain && !is_mask && !(is_filled(s.a) && is_filled(s.b)));
            },
            [&](const Where& s) { keep(s.dst, is_plain && !(is_filled(s.a) && is_filled(s.b))); },
            [&](const Softmax& s) {
              keep(s.dst, true);
              if (const TensorType* type = tensor(s.x)) {
                const std::int64_t k = type->shape[type->shape.rank() - 1];
                const std::int64_t m = type->shape.count_elems() / k;
                add_scratch(s.dst, stmt, at, copies, "scratch of softmax",
                            (2 * rounded_up(m, kRepeatLanes) + m * k) * 4);
              }
            },
            [&](const RmsNorm& s) {
              keep(s.dst, true);
              if (const TensorType* type = tensor(s.x))
                add_scratch(s.dst, stmt, at, copies, "scratch of rms_norm",
                            2 * tensor_bytes(*type));
            },
            [&](const LayerNorm& s) {
              keep(s.dst, true);
              keep(s.mean, true);
              keep(s.spread, true);
              if (const TensorType* type = tensor(s.x))
                add_scratch(s.dst, stmt, at, copies, "scratch of layer_norm",
                            2 * tensor_bytes(*type));
            },
            [&](const Reduce& s) {
              keep(s.dst, true);
              const TensorType* type = tensor(s.x);
              if (type != nullptr && s.axes_mask != 0)
                add_scratch(s.dst, stmt, at, copies,
                            "scratch of " + std::string(refops::op_name(s.op)),
                            type->shape.count_elems() * 4);
            },
            [&](const auto& s) {
              if constexpr (requires { Slot{s.dst}; }) keep(s.dst, true);
            },
        },
        stmt.node);
  }

  const Program& program_;
  const std::vector<bool> is_used_;
  std::vector<Slot> root_;                   // whose buffer it is
  std::vector<std::vector<Slot>> contents_;  // of a re-bound name
  std::vector<std::int32_t> defined_, last_read_;
  std::vector<int> reads_of_;
  std::vector<bool> is_loaded_;   // by copy_in
  std::vector<bool> is_filled_;   // with one number
  std::vector<bool> is_carried_;  // into the next iteration, by a re-bound name
  std::vector<Holding> holdings_;
  std::vector<Slot> reads_;  // inside open loops
  int open_loops_ = 0;
  std::int32_t position_ = 0;
};

}  // namespace

std::vector<Holding> read_holdings(const Program& program) { return HoldingReader(program).run(); }

bool has_broadcast(const Program& program) {
  bool found = false;
  for_each_stmt(program.body, [&](const Stmt& stmt) {
    found = found || std::holds_alternative<BroadcastTo>(stmt.node);
    const auto shape_of = [&](const Operand& operand) -> const Shape* {
      const Slot* slot = slot_of(operand);
      const auto* type =
          slot == nullptr ? nullptr : std::get_if<TensorType>(&program.slots[*slot].type);
      return type == nullptr ? nullptr : &type->shape;
    };
    const auto widens = [&](Slot dst, const Operand& operand) {
      const Shape* from = shape_of(operand);
      const Shape* to = shape_of(SlotRef{dst});
      return from != nullptr && to != nullptr && !(*from == *to);
    };
    if (const auto* s = std::get_if<Binary>(&stmt.node))
      found = found || widens(s->dst, s->a) || widens(s->dst, s->b);
    if (const auto* s = std::get_if<Where>(&stmt.node))
      found = found || widens(s->dst, s->mask) || widens(s->dst, s->a) || widens(s->dst, s->b);
  });
  return found;
}

}  // namespace ascemu::interp
