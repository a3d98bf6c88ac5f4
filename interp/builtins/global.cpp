// Global memory views and single elements: address arithmetic, global_tensor, scalar load and store
// (spec asc2 §1.10, §5.6, §5.7, §8).
#include "interp/builtins/conversion.h"
#include "interp/builtins/store.h"
#include "refops/eval.h"

namespace ascemu::interp {
namespace {

std::int32_t param_of(const TraceState& state, const Value& value) {
  return state.program.slots[std::get<SlotRef>(value.operand).slot].param;
}

Result<Value> address_add_rule(TraceState& state, const Value& base, const Arg& offset) {
  const auto type = require_address(state, base, "address", "base");
  if (!type) return type.fault();
  const auto operand = runtime_int(state, offset, "address", "offset");
  if (!operand) return operand.fault();
  const Value result = state.emit_value(
      AddressType{type->dtype}, [&](Slot dst) { return AddressAdd{dst, base.operand, *operand}; });
  state.program.slots.back().param = param_of(state, base);
  return result;
}

Result<Value> global_tensor_rule(TraceState& state, const Value& base, std::span<const Arg> dims) {
  constexpr std::string_view kOp = "global_tensor";
  const auto address = require_address(state, base, kOp, "base");
  if (!address) return address.fault();
  if (dims.empty()) {
    return make_fault(Code::bad_shape, "global_tensor: 'shape' must have at least one value");
  }
  if (dims.size() > static_cast<std::size_t>(refops::kMaxRank)) {
    return make_fault(Code::bad_shape, "global_tensor: 'shape' has " + std::to_string(dims.size()) +
                                           " values; legal: 1 to " +
                                           std::to_string(refops::kMaxRank));
  }
  auto operands = runtime_ints(state, dims, kOp, "shape");
  if (!operands) return operands.fault();
  GlobalType type{address->dtype, {}};
  for (const Operand& operand : *operands) type.dims.push_back(constant_int(operand));
  const Value result = state.emit_value(std::move(type), [&](Slot dst) {
    return MakeGlobal{dst, base.operand, std::move(*operands)};
  });
  state.program.slots.back().param = param_of(state, base);
  return result;
}

Result<Value> load_scalar_rule(TraceState& state, const Value& src, std::span<const Arg> offsets) {
  const auto type = require_global(state, src, "copy_in", "src");
  if (!type) return type.fault();
  auto operands = check_offsets(state, offsets, type->dims.size(), "copy_in");
  if (!operands) return operands.fault();
  return state.emit_value(ScalarType{type->dtype}, [&](Slot dst) {
    return LoadScalar{dst, src.operand, std::move(*operands)};
  });
}

// A size-1 tensor in another dtype, converted as a scalar where the language has that cast.
Result<Operand> convert_element(TraceState& state, const Value& tensor, Dtype to) {
  const Dtype from = tensor.dtype();
  if (from == to) return tensor.operand;
  const bool is_scalar_route =
      refops::scalar_cast_is_legal(from, to) && refops::op_accepts(OpId::reduce_max_, from);
  if (!is_scalar_route && refops::cast_is_supported(from, to)) {
    return convert_tensor(state, tensor, to).operand;
  }
  if (!is_scalar_route) {
    return make_fault(Code::scalar_cast_missing, "copy_out: an element cannot be cast from " +
                                                     std::string(refops::dtype_name(from)) +
                                                     " to " + std::string(refops::dtype_name(to)));
  }
  const Value element = state.emit_value(ScalarType{from}, [&](Slot dst) {
    return Reduce{dst, OpId::reduce_max_, 0, tensor.operand};
  });
  const auto converted = convert_scalar(state, element, to);
  if (!converted) return converted.fault();
  return converted->operand;
}

}  // namespace

Status store_element(TraceState& state, const Arg& value, const Value& dst,
                     std::span<const Arg> offsets) {
  constexpr std::string_view kOp = "copy_out";
  const auto type = require_global(state, dst, kOp, "dst");
  if (!type) return type.fault();
  const Status admitted = state.admit(value);
  if (!admitted) return admitted;
  auto operands = check_offsets(state, offsets, type->dims.size(), kOp);
  if (!operands) return operands.fault();
  const auto* known = std::get_if<Value>(&value);
  Result<Operand> element = Operand{};
  if (known != nullptr && known->is_tensor()) {
    const Shape& shape = std::get<TensorType>(known->type).shape;
    if (shape.count_elems() != 1) {
      return make_fault(Code::bad_shape, "copy_out: a scalar store takes one element, got shape " +
                                             shape.to_string());
    }
    element = convert_element(state, *known, type->dtype);
  } else {
    const auto scalar = scalar_of(state, value, type->dtype, kOp, "src");
    if (!scalar) return scalar.fault();
    element = scalar->operand;
  }
  if (!element) return element.fault();
  state.emit(StoreScalar{*element, dst.operand, std::move(*operands)});
  return Ok{};
}

Result<Value> Builder::address_add(const Value& base, const Arg& offset_elems) {
  return transact(*state_, [&] { return address_add_rule(*state_, base, offset_elems); });
}

Result<Value> Builder::global_tensor(const Value& base, std::span<const Arg> dims) {
  return transact(*state_, [&] { return global_tensor_rule(*state_, base, dims); });
}

Result<Value> Builder::load_scalar(const Value& src, std::span<const Arg> offsets) {
  return transact(*state_, [&] { return load_scalar_rule(*state_, src, offsets); });
}

Status Builder::store_scalar(const Arg& value, const Value& dst, std::span<const Arg> offsets) {
  return transact(*state_, [&] { return store_element(*state_, value, dst, offsets); });
}

}  // namespace ascemu::interp
