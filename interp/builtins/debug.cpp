// device_print, device_assert and the barrier (spec asc2 §11.1, §11.2).
#include "interp/builtins/conversion.h"

namespace ascemu::interp {
namespace {

Status print_rule(TraceState& state, std::vector<std::variant<std::string, Value>> parts) {
  Print node;
  for (auto& part : parts) {
    if (auto* text = std::get_if<std::string>(&part)) {
      node.parts.emplace_back(std::move(*text));
      continue;
    }
    const Value& value = std::get<Value>(part);
    const Status admitted = state.admit(value);
    if (!admitted) return admitted;
    if (std::holds_alternative<AddressType>(value.type)) {
      return kind_fault("print", "values", "a scalar or a tensor", type_phrase(value.type));
    }
    node.parts.emplace_back(value.operand);
  }
  if (!node.parts.empty()) state.emit(std::move(node));
  return Ok{};
}

Status assert_rule(TraceState& state, const Value& condition, std::string message) {
  const Status admitted = state.admit(condition);
  if (!admitted) return admitted;
  if (!(condition.type == ValueType{ScalarType{Dtype::int1}})) {
    return kind_fault("device_assert", "test", "an int1 scalar", type_phrase(condition.type));
  }
  state.emit(DeviceAssert{condition.operand, std::move(message)});
  return Ok{};
}

}  // namespace

Status Builder::sync_all() {
  return transact(*state_, [&]() -> Status {
    state_->emit(SyncAll{});
    state_->program.has_barrier = true;
    return Ok{};
  });
}

Status Builder::print(std::vector<std::variant<std::string, Value>> parts) {
  return transact(*state_, [&] { return print_rule(*state_, std::move(parts)); });
}

Status Builder::device_assert(const Value& condition, std::string message) {
  return transact(*state_, [&] { return assert_rule(*state_, condition, std::move(message)); });
}

}  // namespace ascemu::interp
