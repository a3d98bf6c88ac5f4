// Runtime scalars (spec asc2 §3) and the program's own numbers (§7, §11.1).
#include "interp/eval/walker.h"
#include "refops/scalar_ops.h"

namespace ascemu::interp {

Completion Walker::eval_node(const ScalarUnary& node) {
  set_scalar(node.dst, refops::eval_scalar_unary(node.op, scalar(node.a), policy_));
  return Completion::normal;
}

Completion Walker::eval_node(const ScalarBinary& node) {
  bool divided_by_zero = false;
  const Scalar a = scalar(node.a);
  const Scalar result =
      refops::eval_scalar_binary(node.op, a, scalar(node.b), &divided_by_zero, policy_);
  if (divided_by_zero) [[unlikely]] {
    report(Code::division_by_zero, [&] {
      const bool is_remainder = node.op == ScalarOp::rem;
      return make_fault(Code::division_by_zero,
                        std::string(refops::dtype_name(a.dtype)) + " " +
                            std::to_string(a.as_int()) +
                            (is_remainder ? " % 0 is undefined; 0 is used instead"
                                          : " / 0 is undefined; 0 is used instead"));
    });
  }
  set_scalar(node.dst, result);
  return Completion::normal;
}

Completion Walker::eval_node(const ScalarCast& node) {
  set_scalar(node.dst, refops::eval_scalar_cast(scalar(node.a), node.to, policy_));
  return Completion::normal;
}

// The logical block of an interpreter: one vector sub-block, number 0 (spec §11.1).
Completion Walker::eval_node(const ProgramScalar& node) {
  std::int64_t value = 0;
  if (node.op == OpId::block_idx_) value = block_;
  if (node.op == OpId::block_num_) value = context_.options.blocks;
  if (node.op == OpId::sub_block_num_) value = 1;
  set_scalar(node.dst, Scalar::from_int(Dtype::int32, value));
  return Completion::normal;
}

}  // namespace ascemu::interp
