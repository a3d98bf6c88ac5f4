// cast and .to(dtype) (spec asc2 §6.5, §11.6).
#include "interp/builtins/conversion.h"
#include "refops/eval.h"

namespace ascemu::interp {
namespace {

// A scalar operand as any dtype: C conversions, through float32 where the language has no direct
// one.
Result<Operand> convert_anywhere(TraceState& state, const Operand& operand, Dtype from, Dtype to) {
  if (const auto* scalar = std::get_if<Constant>(&operand)) {
    const Scalar converted = refops::is_float(from) ? Scalar::from_double(to, scalar->as_double())
                                                    : Scalar::from_int(to, scalar->as_int());
    return Operand{convert_constant(*scalar, to, converted)};
  }
  const Value value{operand, ScalarType{from}};
  for (const Dtype middle : {from, Dtype::float32, Dtype::int32}) {
    const bool is_route =
        refops::scalar_cast_is_legal(from, middle) && refops::scalar_cast_is_legal(middle, to);
    if (!is_route) continue;
    const auto first = convert_scalar(state, value, middle);
    if (!first) return first.fault();
    const auto last = convert_scalar(state, *first, to);
    if (!last) return last.fault();
    return last->operand;
  }
  // float16 -> float32 -> int32 -> any integer, and back.
  const bool to_integer = refops::is_integer(to);
  const auto first = convert_scalar(state, value, to_integer ? Dtype::float32 : Dtype::int32);
  if (!first) return first.fault();
  const auto second = convert_scalar(state, *first, to_integer ? Dtype::int32 : Dtype::float32);
  if (!second) return second.fault();
  const auto last = convert_scalar(state, *second, to);
  if (!last) return last.fault();
  return last->operand;
}

// The cast of a `where` of two scalars: a `where` of the converted scalars, legal for every pair.
Result<Value> cast_select(TraceState& state, const ScalarSelect& select, const TensorType& type,
                          Dtype to) {
  const auto a = convert_anywhere(state, select.a, type.dtype, to);
  if (!a) return a.fault();
  const auto b = convert_anywhere(state, select.b, type.dtype, to);
  if (!b) return b.fault();
  const Status size = check_shape("cast", type.shape, to);
  if (!size) return size.fault();
  const Value result = state.emit_value(TensorType{to, type.shape},
                                        [&](Slot dst) { return Where{dst, select.mask, *a, *b}; });
  state.facts.back().select = ScalarSelect{select.mask, *a, *b};
  return result;
}

Result<Value> cast_rule(TraceState& state, const Arg& x, Dtype to, RoundMode mode) {
  if (!refops::round_mode_from_number(static_cast<int>(mode))) {
    return make_fault(Code::bad_argument_value, "cast: 'round_mode' is no rounding mode");
  }
  const auto* value = std::get_if<Value>(&x);
  if (value == nullptr || value->is_scalar()) {
    if (mode != RoundMode::default_mode) {
      return make_fault(Code::bad_cast,
                        "cast: 'round_mode' is only legal for tensors, got " + arg_text(x));
    }
    return scalar_of(state, x, to, "cast", "input");
  }
  const auto type = require_tensor(state, *value, "cast", "input");
  if (!type) return type.fault();
  if (type->dtype == to) return *value;
  const SlotFacts* facts = state.facts_of(*value);
  if (facts != nullptr && facts->select && mode == RoundMode::default_mode) {
    const ScalarSelect select = *facts->select;
    return cast_select(state, select, *type, to);
  }
  const Status size = check_shape("cast", type->shape, to);
  if (!size) return size.fault();
  return convert_tensor(state, *value, to, mode);
}

}  // namespace

Result<Value> Builder::cast(const Arg& x, Dtype to, RoundMode mode) {
  return transact(*state_, [&] { return cast_rule(*state_, x, to, mode); });
}

}  // namespace ascemu::interp
