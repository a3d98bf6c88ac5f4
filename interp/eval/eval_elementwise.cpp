// Element-wise ops, select and cast (spec asc2 §6.1-6.3, §6.5), with the vector mask (§6.7).
#include "interp/eval/walker.h"
#include "refops/eval.h"

namespace ascemu::interp {
namespace {

// Beyond this an integer is not exact in the float that the device compares it as (spec asc2 §6.2).
std::int64_t last_exact_integer(Dtype dtype) {
  if (dtype == Dtype::int32) return std::int64_t{1} << 24;
  if (dtype == Dtype::int16) return std::int64_t{1} << 11;
  return INT64_MAX;
}

}  // namespace

Completion Walker::eval_node(const Unary& node) {
  const std::optional<refops::View> out = define_tensor(node.dst);
  if (!out) return Completion::end_launch;
  std::uint64_t storage = 0;
  refops::eval_unary(node.op, policy_, view(node.x, storage), *out);
  carry(node.dst, node.x);
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
    if (a.shape.rank() == 0 || b.shape.rank() == 0) warn_of_inexact(node, a, b);
  } else {
    refops::eval_binary(node.op, policy_, a, b, *out);
  }
  carry(node.dst, node.a);
  carry(node.dst, node.b);
  apply_mask(node.mask, node.dst, *out);
  return Completion::normal;
}

void Walker::warn_of_inexact(const Binary& node, const refops::ConstView& a,
                             const refops::ConstView& b) {
  const refops::ConstView& number = a.shape.rank() == 0 ? a : b;
  if (refops::is_float(number.dtype)) return;
  const std::int64_t value = Scalar::load(number.dtype, number.data).as_int();
  const std::int64_t limit = last_exact_integer(number.dtype);
  if (value >= -limit && value <= limit) return;
  report(Code::portability_inexact_comparison, [&] {
    const bool is_wide = number.dtype == Dtype::int32;
    return make_fault(Code::portability_inexact_comparison,
                      std::string(refops::op_name(node.op)) + " compares " +
                          std::string(refops::dtype_name(number.dtype)) + " elements with " +
                          std::to_string(value) + ", and the device does so in " +
                          (is_wide ? "float32, which is exact up to 16777216"
                                   : "float16, which is exact up to 2048"));
  });
}

Completion Walker::eval_node(const Where& node) {
  const std::optional<refops::View> out = define_tensor(node.dst);
  if (!out) return Completion::end_launch;
  std::uint64_t storage_mask = 0;
  std::uint64_t storage_a = 0;
  std::uint64_t storage_b = 0;
  refops::eval_where(view(node.mask, storage_mask), view(node.a, storage_a),
                     view(node.b, storage_b), *out);
  carry_selected(node);
  return Completion::normal;
}

Completion Walker::eval_node(const Cast& node) {
  const std::optional<refops::View> out = define_tensor(node.dst);
  if (!out) return Completion::end_launch;
  std::uint64_t storage = 0;
  refops::eval_cast(policy_, node.mode, view(node.x, storage), *out);
  carry(node.dst, node.x);
  return Completion::normal;
}

}  // namespace ascemu::interp
