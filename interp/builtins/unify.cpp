#include "interp/builtins/unify.h"

namespace ascemu::interp {

Result<Dtype> common_dtype(std::string_view op, Dtype a, Dtype b) {
  if (a == b) return a;
  const std::string pair =
      std::string(refops::dtype_name(a)) + " and " + std::string(refops::dtype_name(b));
  if (refops::is_unsigned_integer(a) || refops::is_unsigned_integer(b)) {
    return make_fault(Code::no_common_dtype, ExceptionKind::not_implemented_error,
                      std::string(op) + ": unsigned dtypes are not unified, got " + pair);
  }
  const int left = refops::dtype_width_bits(a);
  const int right = refops::dtype_width_bits(b);
  if (refops::is_float(a) == refops::is_float(b)) return left >= right ? a : b;
  if (left == right) return refops::is_float(a) ? a : b;
  return make_fault(Code::no_common_dtype, std::string(op) + ": " + pair + " have no common dtype");
}

Result<Shape> common_shape(std::string_view op, const Shape& a, const Shape& b) {
  if (const auto shape = refops::broadcast_shapes(a, b)) return *shape;
  return make_fault(Code::bad_shape, std::string(op) + ": shapes " + a.to_string() + " and " +
                                         b.to_string() + " do not broadcast");
}

void warn_chip_gaps(TraceState& state, OpId op, Dtype dtype) {
  if (state.options.policy.chip == refops::Chip::ascend950pr) return;
  const bool is_bitwise = op == OpId::bitwise_and_ || op == OpId::bitwise_or_ ||
                          op == OpId::bitwise_xor_ || op == OpId::bitwise_not_;
  const bool is_missing = dtype == Dtype::bfloat16 ||
                          (op == OpId::div_ && refops::is_integer(dtype)) ||
                          (is_bitwise && dtype != Dtype::int16);
  if (!is_missing) return;
  state.warn(make_fault(Code::portability,
                        std::string(refops::op_name(op)) + " of " +
                            std::string(refops::dtype_name(dtype)) +
                            " has no vector instruction on Ascend 910B and 910_93",
                        {}, "Cast the operands to a dtype the chip computes in."));
}

}  // namespace ascemu::interp
