// Control flow (spec asc2 §2.5-2.7, §4), assertions (§11.2) and the barrier (§11.1, §12.12).
#include <algorithm>

#include "interp/eval/walker.h"

namespace ascemu::interp {

// All reads happen before all writes, so that rotations work.
Completion Walker::eval_node(const Move& node) {
  const auto value_of = [&](const Operand& operand) -> RuntimeValue {
    if (const auto* const constant = std::get_if<Constant>(&operand)) return *constant;
    return slot_value(operand);
  };
  if (node.dst.size() == 1) {
    if (const auto* const constant = std::get_if<Constant>(&node.src[0])) {
      set_scalar(node.dst[0], *constant);
    } else {
      slots_[node.dst[0]] = slot_value(node.src[0]);
    }
    return Completion::normal;
  }
  std::vector<RuntimeValue> values;
  values.reserve(node.src.size());
  for (const Operand& operand : node.src) values.push_back(value_of(operand));
  for (std::size_t i = 0; i < node.dst.size(); ++i) slots_[node.dst[i]] = std::move(values[i]);
  return Completion::normal;
}

Completion Walker::eval_node(const If& node) {
  return run_block(scalar(node.condition).as_bool() ? node.then_block : node.else_block);
}

// The induction counts in 64 bits: a bound near 2^31 ends without wrapping (spec §12.7).
Completion Walker::eval_node(const For& node) {
  const Stmt* const stmt = current_;
  const std::int64_t start = scalar(node.start).as_int();
  const std::int64_t stop = scalar(node.stop).as_int();
  const std::int64_t step = scalar(node.step).as_int();
  if (step <= 0) {
    report(Code::bad_loop_step, [&] {
      return make_fault(Code::bad_loop_step, "the loop over range(" + std::to_string(start) + ", " +
                                                 std::to_string(stop) + ", " +
                                                 std::to_string(step) + ") has step " +
                                                 std::to_string(step) + "; its body is skipped");
    });
    return Completion::normal;
  }
  const Dtype dtype = std::get<ScalarType>(program_.slots[node.induction].type).dtype;
  const std::size_t depth = loops_.size();
  loops_.push_back({stmt, start, start, stop, step});
  Completion completion = Completion::normal;
  for (std::int64_t i = start; i < stop; i = add_saturating(i, step)) {
    loops_[depth].current = i;
    set_scalar(node.induction, Scalar{dtype, static_cast<std::uint64_t>(i)});
    completion = run_block(node.body);
    if (completion != Completion::normal) break;
    current_ = stmt;
    if (should_stop()) [[unlikely]] {
      completion = Completion::end_launch;
      break;
    }
  }
  loops_.pop_back();
  return completion;
}

Completion Walker::eval_node(const While& node) {
  const Stmt* const stmt = current_;
  while (true) {
    Completion completion = run_block(node.condition_block);
    if (completion != Completion::normal) return completion;
    current_ = stmt;
    if (!scalar(node.condition).as_bool()) return Completion::normal;
    completion = run_block(node.body);
    if (completion != Completion::normal) return completion;
    current_ = stmt;
    if (!count_step()) return Completion::end_launch;
  }
}

Completion Walker::eval_node(const DeviceAssert& node) {
  if (scalar(node.condition).as_bool()) return Completion::normal;
  report(Code::device_assertion, [&] {
    return make_fault(Code::device_assertion, node.message.empty()
                                                  ? "assertion failed"
                                                  : "assertion failed: " + node.message);
  });
  return Completion::end_block;
}

Completion Walker::eval_node(const SyncAll&) {
  order_.order_all();
  if (context_.barrier == nullptr) return Completion::normal;
  const SpanId where = current_->span;
  atomics_.end_phase(false);
  if (context_.barrier->wait(block_, where) == Barrier::Outcome::passed) {
    ++phase_;
    return Completion::normal;
  }
  return context_.stopped.load(std::memory_order_relaxed) || context_.barrier->has_deadlock()
             ? Completion::end_launch
             : Completion::end_block;
}

}  // namespace ascemu::interp
