// The rules of whole-tree validation as one class: assignment and control flow (validate.cpp), ops
// (validate_ops.cpp), memory (validate_memory.cpp).
//
// Invariant: fails() once means nothing more is looked at; no member reads a slot out of range.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "interp/ast/operands.h"

namespace ascemu::interp {

class Validator {
 public:
  explicit Validator(const Program& program);
  std::vector<Diagnostic> run();

 private:
  // Control flow and assignment.
  void check_slots();
  void check_params();
  void check_block(const Block& block, int depth);
  void check_stmt(const Stmt& stmt, int depth);
  void check_nested(const StmtNode& node, int depth);
  void check_while(const While& loop, int depth);
  void leave_scope(std::size_t mark);
  void write(Slot slot, bool by_move);
  bool readable(const Operand& operand);
  void check(const Move& s);

  // Scalars and control operands.
  void check(const ScalarUnary& s);
  void check(const ScalarBinary& s);
  void check(const ScalarCast& s);
  void check(const ProgramScalar& s);
  void check(const If& s);
  void check(const For& s);
  void check(const While& s);
  void check(const Print& s);
  void check(const DeviceAssert& s);
  void check(const SyncAll& s);

  // Pure tensor ops.
  void check(const Unary& s);
  void check(const Binary& s);
  void check(const Where& s);
  void check(const Cast& s);
  void check(const Reduce& s);
  void check(const Softmax& s);
  void check(const RmsNorm& s);
  void check(const LayerNorm& s);
  void check(const Fill& s);
  void check(const Reshape& s);
  void check(const Transpose& s);
  void check(const BroadcastTo& s);
  void check(const Concat& s);
  void check(const ZerosAcc& s);
  void check(const MatmulAcc& s);
  void check(const Matmul& s);
  void check_mask(const std::optional<MaskSpec>& mask, Dtype dtype);
  void check_product(const Operand& a, const Operand& b, const Shape& result, bool hf32);
  void check_bias(const std::optional<Operand>& bias, std::int64_t columns);
  // `operand`, a scalar or a tensor, has that dtype and broadcasts to `shape`.
  void check_broadcasts(const Operand& operand, Dtype dtype, const Shape& shape);

  // Memory.
  void check(const AddressAdd& s);
  void check(const MakeGlobal& s);
  void check(const CopyIn& s);
  void check(const CopyOut& s);
  void check(const LoadScalar& s);
  void check(const StoreScalar& s);
  void check(const CopyLocal& s);
  void check(const Gather& s);
  void check(const Scatter& s);
  void check(const Atomic& s);
  void check_counts(const std::vector<Operand>& operands, std::size_t count);
  void check_scalar(const std::optional<Operand>& operand, Dtype dtype);
  void check_indexed(const GlobalType& global, int dim, const std::vector<Operand>& offsets,
                     const Operand& index, const std::optional<Operand>& num_indices);

  // Types; a wrong kind fails and yields a default.
  Dtype scalar(const Operand& operand);
  const TensorType& tensor(const Operand& operand);
  const GlobalType& global(const Operand& operand);
  const AddressType& address(const Operand& operand);
  const TensorType& result_tensor(Slot slot);
  Dtype result_scalar(Slot slot);

  bool fails() const { return fault_.has_value(); }
  void require(bool holds, const char* what);

  const Program& program_;
  std::vector<bool> is_assigned_;
  std::vector<bool> is_written_;
  std::vector<bool> is_accumulator_;
  std::vector<Slot> trail_;  // slots assigned in open scopes, in order
  std::optional<Fault> fault_;
  SpanId span_ = kNoSpan;
};

}  // namespace ascemu::interp
