// Creation and shape functions (spec asc2 §6.8, §11.1).
#include <numeric>

#include "interp/builtins/conversion.h"

namespace ascemu::interp {
namespace {

Result<Value> full_rule(TraceState& state, const Shape& shape, const Arg& value,
                        std::optional<Dtype> dtype) {
  const auto* known = std::get_if<Value>(&value);
  if (known != nullptr) {
    const Status admitted = state.admit(*known);
    if (!admitted) return admitted.fault();
    if (!known->is_scalar()) {
      return kind_fault("full", "value", "a number", type_phrase(known->type));
    }
  }
  if (!dtype && known != nullptr) dtype = known->dtype();
  if (!dtype) {
    const bool is_float = std::holds_alternative<double>(std::get<Literal>(value));
    dtype = is_float ? Dtype::float32 : Dtype::int32;
  }
  if (!refops::op_accepts(OpId::full_, *dtype)) {
    return dtype_fault("full", "dtype", *dtype, refops::op_row(OpId::full_).dtypes);
  }
  const Status checked = check_shape("full", shape, *dtype);
  if (!checked) return checked.fault();
  const auto scalar = scalar_of(state, value, *dtype, "full", "value");
  if (!scalar) return scalar.fault();
  return state.emit_value(TensorType{*dtype, shape},
                          [&](Slot dst) { return Fill{dst, scalar->operand}; });
}

Result<Value> reshape_rule(TraceState& state, const Value& x, const Shape& shape) {
  const auto type =
      require_tensor_of(state, x, "reshape", "input", refops::op_row(OpId::reshape_).dtypes);
  if (!type) return type.fault();
  const Status checked = check_shape("reshape", shape, type->dtype);
  if (!checked) return checked.fault();
  if (shape.count_elems() != type->shape.count_elems()) {
    return make_fault(Code::bad_shape, "reshape: shape " + type->shape.to_string() + " has " +
                                           std::to_string(type->shape.count_elems()) +
                                           " elements, shape " + shape.to_string() + " has " +
                                           std::to_string(shape.count_elems()));
  }
  return state.emit_value(TensorType{type->dtype, shape},
                          [&](Slot dst) { return Reshape{dst, x.operand}; });
}

Result<std::vector<int>> permutation_of(const Shape& shape,
                                        const std::vector<std::int64_t>& given) {
  std::vector<int> axes(static_cast<std::size_t>(shape.rank()));
  if (given.empty()) {
    if (shape.rank() < 2) {
      return make_fault(Code::bad_shape, ExceptionKind::index_error,
                        "transpose: 'input' has rank 1; without axes the last two are swapped");
    }
    std::iota(axes.begin(), axes.end(), 0);
    std::swap(axes[axes.size() - 1], axes[axes.size() - 2]);
    return axes;
  }
  if (given.size() != axes.size()) {
    return make_fault(Code::bad_shape, "transpose: a tensor of rank " +
                                           std::to_string(shape.rank()) + " needs " +
                                           std::to_string(shape.rank()) + " axes, got " +
                                           std::to_string(given.size()));
  }
  std::uint32_t seen = 0;
  for (std::size_t i = 0; i < given.size(); ++i) {
    const bool is_inside = given[i] >= 0 && given[i] < shape.rank();
    if (!is_inside || ((seen >> given[i]) & 1U) != 0) {
      return make_fault(Code::bad_shape, "transpose: the axes are no permutation of 0 to " +
                                             std::to_string(shape.rank() - 1) + ", axis " +
                                             std::to_string(given[i]) + " is wrong");
    }
    seen |= 1U << given[i];
    axes[i] = static_cast<int>(given[i]);
  }
  return axes;
}

Result<Value> transpose_rule(TraceState& state, const Value& x,
                             const std::vector<std::int64_t>& permutation) {
  const auto type =
      require_tensor_of(state, x, "transpose", "input", refops::op_row(OpId::transpose_).dtypes);
  if (!type) return type.fault();
  auto axes = permutation_of(type->shape, permutation);
  if (!axes) return axes.fault();
  Shape shape;
  bool is_identity = true;
  for (int i = 0; i < type->shape.rank(); ++i) {
    const int axis = (*axes)[static_cast<std::size_t>(i)];
    is_identity = is_identity && axis == i;
    shape.push_back(type->shape[axis]);
  }
  if (is_identity) return x;
  return state.emit_value(TensorType{type->dtype, shape},
                          [&](Slot dst) { return Transpose{dst, std::move(*axes), x.operand}; });
}

Result<Value> broadcast_rule(TraceState& state, const Value& x, const Shape& shape) {
  constexpr std::string_view kOp = "broadcast_to";
  const auto type =
      require_tensor_of(state, x, kOp, "input", refops::op_row(OpId::broadcast_to_).dtypes);
  if (!type) return type.fault();
  const Status checked = check_shape(kOp, shape, type->dtype);
  if (!checked) return checked.fault();
  const auto result = refops::broadcast_shapes(type->shape, shape);
  if (!result || !(*result == shape)) {
    return make_fault(Code::bad_shape, "broadcast_to: shape " + type->shape.to_string() +
                                           " does not broadcast to " + shape.to_string());
  }
  if (type->shape == shape) return x;
  return state.emit_value(TensorType{type->dtype, shape},
                          [&](Slot dst) { return BroadcastTo{dst, x.operand}; });
}

Result<Value> concat_rule(TraceState& state, std::span<const Value> inputs) {
  constexpr std::string_view kOp = "concat";
  if (inputs.empty()) {
    return make_fault(Code::bad_argument_type, "concat: at least one tensor is needed");
  }
  std::optional<TensorType> result;
  std::vector<Operand> operands;
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    const std::string name = "inputs[" + std::to_string(i) + "]";
    const auto type =
        require_tensor_of(state, inputs[i], kOp, name, refops::op_row(OpId::concat_).dtypes);
    if (!type) return type.fault();
    operands.push_back(inputs[i].operand);
    if (!result) {
      result = TensorType{type->dtype, type->shape};
      continue;
    }
    if (type->dtype != result->dtype) {
      return make_fault(Code::bad_dtype, arg_name(kOp, name) + " has dtype " +
                                             std::string(refops::dtype_name(type->dtype)) +
                                             ", the first has " +
                                             std::string(refops::dtype_name(result->dtype)));
    }
    Shape trailing = type->shape;
    trailing[0] = result->shape[0];
    if (!(trailing == result->shape)) {
      return make_fault(Code::bad_shape, arg_name(kOp, name) + " of shape " +
                                             type->shape.to_string() +
                                             " differs from the first beyond dimension 0");
    }
    result->shape[0] += type->shape[0];
    const Status checked = check_shape(kOp, result->shape, result->dtype);
    if (!checked) return checked.fault();
  }
  return state.emit_value(*result, [&](Slot dst) { return Concat{dst, std::move(operands)}; });
}

}  // namespace

Result<Value> Builder::full(const Shape& shape, const Arg& value, std::optional<Dtype> dtype) {
  return transact(*state_, [&] { return full_rule(*state_, shape, value, dtype); });
}

Result<Value> Builder::reshape(const Value& x, const Shape& shape) {
  return transact(*state_, [&] { return reshape_rule(*state_, x, shape); });
}

Result<Value> Builder::transpose(const Value& x, const std::vector<std::int64_t>& permutation) {
  return transact(*state_, [&] { return transpose_rule(*state_, x, permutation); });
}

Result<Value> Builder::broadcast_to(const Value& x, const Shape& shape) {
  return transact(*state_, [&] { return broadcast_rule(*state_, x, shape); });
}

Result<Value> Builder::concat(std::span<const Value> inputs) {
  return transact(*state_, [&] { return concat_rule(*state_, inputs); });
}

}  // namespace ascemu::interp
