// cast and .to(dtype) (spec asc2 §6.5, §11.6).
#include "interp/builtins/conversion.h"

namespace ascemu::interp {
namespace {

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
  const Status size = check_shape("cast", type->shape, to);
  if (!size) return size.fault();
  const SlotFacts* facts = state.facts_of(*value);
  const bool is_select =
      facts != nullptr && facts->is_scalar_select && mode == RoundMode::default_mode;
  if (!is_select) return convert_tensor(state, *value, to, mode);
  // Legal for every pair: apply_rewrites converts the scalars where there is no such cast.
  const Value result = state.emit_value(TensorType{to, type->shape},
                                        [&](Slot dst) { return Cast{dst, mode, value->operand}; });
  state.facts.back().is_scalar_select = true;
  return result;
}

}  // namespace

Result<Value> Builder::cast(const Arg& x, Dtype to, RoundMode mode) {
  return transact(*state_, [&] { return cast_rule(*state_, x, to, mode); });
}

}  // namespace ascemu::interp
