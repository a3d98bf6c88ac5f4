// Reductions (spec asc2 §6.4, §11.5).
#include "interp/builtins/conversion.h"
#include "refops/ops.h"

namespace ascemu::interp {
namespace {

using namespace refops::detail;

struct ReduceDtypes {
  refops::DtypeSet whole;  // all elements to a scalar
  refops::DtypeSet axes;
};

ReduceDtypes legal_dtypes(OpId op) {
  switch (op) {
    case OpId::reduce_sum_:
      return {kI64 | kF16 | kF32, kI32 | kI64 | kF32};
    case OpId::reduce_prod_:
      return {0, kF32};
    default:
      return {kI16 | kI32 | kI64 | kF16 | kF32, kI8 | kI16 | kI32 | kI64 | kF16 | kBf16 | kF32};
  }
}

Result<Value> reduce_whole(TraceState& state, OpId op, const Value& x, const TensorType& type) {
  const refops::DtypeSet legal = legal_dtypes(op).whole;
  const std::string_view name = refops::op_name(op);
  if (legal == 0) {
    return make_fault(Code::bad_argument_value, ExceptionKind::runtime_error,
                      std::string(name) + ": a reduction to a scalar does not exist",
                      "Name the dimensions to reduce.");
  }
  if ((legal & refops::dtype_bit(type.dtype)) == 0) {
    return dtype_fault(name, "input", type.dtype, legal);
  }
  return state.emit_value(ScalarType{type.dtype},
                          [&](Slot dst) { return Reduce{dst, op, 0, x.operand}; });
}

Result<std::uint32_t> axes_of(std::string_view name, const Shape& shape,
                              std::span<const std::int64_t> dims) {
  std::uint32_t axes = 0;
  for (const std::int64_t dim : dims) {
    if (dim < 0 || dim >= shape.rank()) {
      return make_fault(Code::bad_shape, std::string(name) + ": dimension " + std::to_string(dim) +
                                             " is out of range for a tensor of rank " +
                                             std::to_string(shape.rank()));
    }
    const std::uint32_t bit = 1U << dim;
    if ((axes & bit) != 0) {
      return make_fault(Code::bad_shape,
                        std::string(name) + ": dimension " + std::to_string(dim) + " occurs twice");
    }
    axes |= bit;
  }
  return axes;
}

Result<Value> reduce_rule(TraceState& state, OpId op, const Value& x,
                          std::span<const std::int64_t> dims, bool keep_dims) {
  const std::string_view name = refops::op_name(op);
  if (refops::op_row(op).family != refops::OpFamily::reduce) {
    return make_fault(Code::internal_error, std::string(name) + " is no reduction");
  }
  const auto type = require_tensor(state, x, name, "input");
  if (!type) return type.fault();
  if (dims.empty()) return reduce_whole(state, op, x, *type);
  const auto axes = axes_of(name, type->shape, dims);
  if (!axes) return axes.fault();

  Shape result;
  std::uint32_t long_axes = 0;
  bool has_unit_dim = false;
  for (int axis = 0; axis < type->shape.rank(); ++axis) {
    const std::int64_t dim = type->shape[axis];
    const bool is_reduced = ((*axes >> axis) & 1U) != 0;
    has_unit_dim = has_unit_dim || dim == 1;
    if (is_reduced && dim != 1) long_axes |= 1U << axis;
    if (!is_reduced || keep_dims) result.push_back(is_reduced ? 1 : dim);
  }
  const refops::DtypeSet legal = legal_dtypes(op).axes;
  if (long_axes != 0 && (legal & refops::dtype_bit(type->dtype)) == 0) {
    return dtype_fault(name, "input", type->dtype, legal);
  }
  if (result.rank() == 0) {
    return make_fault(Code::bad_shape,
                      std::string(name) + ": all dimensions of shape " + type->shape.to_string() +
                          " are reduced without keep_dims",
                      {}, "Leave the dimensions out to get a scalar, or pass keep_dims=True.");
  }
  if (has_unit_dim && !keep_dims) {
    state.warn(make_fault(Code::portability,
                          std::string(name) + " of shape " + type->shape.to_string() +
                              " without keep_dims: the device compiler also drops or shifts the "
                              "dimensions of size 1",
                          {}, "Pass keep_dims=True and reshape the result."));
  }
  if (long_axes == 0) {
    if (keep_dims) return x;
    return state.emit_value(TensorType{type->dtype, result},
                            [&](Slot dst) { return Reshape{dst, x.operand}; });
  }
  return state.emit_value(TensorType{type->dtype, result},
                          [&](Slot dst) { return Reduce{dst, op, long_axes, x.operand}; });
}

}  // namespace

Result<Value> Builder::reduce(OpId op, const Value& x, std::span<const std::int64_t> dims,
                              bool keep_dims) {
  return transact(*state_, [&] { return reduce_rule(*state_, op, x, dims, keep_dims); });
}

}  // namespace ascemu::interp
