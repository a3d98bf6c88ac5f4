#include "interp/ast/builder.h"

#include "interp/builtins/builder_access.h"
#include "interp/builtins/conversion.h"
#include "interp/builtins/trace_state.h"
#include "interp/checks/alignment.h"
#include "interp/checks/capacity.h"
#include "interp/resolve/locations.h"
#include "interp/resolve/rewrites.h"
#include "interp/resolve/validate.h"

namespace ascemu::interp {

Dtype Value::dtype() const {
  return std::visit([](const auto& known) { return known.dtype; }, type);
}

Builder::Builder(BuilderOptions options) : state_(std::make_unique<State>(std::move(options))) {}
Builder::~Builder() = default;
Builder::Builder(Builder&&) noexcept = default;
Builder& Builder::operator=(Builder&&) noexcept = default;

std::uint32_t Builder::add_source(std::string path, std::string text, std::int32_t first_line) {
  auto& files = state_->program.sources.files;
  for (std::size_t i = 0; i < files.size(); ++i) {
    const bool same = files[i].path == path && files[i].first_line == first_line;
    if (same && files[i].text == text) return static_cast<std::uint32_t>(i);
  }
  files.push_back(SourceFile{std::move(path), std::move(text), first_line});
  return static_cast<std::uint32_t>(files.size() - 1);
}

void Builder::set_position(std::uint32_t source, std::int32_t line, std::int32_t column,
                           std::int32_t end_line, std::int32_t end_column) {
  state_->position = Position{source, line, column, end_line, end_column, true};
  state_->span_is_current = false;
}

SpanId Builder::position() const { return state_->here(); }

void Builder::push_call() {
  state_->calls.push_back(OpenCall{state_->position, state_->here()});
  state_->position.is_set = false;
  state_->span_is_current = false;
}

void Builder::pop_call() {
  if (state_->calls.empty()) return;
  state_->position = state_->calls.back().position;
  state_->span = state_->calls.back().site;
  state_->span_is_current = true;
  state_->calls.pop_back();
}

void Builder::name_value(const Value& value, std::string name) {
  const auto* ref = std::get_if<SlotRef>(&value.operand);
  if (ref == nullptr || ref->slot >= state_->program.slots.size()) return;
  std::string& known = state_->program.slots[ref->slot].name;
  if (known.empty()) known = std::move(name);
}

void Builder::use_first_generation() { state_->options.generation = Generation::first; }
void Builder::set_allocation(AllocationOptions options) { state_->program.allocation = options; }
void Builder::warn(Fault fault) { state_->warn(std::move(fault)); }

namespace {

Value add_param(TraceState& state, std::string name, ValueType type, bool is_array) {
  const Slot slot = state.new_slot(type);
  state.facts[slot].scope = state.frames.front().scope;
  state.program.slots[slot].name = name;
  if (is_array) {
    state.program.slots[slot].param = static_cast<std::int32_t>(state.program.params.size());
  }
  state.program.params.push_back(Param{std::move(name), type, slot});
  return state.value_of(slot, std::move(type));
}

}  // namespace

Value Builder::array_param(std::string name, Dtype dtype) {
  return add_param(*state_, std::move(name), AddressType{dtype}, true);
}

Value Builder::scalar_param(std::string name, Dtype dtype) {
  return add_param(*state_, std::move(name), ScalarType{dtype}, false);
}

const SourceTable& Builder::sources() const { return state_->program.sources; }

const std::vector<Diagnostic>& BuilderAccess::findings(const Builder& builder) {
  return builder.state_->program.findings;
}

Builder::Finished Builder::finish() {
  TraceState& state = *state_;
  Finished finished;
  if (state.is_finished || state.frames.size() != 1) {
    const char* reason = state.is_finished ? "finish() was called twice"
                                           : "a loop or branch is still open at the end";
    finished.errors.push_back(locate(make_fault(Code::internal_error, reason), state.here()));
    finished.sources = state.program.sources;
    return finished;
  }
  state.is_finished = true;
  finished.sources = state.program.sources;
  if (!state.compile_errors.empty()) {
    finished.errors = std::move(state.compile_errors);
    return finished;
  }
  auto program = std::make_shared<Program>(std::move(state.program));
  state.program = Program{};
  state.program.sources = program->sources;
  state.program.findings = program->findings;
  program->body = std::move(state.frames.front().block);
  state.frames.front().block = Block{};
  state.facts.clear();
  finished.errors = resolve_locations(*program);
  if (finished.errors.empty()) check_alignment(*program, state.options.generation);
  if (finished.errors.empty()) {
    finished.errors = apply_rewrites(*program, refops::behaviour_of(program->policy));
  }
  if (finished.errors.empty()) finished.errors = validate(*program);
  if (finished.errors.empty()) check_capacity(*program);
  if (finished.errors.empty()) finished.program = std::move(program);
  return finished;
}

}  // namespace ascemu::interp
