#include "interp/eval/walker.h"

#include <algorithm>
#include <type_traits>

#include "interp/checks/access_checks.h"
#include "interp/checks/race.h"
#include "interp/launch/turns.h"
#include "interp/memory/poison.h"
#include "refops/eval.h"

namespace ascemu::interp {
namespace {

constexpr int kMaxDepth = 1000;  // nested statements; a walker's stack frame is a few hundred bytes

// What another block could notice, or notice of it: there a block gives way when they take turns.
template <class Node>
constexpr bool kAccessesArrays =
    std::is_same_v<Node, CopyIn> || std::is_same_v<Node, CopyOut> ||
    std::is_same_v<Node, LoadScalar> || std::is_same_v<Node, StoreScalar> ||
    std::is_same_v<Node, Gather> || std::is_same_v<Node, Scatter> || std::is_same_v<Node, Atomic> ||
    std::is_same_v<Node, Print>;

std::size_t tensor_bytes(Dtype dtype, const Shape& shape) {
  std::int64_t bytes = static_cast<std::int64_t>(refops::dtype_size_bytes(dtype));
  for (const std::int64_t dim : shape.dims()) bytes = multiply_saturating(bytes, dim);
  return static_cast<std::size_t>(bytes);
}

}  // namespace

Walker::Walker(LaunchContext& context)
    : context_(context),
      program_(context.program),
      policy_(context.program.policy),
      arena_(context.options.local_bytes_limit),
      findings_(context.program),
      tracks_undefined_(context.levels.is_on(CheckId::uninitialised)),
      step_limit_(context.options.max_steps == 0 ? UINT64_MAX : context.options.max_steps),
      observes_numeric_(context.levels.is_on(CheckId::numeric)) {}

Completion Walker::run(std::int64_t block) {
  block_ = block;
  steps_ = 0;
  phase_ = 0;
  depth_ = 0;
  current_ = nullptr;
  loops_.clear();
  biases_.clear();
  causes_.clear();
  slots_.clear();
  slots_.resize(program_.slots.size());
  findings_.begin_block(block, context_.options.blocks, context_.options.findings_limit);
  atomics_.begin_block(context_.atomics, block);
  if (context_.races != nullptr) log_.begin_block(context_.races->records_per_block());
  if (!context_.self_read.empty()) order_.begin_block();
  for (std::size_t i = 0; i < program_.params.size(); ++i)
    slots_[program_.params[i].slot] = context_.arguments[i];
  const Completion completion = run_block(program_.body);
  slots_.clear();
  biases_.clear();
  if (context_.races != nullptr) context_.races->keep(block, std::move(log_));
  if (completion != Completion::end_launch) atomics_.end_phase(true);
  return completion;
}

Completion Walker::run_block(const Block& block) {
  if (depth_ >= kMaxDepth) {
    report_fatal(make_fault(Code::nesting_limit, "the kernel nests its statements deeper than " +
                                                     std::to_string(kMaxDepth) + " levels"));
    return Completion::end_launch;
  }
  ++depth_;
  Completion completion = Completion::normal;
  for (const Stmt& stmt : block.stmts) {
    completion = run_statement(stmt);
    if (completion != Completion::normal) break;
  }
  --depth_;
  return completion;
}

Completion Walker::run_statement(const Stmt& stmt) {
  current_ = &stmt;
  if (!count_step()) [[unlikely]]
    return Completion::end_launch;
  const auto eval = [this](const auto& node) {
    if constexpr (kAccessesArrays<std::decay_t<decltype(node)>>) {
      if (context_.switches != nullptr) [[unlikely]]
        context_.switches->pass();
    }
    return eval_node(node);
  };
  const Completion completion = std::visit(eval, stmt.node);
  if (observes_numeric_ && completion == Completion::normal) [[unlikely]]
    observe_numeric(stmt);
  return completion;
}

bool Walker::count_step() {
  if (++steps_ > step_limit_) [[unlikely]] {
    report_fatal(make_fault(Code::step_limit, "the block ran more than " +
                                                  std::to_string(step_limit_) + " statements"));
    return false;
  }
  return !should_stop();
}

refops::ConstView Walker::view(const Operand& operand, std::uint64_t& storage) const {
  const auto* const constant = std::get_if<Constant>(&operand);
  const RuntimeValue* const value = constant == nullptr ? &slot_value(operand) : nullptr;
  if (value != nullptr) {
    if (const auto* const local = std::get_if<LocalTensor>(value)) return local->view();
  }
  const Scalar& scalar = constant != nullptr ? *constant : std::get<Scalar>(*value);
  storage = scalar.bits;
  return {reinterpret_cast<const std::byte*>(&storage), scalar.dtype, {}, {}};
}

std::span<const std::int64_t> Walker::offsets(const std::vector<Operand>& operands,
                                              Offsets& storage) const {
  const std::size_t count = std::min(operands.size(), storage.size());
  for (std::size_t i = 0; i < count; ++i) storage[i] = scalar(operands[i]).as_int();
  return {storage.data(), count};
}

std::optional<refops::ConstView> Walker::dense_view(const LocalTensor& tensor, LocalTensor& copy) {
  const refops::ConstView view = tensor.view();
  if (view.is_contiguous()) return view;
  copy.dtype = tensor.dtype;
  copy.declared = tensor.declared;
  copy.space = tensor.space;
  copy.shape = tensor.shape;
  copy.strides = refops::contiguous_strides(tensor.shape);
  if (!allocate(copy)) return std::nullopt;
  refops::eval_copy(view, copy.mutable_view());
  if (has_causes(tensor)) refops::eval_copy(causes_of(tensor), define_causes(copy));
  return copy.view();
}

std::optional<refops::View> Walker::define_tensor(Slot slot) {
  RuntimeValue& value = slots_[slot];
  auto* held = std::get_if<LocalTensor>(&value);
  if (held == nullptr) {
    const auto& type = std::get<TensorType>(program_.slots[slot].type);
    held = &value.emplace<LocalTensor>();
    held->dtype = program_.slots[slot].stored(type.dtype);
    held->declared = type.dtype;
    held->space = type.space;
    held->shape = type.shape;
  }
  // The bytes of the statement's last run serve again when nobody else sees them.
  if (!held->allocation.is_unique()) {
    if (!allocate(*held)) return std::nullopt;
    held->strides = refops::contiguous_strides(held->shape);
  } else if (held->allocation->causes != nullptr) {
    drop_causes(*held->allocation.get());
  }
  return held->mutable_view();
}

bool Walker::allocate(LocalTensor& tensor) {
  tensor.allocation.reset();
  const std::size_t declared_bytes = tensor_bytes(tensor.declared, tensor.shape);
  tensor.allocation = arena_.acquire(tensor_bytes(tensor.dtype, tensor.shape), declared_bytes);
  if (tensor.allocation) return true;
  out_of_memory(declared_bytes);
  return false;
}

Completion Walker::out_of_memory(std::size_t wanted_bytes) {
  report_fatal(make_fault(Code::memory_limit,
                          "a local tensor of " + std::to_string(wanted_bytes) +
                              " bytes does not fit: " + std::to_string(arena_.live_bytes()) +
                              " of " + std::to_string(arena_.limit_bytes()) +
                              " bytes are in use by the block"));
  return Completion::end_launch;
}

void Walker::apply_mask(const std::optional<MaskSpec>& mask, Slot slot, const refops::View& out) {
  if (!mask) return;
  const LocalTensor& result = std::get<LocalTensor>(slots_[slot]);
  const Dtype declared = result.declared;
  const Scalar other = mask->other ? scalar(*mask->other) : poison_scalar(declared, out.dtype);
  refops::eval_mask_blend(mask->lanes, declared, other, out);
  if (tracks_undefined_) carry_lanes(*mask, result);
}

void Walker::poison(Slot slot, const refops::View& out) const {
  fill_poison(std::get<LocalTensor>(slots_[slot]).declared, out);
}

void Walker::judge(const AccessEvent& event) {
  for (const AccessCheck& check : access_checks()) {
    const std::optional<Code> code = check.judge(event);
    if (code) report(*code, [&] { return check.explain(*code, event); });
  }
}

void Walker::report_fatal(Fault fault) {
  if (findings_.admits(current_, fault.code, Severity::error))
    findings_.add(std::move(fault), Severity::error, current_, loops_);
  context_.stop();
}

}  // namespace ascemu::interp
