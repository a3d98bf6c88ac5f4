// Unary and binary element-wise ops and comparisons (spec asc2 §6.1-§6.3, §11.1).
#include "interp/builtins/conversion.h"
#include "interp/builtins/mask.h"
#include "interp/builtins/unify.h"

namespace ascemu::interp {
namespace {

using refops::OpFamily;

std::optional<ScalarOp> scalar_form(OpId op) {
  if (op == OpId::exp_) return ScalarOp::exp;
  if (op == OpId::sqrt_) return ScalarOp::sqrt;
  if (op == OpId::erf_) return ScalarOp::erf;
  return std::nullopt;
}

Result<Value> tensor_unary(TraceState& state, OpId op, const Value& x) {
  const std::string_view name = refops::op_name(op);
  if (refops::op_row(op).family != OpFamily::unary) {
    return make_fault(Code::internal_error, std::string(name) + " is no unary operation");
  }
  const auto type = require_tensor_of(state, x, name, "input", refops::op_row(op).dtypes);
  if (!type) return type.fault();
  auto mask = current_mask(state, type->dtype);
  if (!mask) return mask.fault();
  warn_chip_gaps(state, op, type->dtype);
  return state.emit_value(TensorType{type->dtype, type->shape},
                          [&](Slot dst) { return Unary{dst, op, x.operand, std::move(*mask)}; });
}

// The tensor type of an operand after its dtype check; nothing for a scalar.
Result<std::optional<TensorType>> check_operand(const TraceState& state, OpId op, const Arg& arg,
                                                std::string_view name) {
  const auto* value = std::get_if<Value>(&arg);
  if (value == nullptr) return std::optional<TensorType>{};
  const Status admitted = state.admit(*value);
  if (!admitted) return admitted.fault();
  if (value->is_scalar()) return std::optional<TensorType>{};
  const std::string_view op_name = refops::op_name(op);
  if (!value->is_tensor()) {
    return make_fault(
        Code::bad_argument_type, ExceptionKind::binary_operand_type_error,
        arg_name(op_name, name) + " must be a tensor or a number, got " + type_phrase(value->type));
  }
  const auto& type = std::get<TensorType>(value->type);
  if (refops::op_accepts(op, type.dtype)) return std::optional<TensorType>(type);
  return dtype_fault(op_name, name, type.dtype, refops::op_row(op).dtypes);
}

struct Operands {
  Operand a, b;
  TensorType type;  // common dtype, broadcast shape
};

Result<Operands> unify_operands(TraceState& state, OpId op, const Arg& a, const Arg& b) {
  const std::string_view name = refops::op_name(op);
  const auto left = check_operand(state, op, a, "input");
  if (!left) return left.fault();
  const auto right = check_operand(state, op, b, "other");
  if (!right) return right.fault();
  if (!*left && !*right) {
    return make_fault(Code::bad_argument_type, ExceptionKind::binary_operand_type_error,
                      std::string(name) + ": at least one operand must be a tensor, got " +
                          arg_text(a) + " and " + arg_text(b));
  }
  if (*left && *right) {
    const auto dtype = common_dtype(name, (*left)->dtype, (*right)->dtype);
    if (!dtype) return dtype.fault();
    const auto shape = common_shape(name, (*left)->shape, (*right)->shape);
    if (!shape) return shape.fault();
    const Value first = convert_tensor(state, std::get<Value>(a), *dtype);
    const Value second = convert_tensor(state, std::get<Value>(b), *dtype);
    return Operands{first.operand, second.operand, TensorType{*dtype, *shape}};
  }
  const TensorType type = *left ? **left : **right;
  const auto scalar = scalar_of(state, *left ? b : a, type.dtype, name, *left ? "other" : "input");
  if (!scalar) return scalar.fault();
  const Operand tensor = std::get<Value>(*left ? a : b).operand;
  const TensorType result{type.dtype, type.shape};
  if (*left) return Operands{tensor, scalar->operand, result};
  return Operands{scalar->operand, tensor, result};
}

Result<Value> binary_rule(TraceState& state, OpId op, const Arg& a, const Arg& b) {
  const OpFamily family = refops::op_row(op).family;
  const std::string_view name = refops::op_name(op);
  if (family != OpFamily::binary && family != OpFamily::compare) {
    return make_fault(Code::internal_error, std::string(name) + " is no binary operation");
  }
  auto operands = unify_operands(state, op, a, b);
  if (!operands) return operands.fault();
  const TensorType& common = operands->type;
  TensorType type{family == OpFamily::compare ? Dtype::int1 : common.dtype, common.shape};
  const Status shape = check_shape(name, type.shape, common.dtype);
  if (!shape) return shape.fault();
  std::optional<MaskSpec> mask;
  if (family == OpFamily::binary) {
    if (op == OpId::pow_ && !state.masks.empty()) {
      return make_fault(Code::bad_argument_value, ExceptionKind::runtime_error,
                        "pow: the device has no masked form of this operation",
                        "Move the operation out of the mask block.");
    }
    auto current = current_mask(state, common.dtype);
    if (!current) return current.fault();
    mask = std::move(*current);
  }
  warn_chip_gaps(state, op, common.dtype);
  return state.emit_value(std::move(type), [&](Slot dst) {
    return Binary{dst, op, operands->a, operands->b, std::move(mask)};
  });
}

}  // namespace

Result<Value> Builder::unary(OpId op, const Arg& x) {
  const auto* value = std::get_if<Value>(&x);
  if (value != nullptr && !value->is_scalar()) {
    return transact(*state_, [&] { return tensor_unary(*state_, op, *value); });
  }
  const auto form = scalar_form(op);
  if (!form) {
    return kind_fault(refops::op_name(op), "input", "a local tensor", arg_text(x));
  }
  if (value != nullptr) return scalar_unary(*form, *value);
  const auto number = constant(std::get<Literal>(x), Dtype::float32);
  if (!number) return number;
  return scalar_unary(*form, *number);
}

Result<Value> Builder::binary(OpId op, const Arg& a, const Arg& b) {
  return transact(*state_, [&] { return binary_rule(*state_, op, a, b); });
}

}  // namespace ascemu::interp
