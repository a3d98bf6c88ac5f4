// Element-wise ops, select and cast (spec asc2 §6.1-6.3, §6.5), with the vector mask (§6.7).
#include "interp/eval/walker.h"
#include "refops/eval.h"

namespace ascemu::interp {

Completion Walker::eval_node(const Unary& node) {
  const std::optional<refops::View> out = define_tensor(node.dst);
  if (!out) return Completion::end_launch;
  std::uint64_t storage = 0;
  refops::eval_unary(node.op, policy_, view(node.x, storage), *out);
  apply_mask(node.mask, node.dst, *out);
  return Completion::normal;
}

Completion Walker::eval_node(const Binary& node) {
  const std::optional<refops::View> out = define_tensor(node.dst);
  if (!out) return Completion::end_launch;
  std::uint64_t storage_a = 0;
  std::uint64_t storage_b = 0;
  const refops::ConstView a = view(node.a, storage_a);
  const refops::ConstView b = view(node.b, storage_b);
  if (refops::op_row(node.op).family == refops::OpFamily::compare) {
    refops::eval_compare(node.op, policy_, a, b, *out);
  } else {
    refops::eval_binary(node.op, policy_, a, b, *out);
  }
  apply_mask(node.mask, node.dst, *out);
  return Completion::normal;
}

Completion Walker::eval_node(const Where& node) {
  const std::optional<refops::View> out = define_tensor(node.dst);
  if (!out) return Completion::end_launch;
  std::uint64_t storage_mask = 0;
  std::uint64_t storage_a = 0;
  std::uint64_t storage_b = 0;
  refops::eval_where(view(node.mask, storage_mask), view(node.a, storage_a),
                     view(node.b, storage_b), *out);
  return Completion::normal;
}

Completion Walker::eval_node(const Cast& node) {
  const std::optional<refops::View> out = define_tensor(node.dst);
  if (!out) return Completion::end_launch;
  std::uint64_t storage = 0;
  refops::eval_cast(policy_, node.mode, view(node.x, storage), *out);
  return Completion::normal;
}

}  // namespace ascemu::interp
