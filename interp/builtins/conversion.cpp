#include "interp/builtins/conversion.h"

#include <cmath>
#include <limits>

#include "refops/eval.h"

namespace ascemu::interp {
namespace {

template <class T>
Result<T> require_kind(const TraceState& state, const Value& value, std::string_view op,
                       std::string_view arg, std::string_view wanted) {
  const Status admitted = state.admit(value);
  if (!admitted) return admitted.fault();
  if (const auto* type = std::get_if<T>(&value.type)) return *type;
  return kind_fault(op, arg, wanted, type_phrase(value.type));
}

}  // namespace

std::string arg_name(std::string_view op, std::string_view arg) {
  return std::string(op) + ": '" + std::string(arg) + "'";
}

Fault kind_fault(std::string_view op, std::string_view arg, std::string_view wanted,
                 const std::string& got) {
  return make_fault(Code::bad_argument_type,
                    arg_name(op, arg) + " must be " + std::string(wanted) + ", got " + got);
}

Fault dtype_fault(std::string_view op, std::string_view arg, Dtype got, refops::DtypeSet legal) {
  return make_fault(Code::bad_dtype, arg_name(op, arg) + " has dtype " +
                                         std::string(refops::dtype_name(got)) +
                                         "; legal: " + dtype_set_text(legal));
}

Result<TensorType> require_tensor(const TraceState& state, const Value& value, std::string_view op,
                                  std::string_view arg) {
  return require_kind<TensorType>(state, value, op, arg, "a local tensor");
}

Result<GlobalType> require_global(const TraceState& state, const Value& value, std::string_view op,
                                  std::string_view arg) {
  return require_kind<GlobalType>(state, value, op, arg, "a global tensor");
}

Result<AddressType> require_address(const TraceState& state, const Value& value,
                                    std::string_view op, std::string_view arg) {
  return require_kind<AddressType>(state, value, op, arg, "a global address");
}

Result<TensorType> require_tensor_of(const TraceState& state, const Value& value,
                                     std::string_view op, std::string_view arg,
                                     refops::DtypeSet legal) {
  auto type = require_tensor(state, value, op, arg);
  if (!type || (legal & refops::dtype_bit(type->dtype)) != 0) return type;
  return dtype_fault(op, arg, type->dtype, legal);
}

Status check_shape(std::string_view op, const Shape& shape, Dtype dtype) {
  if (shape.rank() == 0) {
    return make_fault(Code::bad_shape,
                      std::string(op) + ": the shape must have at least one value");
  }
  std::int64_t bytes = static_cast<std::int64_t>(refops::dtype_size_bytes(dtype));
  bool is_too_large = false;
  for (const std::int64_t dim : shape.dims()) {
    if (dim <= 0) {
      return make_fault(Code::bad_shape, std::string(op) + ": shape " + shape.to_string() +
                                             " has a dimension that is not positive");
    }
    if (dim > kMaxTensorBytes / bytes) {
      is_too_large = true;
    } else {
      bytes *= dim;
    }
  }
  if (!is_too_large) return Ok{};
  return make_fault(
      Code::memory_limit,
      std::string(op) + ": " + type_phrase(TensorType{dtype, shape}) + " is larger than 1 GiB");
}

Value constant_value(const Constant& constant) { return {constant, ScalarType{constant.dtype}}; }

namespace {

// An integer literal as `dtype`: wraps, and says so unless it fits the width as an unsigned number.
Constant wrap_integer(TraceState& state, std::int64_t value, Dtype dtype) {
  const Scalar scalar = Scalar::from_int(dtype, value);
  if (refops::is_float(dtype)) return {scalar, static_cast<double>(value)};
  const int width = refops::dtype_width_bits(dtype);
  const bool fits =
      dtype == Dtype::int1 || width >= 64 ||
      (value >= -(std::int64_t{1} << (width - 1)) && value < (std::int64_t{1} << width));
  if (!fits) {
    state.warn(make_fault(Code::portability,
                          "the number " + std::to_string(value) + " does not fit " +
                              std::string(refops::dtype_name(dtype)) + " and wraps to " +
                              scalar_text(scalar),
                          {}, "Write the number as the dtype holds it, or choose a wider dtype."));
  }
  return scalar;
}

}  // namespace

Result<Value> literal_value(TraceState& state, const Literal& literal, Dtype dtype) {
  if (const auto* flag = std::get_if<bool>(&literal)) {
    return constant_value(Scalar::from_int(dtype, *flag ? 1 : 0));
  }
  if (const auto* integer = std::get_if<std::int64_t>(&literal)) {
    return constant_value(wrap_integer(state, *integer, dtype));
  }
  const double number = std::get<double>(literal);
  if (refops::is_float(dtype)) {
    return constant_value(Constant(Scalar::from_double(dtype, number), number));
  }
  if (dtype == Dtype::int1) return constant_value(Scalar::from_double(dtype, number));
  if (std::isfinite(number)) {
    constexpr double kBound = 0x1p63;
    if (number > -kBound && number < kBound) {
      return constant_value(wrap_integer(state, static_cast<std::int64_t>(number), dtype));
    }
    return constant_value(Scalar::from_double(dtype, number));
  }
  return make_fault(Code::bad_argument_value,
                    std::isnan(number) ? ExceptionKind::value_error : ExceptionKind::overflow_error,
                    "the number " + literal_text(literal) + " has no value as " +
                        std::string(refops::dtype_name(dtype)));
}

Result<Value> default_value(const Literal& literal) {
  if (const auto* flag = std::get_if<bool>(&literal)) {
    return constant_value(Scalar::from_int(Dtype::int1, *flag ? 1 : 0));
  }
  if (const auto* number = std::get_if<double>(&literal)) {
    return constant_value(Constant(Scalar::from_double(Dtype::float32, *number), *number));
  }
  const std::int64_t integer = std::get<std::int64_t>(literal);
  using Limits = std::numeric_limits<std::int32_t>;
  if (integer >= Limits::min() && integer <= Limits::max()) {
    return constant_value(Scalar::from_int(Dtype::int32, integer));
  }
  return make_fault(
      Code::bad_argument_value, ExceptionKind::overflow_error,
      "the number " + std::to_string(integer) + " does not fit int32, the dtype of a plain integer",
      "Give the number a dtype: asc2.number(value, asc2.int64).");
}

Constant convert_constant(const Constant& constant, Dtype to, const Scalar& converted) {
  if (!refops::is_float(to)) return converted;
  return {converted, refops::is_float(constant.dtype) ? constant.exact : constant.as_double()};
}

Result<Value> convert_scalar(TraceState& state, const Value& value, Dtype to) {
  const Dtype from = value.dtype();
  if (from == to) return value;
  if (!refops::scalar_cast_is_legal(from, to)) {
    return make_fault(Code::scalar_cast_missing, "a scalar cannot be cast from " +
                                                     std::string(refops::dtype_name(from)) +
                                                     " to " + std::string(refops::dtype_name(to)));
  }
  if (const auto* constant = std::get_if<Constant>(&value.operand)) {
    const Scalar converted = refops::eval_scalar_cast(*constant, to, state.options.policy);
    return constant_value(convert_constant(*constant, to, converted));
  }
  return state.emit_value(ScalarType{to},
                          [&](Slot dst) { return ScalarCast{dst, to, value.operand}; });
}

Result<Value> scalar_of(TraceState& state, const Arg& arg, Dtype dtype, std::string_view op,
                        std::string_view name) {
  if (const auto* literal = std::get_if<Literal>(&arg)) {
    return literal_value(state, *literal, dtype);
  }
  const Value& value = std::get<Value>(arg);
  const Status admitted = state.admit(value);
  if (!admitted) return admitted.fault();
  if (value.is_scalar()) return convert_scalar(state, value, dtype);
  return kind_fault(op, name, "a number", type_phrase(value.type));
}

Value convert_tensor(TraceState& state, const Value& value, Dtype to, RoundMode mode) {
  const TensorType from = std::get<TensorType>(value.type);
  if (from.dtype == to) return value;
  const std::string pair = "a tensor cannot be cast from " +
                           std::string(refops::dtype_name(from.dtype)) + " to " +
                           std::string(refops::dtype_name(to));
  if (!refops::cast_is_supported(from.dtype, to)) {
    state.compile_error(make_fault(Code::bad_cast, pair));
  } else if (!refops::cast_mode_is_legal(from.dtype, to, mode)) {
    state.compile_error(make_fault(
        Code::bad_cast, pair + " with round mode " + std::string(refops::round_mode_name(mode))));
  }
  return state.emit_value(TensorType{to, from.shape},
                          [&](Slot dst) { return Cast{dst, mode, value.operand}; });
}

Result<Operand> runtime_int(const TraceState& state, const Arg& arg, std::string_view op,
                            std::string_view name) {
  if (const auto* literal = std::get_if<Literal>(&arg)) {
    if (std::holds_alternative<double>(*literal)) {
      return kind_fault(op, name, "an integer", literal_text(*literal));
    }
    const auto* flag = std::get_if<bool>(literal);
    const std::int64_t value = flag != nullptr ? (*flag ? 1 : 0) : std::get<std::int64_t>(*literal);
    using Limits = std::numeric_limits<std::int32_t>;
    const bool is_narrow = value >= Limits::min() && value <= Limits::max();
    return Operand{Scalar::from_int(is_narrow ? Dtype::int32 : Dtype::int64, value)};
  }
  const Value& value = std::get<Value>(arg);
  const Status admitted = state.admit(value);
  if (!admitted) return admitted.fault();
  if (value.is_scalar() && refops::is_signed_integer(value.dtype())) return value.operand;
  return kind_fault(op, name, "a signed integer", type_phrase(value.type));
}

Result<std::vector<Operand>> runtime_ints(const TraceState& state, std::span<const Arg> args,
                                          std::string_view op, std::string_view name) {
  std::vector<Operand> operands;
  for (std::size_t i = 0; i < args.size(); ++i) {
    auto operand =
        runtime_int(state, args[i], op, std::string(name) + "[" + std::to_string(i) + "]");
    if (!operand) return operand.fault();
    operands.push_back(*operand);
  }
  return operands;
}

Result<std::vector<Operand>> check_offsets(const TraceState& state, std::span<const Arg> offsets,
                                           std::size_t count, std::string_view op) {
  if (offsets.empty()) {
    return make_fault(Code::bad_offsets, arg_name(op, "offsets") + " must have at least one value");
  }
  auto operands = runtime_ints(state, offsets, op, "offsets");
  if (!operands || offsets.size() == count) return operands;
  return make_fault(Code::bad_offsets, arg_name(op, "offsets") + " must have " +
                                           std::to_string(count) + " values, got " +
                                           std::to_string(offsets.size()));
}

Result<std::optional<std::vector<Operand>>> check_real_shape(
    const TraceState& state, const std::optional<std::vector<Arg>>& real_shape, const Shape& tile,
    std::string_view op) {
  using Checked = std::optional<std::vector<Operand>>;
  if (!real_shape) return Checked{};
  auto operands = runtime_ints(state, *real_shape, op, "real_shape");
  if (!operands) return operands.fault();
  if (operands->size() != static_cast<std::size_t>(tile.rank())) {
    return make_fault(Code::bad_argument_value, arg_name(op, "real_shape") + " must have " +
                                                    std::to_string(tile.rank()) +
                                                    " values, one a dimension of the tile, got " +
                                                    std::to_string(operands->size()));
  }
  for (int axis = 0; axis < tile.rank(); ++axis) {
    const auto value = constant_int((*operands)[static_cast<std::size_t>(axis)]);
    if (!value || (*value >= 0 && *value <= tile[axis])) continue;
    return make_fault(Code::bad_shape, arg_name(op, "real_shape") + " has " +
                                           std::to_string(*value) + " in dimension " +
                                           std::to_string(axis) + "; legal: 0 to " +
                                           std::to_string(tile[axis]));
  }
  return Checked{std::move(*operands)};
}

std::optional<std::int64_t> constant_int(const Operand& operand) {
  const auto* scalar = std::get_if<Constant>(&operand);
  if (scalar == nullptr) return std::nullopt;
  return scalar->as_int();
}

}  // namespace ascemu::interp
