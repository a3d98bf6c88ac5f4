// matmul, matmul_acc, zeros_acc (spec asc2 §6.6, §11.1).
#include "interp/builtins/conversion.h"

namespace ascemu::interp {
namespace {

// The checks both forms share, in the language's order; the result is [M, N].
Result<Shape> product_shape(const TraceState& state, std::string_view op, const Value& a,
                            const Value& b, bool hf32) {
  std::array<TensorType, 2> types;
  const std::array<std::pair<const Value*, std::string_view>, 2> operands{std::pair(&a, "input"),
                                                                          std::pair(&b, "other")};
  for (std::size_t i = 0; i < operands.size(); ++i) {
    const auto& [value, name] = operands[i];
    const Status admitted = state.admit(*value);
    if (!admitted) return admitted.fault();
    if (!value->is_tensor()) {
      return make_fault(
          Code::bad_argument_type, ExceptionKind::binary_operand_type_error,
          arg_name(op, name) + " must be a local tensor, got " + type_phrase(value->type));
    }
    types[i] = std::get<TensorType>(value->type);
  }
  for (std::size_t i = 0; i < operands.size(); ++i) {
    const auto legal = refops::op_row(OpId::matmul_).dtypes;
    if (!refops::op_accepts(OpId::matmul_, types[i].dtype)) {
      return dtype_fault(op, operands[i].second, types[i].dtype, legal);
    }
  }
  const auto dtype_text = [&](int i) {
    return std::string(refops::dtype_name(types[static_cast<std::size_t>(i)].dtype));
  };
  if (types[0].dtype != types[1].dtype) {
    return make_fault(Code::bad_dtype, std::string(op) +
                                           ": both operands must have one dtype, got " +
                                           dtype_text(0) + " and " + dtype_text(1));
  }
  for (std::size_t i = 0; i < operands.size(); ++i) {
    if (types[i].shape.rank() == 2) continue;
    return make_fault(Code::bad_shape, arg_name(op, operands[i].second) +
                                           " must have two dimensions, got shape " +
                                           types[i].shape.to_string());
  }
  const Shape& left = types[0].shape;
  const Shape& right = types[1].shape;
  if (left[1] != right[0]) {
    return make_fault(Code::bad_shape, std::string(op) + ": shapes " + left.to_string() + " and " +
                                           right.to_string() + " do not fit, " +
                                           std::to_string(left[1]) + " columns meet " +
                                           std::to_string(right[0]) + " rows");
  }
  if (hf32 && types[0].dtype != Dtype::float32) {
    return make_fault(Code::bad_dtype,
                      std::string(op) + ": 'hf32' needs float32 operands, got " + dtype_text(0));
  }
  return Shape{left[0], right[1]};
}

Status check_bias(const TraceState& state, std::string_view op, const Value& bias,
                  std::int64_t columns) {
  const auto type =
      require_tensor_of(state, bias, op, "bias", refops::op_row(OpId::matmul_).dtypes);
  if (!type) return type.fault();
  if (type->shape == Shape{columns}) return Ok{};
  return make_fault(Code::bad_shape, arg_name(op, "bias") + " must have shape [" +
                                         std::to_string(columns) + "], got " +
                                         type->shape.to_string());
}

TensorType accumulator_type(const Shape& shape) {
  return TensorType{Dtype::float32, shape, Space::l0c};
}

std::optional<Operand> operand_of(const std::optional<Value>& value) {
  if (!value) return std::nullopt;
  return value->operand;
}

Result<Value> zeros_acc_rule(TraceState& state, const Shape& shape, Dtype dtype,
                             const std::optional<Value>& bias) {
  constexpr std::string_view kOp = "zeros_acc";
  if (dtype != Dtype::float32) {
    return dtype_fault(kOp, "dtype", dtype, refops::op_row(OpId::zeros_acc_).dtypes);
  }
  if (shape.rank() < 2) {
    return make_fault(Code::bad_shape, ExceptionKind::index_error,
                      "zeros_acc: shape " + shape.to_string() + " has no second dimension");
  }
  if (bias) {
    const Status checked = check_bias(state, kOp, *bias, shape[1]);
    if (!checked) return checked.fault();
  }
  if (shape.rank() > 2) {
    return make_fault(Code::bad_shape, "zeros_acc: an accumulator has two dimensions, got shape " +
                                           shape.to_string());
  }
  const Status checked = check_shape(kOp, shape, dtype);
  if (!checked) return checked.fault();
  state.program.has_cube = true;
  const Value acc = state.emit_value(accumulator_type(shape),
                                     [&](Slot dst) { return ZerosAcc{dst, operand_of(bias)}; });
  state.facts.back().is_accumulator = true;
  return acc;
}

Status matmul_acc_rule(TraceState& state, const Value& acc, const Value& a, const Value& b,
                       bool hf32) {
  constexpr std::string_view kOp = "matmul_acc";
  const auto type = require_tensor(state, acc, kOp, "acc");
  if (!type) return type.fault();
  const auto product = product_shape(state, kOp, a, b, hf32);
  if (!product) return product.fault();
  const SlotFacts* facts = state.facts_of(acc);
  if (facts == nullptr || !facts->is_accumulator) {
    state.compile_error(
        make_fault(Code::bad_accumulator, "matmul_acc: 'acc' is " + type_phrase(*type) +
                                              " that is not directly the result of zeros_acc"));
    return Ok{};
  }
  if (!(type->shape == *product)) {
    state.compile_error(
        make_fault(Code::bad_shape, "matmul_acc: 'acc' has shape " + type->shape.to_string() +
                                        ", the product has " + product->to_string()));
    return Ok{};
  }
  state.program.has_cube = true;
  state.emit(MatmulAcc{acc.operand, a.operand, b.operand, hf32});
  return Ok{};
}

Result<Value> matmul_rule(TraceState& state, const Value& a, const Value& b,
                          const std::optional<Value>& bias, bool hf32) {
  constexpr std::string_view kOp = "matmul";
  const auto product = product_shape(state, kOp, a, b, hf32);
  if (!product) return product.fault();
  if (bias) {
    const Status checked = check_bias(state, kOp, *bias, (*product)[1]);
    if (!checked) return checked.fault();
  }
  const Status checked = check_shape(kOp, *product, Dtype::float32);
  if (!checked) return checked.fault();
  state.program.has_cube = true;
  return state.emit_value(accumulator_type(*product), [&](Slot dst) {
    return Matmul{dst, a.operand, b.operand, operand_of(bias), hf32};
  });
}

}  // namespace

Result<Value> Builder::zeros_acc(const Shape& shape, Dtype dtype,
                                 const std::optional<Value>& bias) {
  return transact(*state_, [&] { return zeros_acc_rule(*state_, shape, dtype, bias); });
}

Status Builder::matmul_acc(const Value& acc, const Value& a, const Value& b, bool hf32) {
  return transact(*state_, [&] { return matmul_acc_rule(*state_, acc, a, b, hf32); });
}

Result<Value> Builder::matmul(const Value& a, const Value& b, const std::optional<Value>& bias,
                              bool hf32) {
  return transact(*state_, [&] { return matmul_rule(*state_, a, b, bias, hf32); });
}

}  // namespace ascemu::interp
