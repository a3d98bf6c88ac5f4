// where (spec asc2 §6.2, §11.1).
#include "interp/builtins/conversion.h"
#include "interp/builtins/unify.h"

namespace ascemu::interp {
namespace {

constexpr std::string_view kOp = "where";

struct Arm {
  std::optional<Value> value;  // nothing while the arm is a weak number next to a tensor
  bool is_tensor = false;
  std::optional<Dtype> dtype;
  std::optional<Literal> literal;
};

Result<Arm> read_arm(const TraceState& state, const Arg& arg, std::string_view name) {
  Arm arm;
  if (const auto* literal = std::get_if<Literal>(&arg)) {
    arm.literal = *literal;
    return arm;
  }
  const Value& value = std::get<Value>(arg);
  const Status admitted = state.admit(value);
  if (!admitted) return admitted.fault();
  if (!value.is_scalar() && !value.is_tensor()) {
    return kind_fault(kOp, name, "a tensor or a number", type_phrase(value.type));
  }
  const auto legal = refops::op_row(OpId::where_).dtypes;
  arm.is_tensor = value.is_tensor();
  if (arm.is_tensor && !refops::op_accepts(OpId::where_, value.dtype())) {
    return dtype_fault(kOp, name, value.dtype(), legal);
  }
  arm.value = value;
  arm.dtype = value.dtype();
  return arm;
}

// A number beside a tensor takes the tensor's dtype; numbers alone are int32 or float32.
Result<Dtype> arms_dtype(const Arm& a, const Arm& b) {
  if (a.is_tensor && !b.is_tensor) return *a.dtype;
  if (b.is_tensor && !a.is_tensor) return *b.dtype;
  const auto own_dtype = [](const Arm& arm) {
    if (arm.dtype) return *arm.dtype;
    return std::holds_alternative<double>(*arm.literal) ? Dtype::float32 : Dtype::int32;
  };
  return common_dtype(kOp, own_dtype(a), own_dtype(b));
}

Result<Operand> convert_arm(TraceState& state, const Arm& arm, Dtype dtype, const Shape& mask,
                            std::string_view name) {
  if (!arm.is_tensor) {
    const auto scalar =
        scalar_of(state, arm.value ? Arg{*arm.value} : Arg{*arm.literal}, dtype, kOp, name);
    if (!scalar) return scalar.fault();
    return scalar->operand;
  }
  const auto& type = std::get<TensorType>(arm.value->type);
  const auto shape = refops::broadcast_shapes(type.shape, mask);
  if (!shape || !(*shape == mask)) {
    return make_fault(Code::bad_shape, arg_name(kOp, name) + " of shape " + type.shape.to_string() +
                                           " does not broadcast to the mask's shape " +
                                           mask.to_string());
  }
  return convert_tensor(state, *arm.value, dtype).operand;
}

Result<Value> where_rule(TraceState& state, const Value& mask, const Arg& a, const Arg& b) {
  const auto mask_type =
      require_tensor_of(state, mask, kOp, "mask", refops::dtype_bit(Dtype::int1));
  if (!mask_type) return mask_type.fault();
  const auto first = read_arm(state, a, "src0");
  if (!first) return first.fault();
  const auto second = read_arm(state, b, "src1");
  if (!second) return second.fault();
  const auto dtype = arms_dtype(*first, *second);
  if (!dtype) return dtype.fault();
  if (!refops::op_accepts(OpId::where_, *dtype)) {
    return dtype_fault(kOp, "src0", *dtype, refops::op_row(OpId::where_).dtypes);
  }
  const Status size = check_shape(kOp, mask_type->shape, *dtype);
  if (!size) return size.fault();
  const auto left = convert_arm(state, *first, *dtype, mask_type->shape, "src0");
  if (!left) return left.fault();
  const auto right = convert_arm(state, *second, *dtype, mask_type->shape, "src1");
  if (!right) return right.fault();
  const Value result = state.emit_value(TensorType{*dtype, mask_type->shape}, [&](Slot dst) {
    return Where{dst, mask.operand, *left, *right};
  });
  state.facts.back().is_scalar_select = !first->is_tensor && !second->is_tensor;
  return result;
}

}  // namespace

Result<Value> Builder::where(const Value& mask, const Arg& a, const Arg& b) {
  return transact(*state_, [&] { return where_rule(*state_, mask, a, b); });
}

}  // namespace ascemu::interp
