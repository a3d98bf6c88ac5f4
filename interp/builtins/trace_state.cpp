#include "interp/builtins/trace_state.h"

#include <algorithm>
#include <atomic>

namespace ascemu::interp {

namespace {

std::uint32_t next_trace() {
  static std::atomic<std::uint32_t> last{0};
  return last.fetch_add(1, std::memory_order_relaxed) + 1;
}

}  // namespace

TraceState::TraceState(BuilderOptions given) : id(next_trace()), options(std::move(given)) {
  program.name = options.kernel_name;
  program.policy = options.policy;
  Frame root;
  root.scope = open_scope();
  frames.push_back(std::move(root));
}

std::uint32_t TraceState::open_scope() {
  scope_is_open.push_back(true);
  return static_cast<std::uint32_t>(scope_is_open.size() - 1);
}

SpanId TraceState::here() {
  if (!position.is_set) return calls.empty() ? kNoSpan : calls.back().site;
  if (span_is_current) return span;
  Span made;
  made.source = position.source;
  made.line = position.line;
  made.column = position.column;
  made.end_line = position.end_line;
  made.end_column = position.end_column;
  if (!calls.empty()) made.call_site = calls.back().site;
  program.sources.spans.push_back(made);
  span = static_cast<SpanId>(program.sources.spans.size() - 1);
  span_is_current = true;
  return span;
}

Slot TraceState::new_slot(ValueType type, bool is_variable) {
  SlotInfo info;
  info.type = std::move(type);
  info.defined_at = here();
  info.is_variable = is_variable;
  program.slots.push_back(std::move(info));
  SlotFacts slot_facts;
  slot_facts.scope = frames.back().scope;
  facts.push_back(std::move(slot_facts));
  return static_cast<Slot>(program.slots.size() - 1);
}

void TraceState::emit(StmtNode node) {
  frames.back().block.stmts.push_back(Stmt{here(), std::move(node)});
}

void TraceState::open_frame(FrameKind kind, StmtNode node) {
  Frame frame;
  frame.kind = kind;
  frame.span = here();
  frame.scope = open_scope();
  frame.node = std::move(node);
  frames.push_back(std::move(frame));
}

Frame TraceState::close_frame() {
  Frame frame = std::move(frames.back());
  frames.pop_back();
  scope_is_open[frame.scope] = false;
  return frame;
}

void TraceState::warn(Fault fault) {
  Diagnostic diagnostic = locate(std::move(fault), here());
  diagnostic.severity = Severity::warning;
  const bool known = std::ranges::any_of(program.findings, [&](const Diagnostic& other) {
    return other.code == diagnostic.code && other.span == diagnostic.span &&
           other.message == diagnostic.message;
  });
  if (!known) program.findings.push_back(std::move(diagnostic));
}

void TraceState::compile_error(Fault fault) {
  compile_errors.push_back(locate(std::move(fault), here()));
}

Status TraceState::admit(const Value& value) const {
  const auto* ref = std::get_if<SlotRef>(&value.operand);
  if (ref == nullptr) {
    const auto* type = std::get_if<ScalarType>(&value.type);
    const bool fits = type != nullptr && type->dtype == std::get<Constant>(value.operand).dtype;
    if (fits) return Ok{};
    return make_fault(Code::internal_error, "a constant does not have the type of its value");
  }
  if (value.trace != 0 && value.trace != id) {
    return make_fault(Code::out_of_scope, "a value that another trace of a kernel made is used", {},
                      "A kernel's values do not outlive its trace; do not keep them in globals.");
  }
  if (ref->slot >= program.slots.size() || !(program.slots[ref->slot].type == value.type)) {
    return make_fault(Code::internal_error, "a value does not belong to this program");
  }
  if (scope_is_open[facts[ref->slot].scope]) return Ok{};
  const SlotInfo& info = program.slots[ref->slot];
  return make_fault(Code::out_of_scope,
                    (info.name.empty() ? "a value" : "'" + info.name + "'") +
                        " is used outside the runtime loop or branch that makes it");
}

Status TraceState::admit(const Arg& arg) const {
  const auto* value = std::get_if<Value>(&arg);
  return value == nullptr ? Status(Ok{}) : admit(*value);
}

const SlotFacts* TraceState::facts_of(const Value& value) const {
  const auto* ref = std::get_if<SlotRef>(&value.operand);
  return ref != nullptr && ref->slot < facts.size() ? &facts[ref->slot] : nullptr;
}

Checkpoint::Checkpoint(TraceState& state)
    : state_(state),
      stmts_(state.frames.back().block.stmts.size()),
      slots_(state.program.slots.size()),
      findings_(state.program.findings.size()),
      errors_(state.compile_errors.size()) {}

void Checkpoint::roll_back() {
  auto& stmts = state_.frames.back().block.stmts;
  stmts.erase(stmts.begin() + static_cast<std::ptrdiff_t>(stmts_), stmts.end());
  state_.program.slots.resize(slots_);
  state_.facts.resize(slots_);
  auto& findings = state_.program.findings;
  findings.erase(findings.begin() + static_cast<std::ptrdiff_t>(findings_), findings.end());
  auto& errors = state_.compile_errors;
  errors.erase(errors.begin() + static_cast<std::ptrdiff_t>(errors_), errors.end());
}

}  // namespace ascemu::interp
