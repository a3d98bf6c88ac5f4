// The operands a statement reads and the slots it writes, kind by kind.
//
// What it is: the one list of every node's operands, in reading order; nested blocks are not
// entered. What it is not: what the operands mean. Invariant: total over StmtNode; For's induction
// and every result slot count as writes.
#pragma once

#include <optional>
#include <utility>
#include <variant>
#include <vector>

#include "interp/ast/tree.h"

namespace ascemu::interp {

template <class... F>
struct Overloaded : F... {
  using F::operator()...;
};
template <class... F>
Overloaded(F...) -> Overloaded<F...>;

namespace detail {

template <class F>
void visit_each(F& f, const Operand& operand) {
  f(operand);
}
template <class F>
void visit_each(F& f, const std::vector<Operand>& operands) {
  for (const Operand& operand : operands) f(operand);
}
template <class F>
void visit_each(F& f, const std::optional<Operand>& operand) {
  if (operand) f(*operand);
}
template <class F>
void visit_each(F& f, const std::optional<std::vector<Operand>>& operands) {
  if (operands) visit_each(f, *operands);
}
template <class F>
void visit_each(F& f, const std::optional<MaskSpec>& mask) {
  if (mask) visit_each(f, mask->other);
}

}  // namespace detail

// Calls f(const Operand&) for every operand the statement itself reads.
template <class F>
void for_each_read(const StmtNode& node, F&& f) {
  const auto see = [&](const auto&... parts) { (detail::visit_each(f, parts), ...); };
  std::visit(
      Overloaded{
          [&](const ScalarUnary& s) { see(s.a); },
          [&](const ScalarBinary& s) { see(s.a, s.b); },
          [&](const ScalarCast& s) { see(s.a); },
          [&](const ProgramScalar&) {},
          [&](const Unary& s) { see(s.x, s.mask); },
          [&](const Binary& s) { see(s.a, s.b, s.mask); },
          [&](const Where& s) { see(s.mask, s.a, s.b); },
          [&](const Cast& s) { see(s.x); },
          [&](const Reduce& s) { see(s.x); },
          [&](const Softmax& s) { see(s.x); },
          [&](const RmsNorm& s) { see(s.x, s.gamma, s.epsilon); },
          [&](const LayerNorm& s) { see(s.x, s.gamma, s.beta, s.epsilon); },
          [&](const Fill& s) { see(s.value); },
          [&](const Reshape& s) { see(s.x); },
          [&](const Transpose& s) { see(s.x); },
          [&](const BroadcastTo& s) { see(s.x); },
          [&](const Concat& s) { see(s.inputs); },
          [&](const ZerosAcc& s) { see(s.bias); },
          [&](const MatmulAcc& s) { see(s.acc, s.a, s.b); },
          [&](const Matmul& s) { see(s.a, s.b, s.bias); },
          [&](const AddressAdd& s) { see(s.base, s.offset_elems); },
          [&](const MakeGlobal& s) { see(s.base, s.dims); },
          [&](const CopyIn& s) { see(s.src, s.offsets, s.real_shape, s.pad_value); },
          [&](const CopyOut& s) { see(s.src, s.dst, s.offsets, s.real_shape); },
          [&](const LoadScalar& s) { see(s.src, s.offsets); },
          [&](const StoreScalar& s) { see(s.value, s.dst, s.offsets); },
          [&](const CopyLocal& s) { see(s.src, s.offsets); },
          [&](const Gather& s) { see(s.src, s.offsets, s.index, s.num_indices, s.pad_value); },
          [&](const Scatter& s) { see(s.src, s.index, s.dst, s.offsets, s.num_indices); },
          [&](const Atomic& s) { see(s.src, s.dst, s.offsets); },
          [&](const Move& s) { see(s.src); },
          [&](const If& s) { see(s.condition); },
          [&](const For& s) { see(s.start, s.stop, s.step); },
          // The condition is read after condition_block.
          [&](const While&) {},
          [&](const Print& s) {
            for (const auto& part : s.parts) {
              if (const auto* operand = std::get_if<Operand>(&part)) see(*operand);
            }
          },
          [&](const DeviceAssert& s) { see(s.condition); },
          [&](const SyncAll&) {},
      },
      node);
}

// The same with Operand&, to replace operands of a statement that may change.
template <class F>
void for_each_read(StmtNode& node, F&& f) {
  for_each_read(std::as_const(node),
                [&](const Operand& operand) { f(const_cast<Operand&>(operand)); });
}

// Calls f(Slot) for every slot the statement itself writes.
template <class F>
void for_each_write(const StmtNode& node, F&& f) {
  std::visit(Overloaded{
                 [&](const LayerNorm& s) {
                   f(s.dst);
                   f(s.mean);
                   f(s.spread);
                 },
                 [&](const Move& s) {
                   for (const Slot slot : s.dst) f(slot);
                 },
                 [&](const For& s) { f(s.induction); },
                 [&](const auto& s) {
                   if constexpr (requires { Slot{s.dst}; }) f(s.dst);
                 },
             },
             node);
}

// Calls f(const Block&) for every nested block, in running order.
template <class F>
void for_each_block(const StmtNode& node, F&& f) {
  if (const auto* branch = std::get_if<If>(&node)) {
    f(branch->then_block);
    f(branch->else_block);
  } else if (const auto* loop = std::get_if<For>(&node)) {
    f(loop->body);
  } else if (const auto* loop = std::get_if<While>(&node)) {
    f(loop->condition_block);
    f(loop->body);
  }
}

// The same with Block&.
template <class F>
void for_each_block(StmtNode& node, F&& f) {
  for_each_block(std::as_const(node), [&](const Block& block) { f(const_cast<Block&>(block)); });
}

// Every statement of a block and of the blocks inside it, outer before inner.
template <class F>
void for_each_stmt(const Block& block, F&& f) {
  for (const Stmt& stmt : block.stmts) {
    f(stmt);
    for_each_block(stmt.node, [&](const Block& inner) { for_each_stmt(inner, f); });
  }
}

inline const Slot* slot_of(const Operand& operand) {
  const auto* ref = std::get_if<SlotRef>(&operand);
  return ref == nullptr ? nullptr : &ref->slot;
}

}  // namespace ascemu::interp
