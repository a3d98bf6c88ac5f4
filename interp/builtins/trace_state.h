// The program under construction: what Builder's methods and the rules of the op families share.
//
// What it is: slots, open blocks, positions, masks, findings, and the few ways to change them. What
// it is not: rules of any op. Invariants: every block of `frames` but the last waits for the ones
// above it; a slot may be used while the scope it was made in is open; a rule that returns a Fault
// leaves no trace (transact).
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "interp/ast/builder.h"

namespace ascemu::interp {

inline constexpr std::size_t kMaxNesting = 200;
inline constexpr std::int64_t kMaxTensorBytes = std::int64_t{1} << 30;

enum class FrameKind : std::uint8_t {
  root,
  then_branch,
  else_branch,
  for_body,
  condition,
  while_body
};

struct Frame {
  FrameKind kind = FrameKind::root;
  SpanId span = kNoSpan;
  std::uint32_t scope = 0;
  Block block;    // under construction
  StmtNode node;  // the If, For or While that takes the block when the frame closes
};

struct SlotFacts {
  std::uint32_t scope = 0;
  bool is_accumulator = false;
  bool is_scalar_select = false;  // a `where` of two scalars, or default casts of one
};

struct OpenMask {
  refops::LaneMask lanes;
  std::optional<Arg> other;
};

struct Position {
  std::uint32_t source = 0;
  std::int32_t line = 0, column = 0, end_line = 0, end_column = 0;
  bool is_set = false;
};

struct OpenCall {
  Position position;  // of the call itself
  SpanId site = kNoSpan;
};

struct TraceState {
  explicit TraceState(BuilderOptions given);

  const std::uint32_t id;  // of this trace in the process, from 1
  BuilderOptions options;
  Program program;
  std::vector<SlotFacts> facts;  // one per slot
  std::vector<Frame> frames;
  std::vector<bool> scope_is_open;
  std::vector<OpenMask> masks;
  std::vector<Diagnostic> compile_errors;
  Position position;
  SpanId span = kNoSpan;  // of `position`; made when first needed
  bool span_is_current = false;
  std::vector<OpenCall> calls;
  bool is_finished = false;

  SpanId here();
  Slot new_slot(ValueType type, bool is_variable = false);
  void emit(StmtNode node);
  // Makes a slot of that type, emits make(slot), and returns the slot as a Value.
  template <class F>
  Value emit_value(ValueType type, F&& make) {
    const Slot dst = new_slot(type);
    emit(make(dst));
    return value_of(dst, std::move(type));
  }
  Value value_of(Slot slot, ValueType type) const { return {SlotRef{slot}, std::move(type), id}; }

  void open_frame(FrameKind kind, StmtNode node);
  // Takes the finished frame off the stack.
  Frame close_frame();

  // A finding of severity warning at the current position; equal ones are kept once.
  void warn(Fault fault);
  // An error the device compiler reports after tracing: finish() returns it, tracing goes on.
  void compile_error(Fault fault);

  // The value belongs to this program and is visible here.
  Status admit(const Value& value) const;
  Status admit(const Arg& arg) const;
  const SlotFacts* facts_of(const Value& value) const;

 private:
  std::uint32_t open_scope();
};

struct Builder::State : TraceState {
  using TraceState::TraceState;
};

// Runs a rule; on a Fault everything it emitted is taken back.
class Checkpoint {
 public:
  explicit Checkpoint(TraceState& state);
  void roll_back();

 private:
  TraceState& state_;
  std::size_t stmts_, slots_, findings_, errors_;
};

template <class F>
auto transact(TraceState& state, F&& rule) -> decltype(rule()) {
  if (state.is_finished) {
    return make_fault(Code::internal_error, "the builder was used after finish()");
  }
  Checkpoint checkpoint(state);
  auto result = rule();
  if (!result.ok()) checkpoint.roll_back();
  return result;
}

}  // namespace ascemu::interp
