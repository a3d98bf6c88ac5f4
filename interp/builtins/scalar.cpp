// Runtime scalars (spec asc2 §3): no promotion, the left value's dtype wins, constants fold.
#include "interp/builtins/conversion.h"
#include "interp/builtins/trace_state.h"

namespace ascemu::interp {
namespace {

using refops::ScalarOp;

bool is_logical(ScalarOp op) { return op == ScalarOp::logical_and || op == ScalarOp::logical_or; }

Result<Value> require_scalar(const TraceState& state, const Value& value, std::string_view op) {
  const Status admitted = state.admit(value);
  if (!admitted) return admitted.fault();
  if (value.is_scalar()) return value;
  return make_fault(
      Code::bad_argument_type,
      std::string(op) + ": the operand must be a scalar, got " + type_phrase(value.type));
}

Result<Value> condition_rule(TraceState& state, const Arg& arg) {
  if (const auto* literal = std::get_if<Literal>(&arg)) {
    return constant_value(std::visit(
        [](auto number) { return Scalar::from_int(Dtype::int1, number != 0 ? 1 : 0); }, *literal));
  }
  auto value = require_scalar(state, std::get<Value>(arg), "a condition");
  if (!value || value->dtype() == Dtype::int1) return value;
  if (refops::is_float(value->dtype())) {
    return make_fault(Code::scalar_cast_missing,
                      type_phrase(value->type) + " cannot be used as a condition");
  }
  if (const auto* constant = std::get_if<Constant>(&value->operand)) {
    return constant_value(Scalar::from_int(Dtype::int1, constant->as_bool() ? 1 : 0));
  }
  return state.emit_value(ScalarType{Dtype::int1}, [&](Slot dst) {
    return ScalarBinary{dst, ScalarOp::not_equal, value->operand,
                        Scalar::from_int(value->dtype(), 0)};
  });
}

// As kernels write it.
std::string_view symbol_of(ScalarOp op) {
  switch (op) {
    case ScalarOp::rem:
      return "%";
    case ScalarOp::bit_and:
      return "&";
    case ScalarOp::bit_or:
      return "|";
    case ScalarOp::bit_xor:
      return "^";
    case ScalarOp::shift_left:
      return "<<";
    case ScalarOp::shift_right:
      return ">>";
    default:
      return refops::scalar_op_name(op);
  }
}

// Float constants fold twice: in their dtype, and in double from the numbers they were written as.
Constant folded_binary(ScalarOp op, const Constant& a, const Constant& b, const Scalar& folded) {
  if (!refops::is_float(folded.dtype)) return folded;
  return {folded, refops::eval_scalar_binary(op, a.in_double(), b.in_double()).as_double()};
}

Result<Value> emit_binary(TraceState& state, ScalarOp op, const Value& a, const Value& b) {
  const Dtype dtype = a.dtype();
  if (!refops::scalar_op_accepts(op, dtype)) {
    return make_fault(Code::bad_scalar_operation,
                      "scalars of dtype " + std::string(refops::dtype_name(dtype)) + " have no '" +
                          std::string(symbol_of(op)) + "'");
  }
  const auto* left = std::get_if<Constant>(&a.operand);
  const auto* right = std::get_if<Constant>(&b.operand);
  if (left != nullptr && right != nullptr) {
    bool divided_by_zero = false;
    const Scalar folded =
        refops::eval_scalar_binary(op, *left, *right, &divided_by_zero, state.options.policy);
    if (!divided_by_zero) return constant_value(folded_binary(op, *left, *right, folded));
  }
  const bool is_truth = refops::scalar_op_is_comparison(op) || is_logical(op);
  return state.emit_value(ScalarType{is_truth ? Dtype::int1 : dtype},
                          [&](Slot dst) { return ScalarBinary{dst, op, a.operand, b.operand}; });
}

Result<Value> binary_rule(TraceState& state, ScalarOp op, const Arg& a, const Arg& b) {
  const std::string_view name = refops::scalar_op_name(op);
  if (refops::scalar_op_is_unary(op)) {
    return make_fault(Code::internal_error, std::string(name) + " takes one operand");
  }
  for (const Arg* arg : {&a, &b}) {
    const auto* value = std::get_if<Value>(arg);
    if (value == nullptr) continue;
    const auto checked = require_scalar(state, *value, name);
    if (!checked) return checked.fault();
  }
  if (is_logical(op)) {
    const auto left = condition_rule(state, a);
    if (!left) return left.fault();
    const auto right = condition_rule(state, b);
    if (!right) return right.fault();
    return emit_binary(state, op, *left, *right);
  }
  Result<Value> leader = Value{};
  if (const auto* value = std::get_if<Value>(&a)) {
    leader = *value;
  } else if (const auto* other = std::get_if<Value>(&b)) {
    leader = *other;
  } else {
    leader = default_value(std::get<Literal>(a));
  }
  if (!leader) return leader.fault();
  const auto left = scalar_of(state, a, leader->dtype(), name, "left");
  if (!left) return left.fault();
  const auto right = scalar_of(state, b, leader->dtype(), name, "right");
  if (!right) return right.fault();
  return emit_binary(state, op, *left, *right);
}

Result<Value> unary_rule(TraceState& state, ScalarOp op, const Value& a) {
  const std::string_view name = refops::scalar_op_name(op);
  if (!refops::scalar_op_is_unary(op)) {
    return make_fault(Code::internal_error, std::string(name) + " takes two operands");
  }
  auto value = require_scalar(state, a, name);
  if (!value) return value;
  if (op != ScalarOp::negative) {
    value = convert_scalar(state, *value, Dtype::float32);
    if (!value) return value;
  } else if (refops::is_float(value->dtype())) {
    state.warn(make_fault(Code::portability,
                          "the device front end loses the result of '-x' on a runtime float", {},
                          "Write '0.0 - x' or 'x * -1.0'."));
  }
  if (const auto* constant = std::get_if<Constant>(&value->operand)) {
    const Scalar folded = refops::eval_scalar_unary(op, *constant, state.options.policy);
    if (!refops::is_float(folded.dtype)) return constant_value(folded);
    const Scalar exact = refops::eval_scalar_unary(op, constant->in_double());
    return constant_value(Constant(folded, exact.as_double()));
  }
  return state.emit_value(value->type,
                          [&](Slot dst) { return ScalarUnary{dst, op, value->operand}; });
}

}  // namespace

Result<Value> Builder::constant(const Literal& literal, Dtype dtype) {
  return transact(*state_, [&] { return literal_value(*state_, literal, dtype); });
}

Result<Value> Builder::materialise(const Arg& arg) {
  return transact(*state_, [&]() -> Result<Value> {
    if (const auto* literal = std::get_if<Literal>(&arg)) return default_value(*literal);
    const Status admitted = state_->admit(arg);
    if (!admitted) return admitted.fault();
    return std::get<Value>(arg);
  });
}

Result<Value> Builder::scalar_unary(ScalarOp op, const Value& a) {
  return transact(*state_, [&] { return unary_rule(*state_, op, a); });
}

Result<Value> Builder::scalar_binary(ScalarOp op, const Arg& a, const Arg& b) {
  return transact(*state_, [&] { return binary_rule(*state_, op, a, b); });
}

Result<Value> Builder::scalar_cast(const Value& a, Dtype to) {
  return transact(*state_, [&]() -> Result<Value> {
    const auto value = require_scalar(*state_, a, "cast");
    if (!value) return value.fault();
    return convert_scalar(*state_, *value, to);
  });
}

Result<Value> Builder::to_condition(const Arg& arg) {
  return transact(*state_, [&] { return condition_rule(*state_, arg); });
}

Value Builder::program_scalar(OpId which) {
  const bool is_known = refops::op_row(which).family == refops::OpFamily::program;
  if (!is_known || state_->is_finished) return constant_value(Scalar::from_int(Dtype::int32, 0));
  return state_->emit_value(ScalarType{Dtype::int32},
                            [&](Slot dst) { return ProgramScalar{dst, which}; });
}

}  // namespace ascemu::interp
