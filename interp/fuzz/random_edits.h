// Random damage to a valid tree, so that validation meets trees no builder makes.
#pragma once

#include <algorithm>
#include <vector>

#include "interp/ast/operands.h"
#include "interp/fuzz/byte_source.h"

namespace ascemu::interp::fuzz {

class RandomEdits {
 public:
  RandomEdits(ByteSource& bytes, Program& program) : bytes_(bytes), program_(program) {}

  void run() {
    collect(program_.body);
    if (blocks_.empty()) return;
    for (std::size_t i = 1 + bytes_.below(3); i > 0; --i) edit();
  }

 private:
  void collect(Block& block) {
    blocks_.push_back(&block);
    for (Stmt& stmt : block.stmts) {
      for_each_block(stmt.node, [&](const Block& inner) { collect(const_cast<Block&>(inner)); });
    }
  }

  Slot any_slot() {
    const std::size_t count = program_.slots.size();
    if (count == 0 || bytes_.one_in(30)) return static_cast<Slot>(bytes_.word());
    return static_cast<Slot>(bytes_.below(std::min<std::size_t>(count, 256)));
  }

  Operand any_operand() {
    if (bytes_.one_in(4))
      return Scalar::from_int(bytes_.dtype(), static_cast<std::int64_t>(bytes_.below(9)));
    return SlotRef{any_slot()};
  }

  void edit_reads(Stmt& stmt) {
    const std::size_t target = bytes_.below(4);
    std::size_t index = 0;
    for_each_read(stmt.node, [&](const Operand& operand) {
      if (index++ == target) const_cast<Operand&>(operand) = any_operand();
    });
  }

  // Node fields that are neither operands nor results.
  void edit_fields(Stmt& stmt) {
    const auto op = static_cast<OpId>(bytes_.below(refops::op_table().size()));
    std::visit(Overloaded{
                   [&](Unary& s) { s.op = op; },
                   [&](Binary& s) { s.op = op; },
                   [&](Reduce& s) { s.axes_mask = static_cast<std::uint32_t>(bytes_.byte()); },
                   [&](Atomic& s) { s.op = op; },
                   [&](Cast& s) { s.mode = static_cast<RoundMode>(bytes_.byte()); },
                   [&](ScalarUnary& s) { s.op = static_cast<ScalarOp>(bytes_.byte()); },
                   [&](ScalarBinary& s) { s.op = static_cast<ScalarOp>(bytes_.byte()); },
                   [&](ScalarCast& s) { s.to = bytes_.dtype(); },
                   [&](ProgramScalar& s) { s.op = op; },
                   [&](Transpose& s) {
                     s.permutation.assign(bytes_.below(4), static_cast<int>(bytes_.below(4)));
                   },
                   [&](Gather& s) { s.dim = static_cast<int>(bytes_.below(5)) - 1; },
                   [&](Scatter& s) { s.dim = static_cast<int>(bytes_.below(5)) - 1; },
                   [&](Matmul& s) { s.hf32 = !s.hf32; },
                   [&](CopyIn& s) { s.offsets.resize(bytes_.below(4)); },
                   [&](CopyOut& s) { s.offsets.resize(bytes_.below(4)); },
                   [&](CopyLocal& s) { s.offsets.resize(bytes_.below(4)); },
                   [&](Concat& s) { s.inputs.resize(bytes_.below(3)); },
                   [&](Move& s) { s.dst.push_back(any_slot()); },
                   [&](For& s) { s.induction = any_slot(); },
                   [](auto&) {},
               },
               stmt.node);
  }

  void edit_slot() {
    if (program_.slots.empty()) return;
    SlotInfo& info =
        program_.slots[bytes_.below(std::min<std::size_t>(program_.slots.size(), 256))];
    switch (bytes_.below(5)) {
      case 0:
        info.is_variable = !info.is_variable;
        return;
      case 1:
        info.type = ScalarType{bytes_.dtype()};
        return;
      case 2:
        info.type = GlobalType{bytes_.dtype(), {bytes_.dim()}};
        return;
      default:
        info.type = TensorType{bytes_.dtype(), bytes_.shape(), static_cast<Space>(bytes_.below(8))};
        return;
    }
  }

  void edit() {
    Block& block = *blocks_[bytes_.below(std::min<std::size_t>(blocks_.size(), 256))];
    if (block.stmts.empty() || bytes_.one_in(6)) return edit_slot();
    const std::size_t at = bytes_.below(std::min<std::size_t>(block.stmts.size(), 256));
    // A moved or copied statement may end the life of the blocks inside it.
    switch (bytes_.below(6)) {
      case 0:
        program_.has_barrier = bytes_.one_in(2);
        block.stmts.erase(block.stmts.begin() + static_cast<std::ptrdiff_t>(at));
        return restart();
      case 1:
        block.stmts.push_back(Stmt(block.stmts[at]));
        return restart();
      case 2:
        return edit_fields(block.stmts[at]);
      default:
        return edit_reads(block.stmts[at]);
    }
  }

  void restart() {
    blocks_.clear();
    collect(program_.body);
  }

  ByteSource& bytes_;
  Program& program_;
  std::vector<Block*> blocks_;
};

}  // namespace ascemu::interp::fuzz
