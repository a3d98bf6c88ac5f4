// softmax, rms_norm, layer_norm (spec asc2 §6.4, §11.1).
#include "interp/builtins/conversion.h"

namespace ascemu::interp {
namespace {

Result<Value> softmax_rule(TraceState& state, const Value& x) {
  const auto type =
      require_tensor_of(state, x, "softmax", "input", refops::op_row(OpId::softmax_).dtypes);
  if (!type) return type.fault();
  if (type->shape.rank() > 2) {
    return make_fault(Code::bad_shape, "softmax: 'input' has rank " +
                                           std::to_string(type->shape.rank()) + "; legal: 1 and 2");
  }
  return state.emit_value(TensorType{type->dtype, type->shape},
                          [&](Slot dst) { return Softmax{dst, x.operand}; });
}

// epsilon: a float, not an int (TypeError), in `dtype`.
Result<Operand> epsilon_of(TraceState& state, const Arg& epsilon, Dtype dtype,
                           std::string_view op) {
  bool is_float = false;
  if (const auto* literal = std::get_if<Literal>(&epsilon)) {
    is_float = std::holds_alternative<double>(*literal);
  } else {
    const Value& value = std::get<Value>(epsilon);
    const Status admitted = state.admit(value);
    if (!admitted) return admitted.fault();
    is_float = value.is_scalar() && refops::is_float(value.dtype());
  }
  if (!is_float) return kind_fault(op, "epsilon", "a float", arg_text(epsilon));
  const auto scalar = scalar_of(state, epsilon, dtype, op, "epsilon");
  if (!scalar) return scalar.fault();
  return scalar->operand;
}

// gamma or beta: broadcasts along the rows of x.
Status check_weight(const TraceState& state, const Value& weight, const TensorType& x,
                    std::string_view op, std::string_view name) {
  const OpId id = op == "rms_norm" ? OpId::rms_norm_ : OpId::layer_norm_;
  const auto type = require_tensor_of(state, weight, op, name, refops::op_row(id).dtypes);
  if (!type) return type.fault();
  const auto shape = refops::broadcast_shapes(type->shape, x.shape);
  if (shape && *shape == x.shape) return Ok{};
  return make_fault(Code::bad_shape, arg_name(op, name) + " of shape " + type->shape.to_string() +
                                         " does not broadcast to the input's shape " +
                                         x.shape.to_string());
}

Result<Value> rms_norm_rule(TraceState& state, const Value& x, const Value& gamma,
                            const Arg& epsilon) {
  constexpr std::string_view kOp = "rms_norm";
  const auto type =
      require_tensor_of(state, x, kOp, "input", refops::op_row(OpId::rms_norm_).dtypes);
  if (!type) return type.fault();
  const Status weight = check_weight(state, gamma, *type, kOp, "gamma");
  if (!weight) return weight.fault();
  const auto small = epsilon_of(state, epsilon, type->dtype, kOp);
  if (!small) return small.fault();
  return state.emit_value(TensorType{type->dtype, type->shape},
                          [&](Slot dst) { return RmsNorm{dst, x.operand, gamma.operand, *small}; });
}

Result<std::array<Value, 3>> layer_norm_rule(TraceState& state, const Value& x, const Value& gamma,
                                             const Value& beta, const Arg& epsilon,
                                             bool output_rstd) {
  constexpr std::string_view kOp = "layer_norm";
  const auto type =
      require_tensor_of(state, x, kOp, "input", refops::op_row(OpId::layer_norm_).dtypes);
  if (!type) return type.fault();
  for (const auto& [weight, name] : {std::pair(&gamma, "gamma"), std::pair(&beta, "beta")}) {
    const Status checked = check_weight(state, *weight, *type, kOp, name);
    if (!checked) return checked.fault();
  }
  const auto small = epsilon_of(state, epsilon, Dtype::float32, kOp);
  if (!small) return small.fault();
  if (!output_rstd && state.options.policy.chip != refops::Chip::ascend950pr) {
    state.warn(make_fault(Code::portability,
                          "layer_norm: on Ascend 910B and 910_93 the third result is always the "
                          "reciprocal deviation, never the variance",
                          {}, "Pass output_rstd=True and compute the variance from it."));
  }
  const std::int64_t length = type->shape[type->shape.rank() - 1];
  const TensorType row_type{Dtype::float32, Shape{type->shape.count_elems() / length}};
  const TensorType out_type{type->dtype, type->shape};
  const Slot mean = state.new_slot(row_type);
  const Slot spread = state.new_slot(row_type);
  const Value out = state.emit_value(out_type, [&](Slot dst) {
    return LayerNorm{dst,       mean,          spread,       output_rstd,
                     x.operand, gamma.operand, beta.operand, *small};
  });
  return std::array<Value, 3>{out, state.value_of(mean, row_type),
                              state.value_of(spread, row_type)};
}

}  // namespace

Result<Value> Builder::softmax(const Value& x) {
  return transact(*state_, [&] { return softmax_rule(*state_, x); });
}

Result<Value> Builder::rms_norm(const Value& x, const Value& gamma, const Arg& epsilon) {
  return transact(*state_, [&] { return rms_norm_rule(*state_, x, gamma, epsilon); });
}

Result<std::array<Value, 3>> Builder::layer_norm(const Value& x, const Value& gamma,
                                                 const Value& beta, const Arg& epsilon,
                                                 bool output_rstd) {
  return transact(*state_,
                  [&] { return layer_norm_rule(*state_, x, gamma, beta, epsilon, output_rstd); });
}

}  // namespace ascemu::interp
