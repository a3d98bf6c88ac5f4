// Variables, branches and loops (spec asc2 §2.5-§2.7, §4).
#include "interp/builtins/conversion.h"
#include "interp/builtins/trace_state.h"

namespace ascemu::interp {
namespace {

// Types agree for a merge: places of tensors are resolved later.
bool merges(const ValueType& a, const ValueType& b) {
  const auto* left = std::get_if<TensorType>(&a);
  const auto* right = std::get_if<TensorType>(&b);
  if (left == nullptr || right == nullptr) return a == b;
  return left->dtype == right->dtype && left->shape == right->shape;
}

Result<Value> variable_rule(TraceState& state, const Value& init) {
  const Status admitted = state.admit(init);
  if (!admitted) return admitted.fault();
  ValueType type = init.type;
  if (auto* tensor = std::get_if<TensorType>(&type)) tensor->space = Space::automatic;
  const Slot slot = state.new_slot(type, true);
  if (const auto* ref = std::get_if<SlotRef>(&init.operand)) {
    state.program.slots[slot].param = state.program.slots[ref->slot].param;
  }
  state.emit(Move{{slot}, {init.operand}});
  return state.value_of(slot, std::move(type));
}

Status assign_rule(TraceState& state, std::span<const Value> targets,
                   std::span<const Value> values) {
  if (targets.size() != values.size()) {
    return make_fault(Code::internal_error,
                      "an assignment has unequal numbers of names and values");
  }
  Move move;
  for (std::size_t i = 0; i < targets.size(); ++i) {
    for (const Value* value : {&targets[i], &values[i]}) {
      const Status admitted = state.admit(*value);
      if (!admitted) return admitted.fault();
    }
    const auto* ref = std::get_if<SlotRef>(&targets[i].operand);
    if (ref == nullptr || !state.program.slots[ref->slot].is_variable) {
      return make_fault(Code::internal_error, "the target of an assignment is no variable");
    }
    if (!merges(targets[i].type, values[i].type)) {
      const std::string& name = state.program.slots[ref->slot].name;
      state.compile_error(make_fault(Code::merge_mismatch,
                                     (name.empty() ? "a name" : "'" + name + "'") + " holds " +
                                         type_phrase(targets[i].type) + " and is re-bound to " +
                                         type_phrase(values[i].type)));
      continue;
    }
    move.dst.push_back(ref->slot);
    move.src.push_back(values[i].operand);
  }
  if (!move.dst.empty()) state.emit(std::move(move));
  return Ok{};
}

Status check_condition(const TraceState& state, const Value& condition) {
  const Status admitted = state.admit(condition);
  if (!admitted) return admitted.fault();
  if (condition.type == ValueType{ScalarType{Dtype::int1}}) return Ok{};
  return make_fault(Code::internal_error,
                    "a condition must be an int1 scalar, got " + type_phrase(condition.type));
}

Status check_nesting(const TraceState& state) {
  if (state.frames.size() + state.calls.size() <= kMaxNesting) return Ok{};
  return make_fault(Code::nesting_limit, "loops, branches and calls are nested more than " +
                                             std::to_string(kMaxNesting) + " deep");
}

Fault nesting_fault(std::string_view what) {
  return make_fault(Code::internal_error, std::string(what) + " does not match what is open");
}

Result<Value> for_rule(TraceState& state, const Arg& start, const Arg& stop, const Arg& step,
                       int unroll_factor, bool gm_barrier) {
  const Status nesting = check_nesting(state);
  if (!nesting) return nesting.fault();
  const auto first = scalar_of(state, start, Dtype::int32, "range", "start");
  if (!first) return first.fault();
  const auto last = scalar_of(state, stop, Dtype::int32, "range", "stop");
  if (!last) return last.fault();
  const auto stride = scalar_of(state, step, Dtype::int32, "range", "step");
  if (!stride) return stride.fault();
  if (unroll_factor < 1) {
    return make_fault(
        Code::bad_argument_value,
        "range: 'unroll_factor' is " + std::to_string(unroll_factor) + "; legal: 1 and above");
  }
  const auto known_step = constant_int(stride->operand);
  if (known_step && *known_step <= 0) {
    state.warn(make_fault(Code::portability,
                          "range has step " + std::to_string(*known_step) +
                              "; on the device the loop never runs or never ends",
                          {}, "Use a positive step and compute the index from it."));
  }
  For loop{0, first->operand, last->operand, stride->operand, unroll_factor, gm_barrier, {}};
  state.open_frame(FrameKind::for_body, std::move(loop));
  const Slot induction = state.new_slot(ScalarType{Dtype::int32});
  std::get<For>(state.frames.back().node).induction = induction;
  return state.value_of(induction, ScalarType{Dtype::int32});
}

void emit_closed(TraceState& state, Frame frame) {
  state.frames.back().block.stmts.push_back(Stmt{frame.span, std::move(frame.node)});
}

}  // namespace

Result<Value> Builder::variable(const Value& init) {
  return transact(*state_, [&] { return variable_rule(*state_, init); });
}

Status Builder::assign(std::span<const Value> targets, std::span<const Value> values) {
  return transact(*state_, [&] { return assign_rule(*state_, targets, values); });
}

Status Builder::begin_if(const Value& condition) {
  return transact(*state_, [&]() -> Status {
    const Status nesting = check_nesting(*state_);
    if (!nesting) return nesting;
    const Status checked = check_condition(*state_, condition);
    if (checked) state_->open_frame(FrameKind::then_branch, If{condition.operand, {}, {}});
    return checked;
  });
}

Status Builder::begin_else() {
  if (state_->frames.back().kind != FrameKind::then_branch) return nesting_fault("begin_else");
  Frame frame = state_->close_frame();
  std::get<If>(frame.node).then_block = std::move(frame.block);
  state_->open_frame(FrameKind::else_branch, std::move(frame.node));
  state_->frames.back().span = frame.span;
  return Ok{};
}

Status Builder::end_if() {
  const FrameKind kind = state_->frames.back().kind;
  if (kind != FrameKind::then_branch && kind != FrameKind::else_branch) {
    return nesting_fault("end_if");
  }
  Frame frame = state_->close_frame();
  auto& node = std::get<If>(frame.node);
  (kind == FrameKind::then_branch ? node.then_block : node.else_block) = std::move(frame.block);
  emit_closed(*state_, std::move(frame));
  return Ok{};
}

Result<Value> Builder::begin_for(const Arg& start, const Arg& stop, const Arg& step,
                                 int unroll_factor, bool gm_barrier) {
  return transact(*state_,
                  [&] { return for_rule(*state_, start, stop, step, unroll_factor, gm_barrier); });
}

Status Builder::end_for(bool orders_memory) {
  if (state_->frames.back().kind != FrameKind::for_body) return nesting_fault("end_for");
  Frame frame = state_->close_frame();
  auto& node = std::get<For>(frame.node);
  node.body = std::move(frame.block);
  node.gm_barrier |= orders_memory;
  emit_closed(*state_, std::move(frame));
  return Ok{};
}

Status Builder::begin_while() {
  return transact(*state_, [&]() -> Status {
    const Status nesting = check_nesting(*state_);
    if (nesting) state_->open_frame(FrameKind::condition, While{{}, Scalar{}, {}});
    return nesting;
  });
}

// The body shares the scope of the condition's statements, which run before it every time.
Status Builder::while_condition(const Value& condition) {
  return transact(*state_, [&]() -> Status {
    Frame& frame = state_->frames.back();
    if (frame.kind != FrameKind::condition) return nesting_fault("while_condition");
    const Status checked = check_condition(*state_, condition);
    if (!checked) return checked;
    auto& node = std::get<While>(frame.node);
    node.condition_block = std::move(frame.block);
    node.condition = condition.operand;
    frame.block = Block{};
    frame.kind = FrameKind::while_body;
    return checked;
  });
}

Status Builder::end_while() {
  if (state_->frames.back().kind != FrameKind::while_body) return nesting_fault("end_while");
  Frame frame = state_->close_frame();
  std::get<While>(frame.node).body = std::move(frame.block);
  emit_closed(*state_, std::move(frame));
  return Ok{};
}

}  // namespace ascemu::interp
