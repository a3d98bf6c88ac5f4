// The walker: runs the statements of a Program for one block after another.
//
// What it is: a total visit over StmtNode; each overload of eval_node is one statement's meaning in
// terms of refops and memory/, one file per op family (eval_*.cpp). What it is not: numeric
// meaning, geometry of accesses, threads. Invariants: control flow of the interpreted program is
// the returned Completion; an exception that leaves run() would be a bug of ours or std::bad_alloc,
// and the caller turns it into a finding; a walker is used by one thread at a time.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "interp/ast/tree.h"
#include "interp/checks/access_log.h"
#include "interp/checks/fresh_arrays.h"
#include "interp/checks/ordering.h"
#include "interp/eval/cause_table.h"
#include "interp/eval/findings.h"
#include "interp/eval/launch_context.h"
#include "interp/memory/access.h"
#include "interp/memory/arena.h"
#include "interp/memory/tile_access.h"
#include "interp/memory/transfer.h"

namespace ascemu::interp {

enum class Completion : std::uint8_t {
  normal,
  end_block,   // a failed assertion, a barrier that broke
  end_launch,  // exhaustion, internal error, deadlock, the stop flag
};

class Walker {
 public:
  explicit Walker(LaunchContext& context);

  Completion run(std::int64_t block);
  // A finding that stops the launch, at the statement being run.
  void report_fatal(Fault fault);

  bool has_error() const { return findings_.has_error(); }
  std::vector<Diagnostic> take_findings() { return findings_.take(); }
  std::size_t dropped_findings() const { return findings_.dropped(); }
  std::string take_printed() { return std::exchange(printed_, {}); }

 private:
  using Offsets = std::array<std::int64_t, refops::kMaxRank>;

  Completion run_block(const Block& block);
  Completion run_statement(const Stmt& stmt);
  // False when the step limit is reached (reported) or the launch stops.
  bool count_step();
  bool should_stop() const {
    const std::atomic<bool>* const stop = context_.options.stop;
    return context_.stopped.load(std::memory_order_relaxed) ||
           (stop != nullptr && stop->load(std::memory_order_relaxed));
  }

  // eval_scalar.cpp
  Completion eval_node(const ScalarUnary& node);
  Completion eval_node(const ScalarBinary& node);
  Completion eval_node(const ScalarCast& node);
  Completion eval_node(const ProgramScalar& node);
  // eval_elementwise.cpp
  Completion eval_node(const Unary& node);
  Completion eval_node(const Binary& node);
  Completion eval_node(const Where& node);
  void warn_of_inexact(const Binary& node, const refops::ConstView& a, const refops::ConstView& b);
  Completion eval_node(const Cast& node);
  // eval_reduce.cpp
  Completion eval_node(const Reduce& node);
  Completion eval_node(const Softmax& node);
  Completion eval_node(const RmsNorm& node);
  Completion eval_node(const LayerNorm& node);
  // eval_layout.cpp
  Completion eval_node(const Fill& node);
  Completion eval_node(const Reshape& node);
  Completion eval_node(const Transpose& node);
  Completion eval_node(const BroadcastTo& node);
  Completion eval_node(const Concat& node);
  Completion eval_node(const CopyLocal& node);
  // eval_matmul.cpp
  Completion eval_node(const ZerosAcc& node);
  Completion eval_node(const MatmulAcc& node);
  Completion eval_node(const Matmul& node);
  // eval_copy.cpp
  Completion eval_node(const AddressAdd& node);
  Completion eval_node(const MakeGlobal& node);
  Completion eval_node(const CopyIn& node);
  Completion eval_node(const CopyOut& node);
  Completion eval_node(const LoadScalar& node);
  Completion eval_node(const StoreScalar& node);
  // eval_indexed.cpp
  Completion eval_node(const Gather& node);
  Completion eval_node(const Scatter& node);
  Completion eval_node(const Atomic& node);
  // eval_control.cpp
  Completion eval_node(const Move& node);
  Completion eval_node(const If& node);
  Completion eval_node(const For& node);
  Completion eval_node(const While& node);
  Completion eval_node(const DeviceAssert& node);
  Completion eval_node(const SyncAll& node);
  // eval_print.cpp
  Completion eval_node(const Print& node);

  // Operands. A slot that holds something else than asked for is an internal error
  // (std::bad_variant_access).
  const RuntimeValue& slot_value(const Operand& operand) const {
    return slots_[std::get<SlotRef>(operand).slot];
  }
  Scalar scalar(const Operand& operand) const {
    const auto* constant = std::get_if<Constant>(&operand);
    return constant != nullptr ? *constant : std::get<Scalar>(slot_value(operand));
  }
  const LocalTensor& tensor(const Operand& operand) const {
    return std::get<LocalTensor>(slot_value(operand));
  }
  const Global& global(const Operand& operand) const {
    return std::get<Global>(slot_value(operand));
  }
  // A tensor's view, or a view of rank 0 on the scalar, whose bytes are put into `storage`.
  refops::ConstView view(const Operand& operand, std::uint64_t& storage) const;
  std::span<const std::int64_t> offsets(const std::vector<Operand>& operands,
                                        Offsets& storage) const;
  // A dense view of the tensor: itself, or a copy kept alive by `copy`. Nothing when memory ran out
  // (reported).
  std::optional<refops::ConstView> dense_view(const LocalTensor& tensor, LocalTensor& copy);

  // Results.
  void set_scalar(Slot slot, const Scalar& value) {
    if (auto* const held = std::get_if<Scalar>(&slots_[slot])) {
      *held = value;
    } else {
      slots_[slot] = value;
    }
  }
  // Undefined contiguous storage of the slot's static type. Nothing when memory ran out (reported).
  std::optional<refops::View> define_tensor(Slot slot);
  bool allocate(LocalTensor& tensor);
  void apply_mask(const std::optional<MaskSpec>& mask, Slot slot, const refops::View& out);
  // What the slot's undefined elements hold; the slot is defined.
  void poison(Slot slot, const refops::View& out) const;
  // out = bias (or 0) broadcast, in the accumulator's dtype.
  bool start_accumulator(const LocalTensor* bias, const refops::View& out);

  // Accesses to arrays.
  Shape held_real_shape(const std::optional<std::vector<Operand>>& real_shape, const Shape& tile);
  TailRule tail_rule(const CopyIn& node, const LocalTensor& out) const;
  AccessEvent describe(AccessKind kind, std::string_view operation, const Operand& tensor_operand,
                       std::span<const std::int64_t> offsets, const Shape& extent) const;
  void describe_tile(const TileAccess& access, AccessEvent& event) const;
  bool settle(const GlobalArray& array, std::int64_t first, std::int64_t last);
  bool settle(const GlobalArray& array, const TileAccess& access);
  bool update_tile(OpId op, const refops::ConstView& tile, const TileAccess& access,
                   const GlobalArray& array, std::int64_t& outside);
  void observe(const AccessEvent& event) {
    if (!event.is_clean()) judge(event);
  }
  void judge(const AccessEvent& event);
  // touch.cpp: records what moved in an array that blocks could race on, or whose accesses of this
  // block must be ordered.
  bool is_watched(const Global& tensor) const {
    return races_on(tensor.array) || is_self_read(tensor.array) || is_fresh(tensor);
  }
  bool races_on(std::uint32_t array) const {
    return context_.races != nullptr && context_.watched[array];
  }
  bool is_self_read(std::uint32_t array) const {
    return !context_.self_read.empty() && context_.self_read[array];
  }
  AccessSite site_of(AccessKind kind, std::string_view operation, const Operand& tensor) const;
  void touch(AccessKind kind, std::string_view operation, const Operand& tensor,
             const TileAccess& access) {
    if (is_watched(global(tensor))) touch_tile(site_of(kind, operation, tensor), access);
  }
  void touch_tile(const AccessSite& site, const TileAccess& access);
  void touch_run(const AccessSite& site, std::int64_t position, std::int64_t count);
  void touch_rows(const AccessSite& site, const ByteRows& rows);
  void order(const AccessSite& site, const ByteRows& rows);
  bool print_value(const Operand& operand);
  bool print_global(const Operand& operand);

  // Undefined elements (eval_undefined.cpp). The operand's tensor when it has some, else null.
  const LocalTensor* undefined_in(const Operand& operand) const;
  // The result of an element-wise op or a broadcast is undefined where the operand is.
  void carry(Slot dst, const Operand& operand);
  void carry_selected(const Where& node);
  void carry_lanes(const MaskSpec& mask, const LocalTensor& result);
  void carry_reduced(const Reduce& node);
  // A row of the result is undefined where the operand's whole row is.
  void carry_rows(Slot dst, const Operand& operand, std::string_view operation);
  void carry_product(const LocalTensor& result, const Operand& a, const Operand& b);
  // The causes of lines that are undefined throughout; the others are told. Requires undefined_in.
  std::vector<CauseId> fold_undefined(const Operand& operand, std::uint32_t axes_mask,
                                      std::string_view operation);
  void leave_undefined(const TileAccess& access, const TailRule& rule, const GlobalArray& array,
                       const LocalTensor& result);
  void leave_rows_undefined(const Gather& node, std::int64_t count);
  // Arrays that start unwritten (eval_fresh.cpp): elements that a load took from them are
  // undefined.
  bool is_fresh(const Global& tensor) const {
    return context_.fresh != nullptr && context_.fresh->covers(tensor.array);
  }
  void leave_unwritten(const Operand& source, const Run& run, const LocalTensor& result);
  void leave_unwritten(const Operand& source, const TileAccess& access, const LocalTensor& result);
  std::int64_t count_unwritten(const GlobalArray& array, const Run& run, AccessKind kind) const;
  // Tells a scalar load or an update that takes elements which nothing has written.
  void judge_unwritten(const AccessEvent& event, std::int64_t unwritten);
  void judge_unwritten(const AccessEvent& event, const TileAccess& access);
  // Of all elements; of those that a store moves; of the first elements of an index.
  UndefinedUse undefined_use(const Operand& operand) const;
  UndefinedUse undefined_use(const LocalTensor& dense, const TileAccess& access,
                             const GlobalArray& array) const;
  UndefinedUse undefined_indices(const Operand& index, std::int64_t count) const;
  void report_undefined(const UndefinedUse& use, const Operand& operand, std::string_view verb,
                        const std::string& place, std::vector<std::string> notes);
  void report_stored(const UndefinedUse& use, const Operand& operand, AccessEvent event);

  // Findings. `make` is called only when the finding is new.
  template <class Make>
  void report(Code code, Make&& make, std::vector<Label> labels = {}) {
    const std::optional<Severity> severity = context_.levels.severity_of(code);
    if (!severity) return;
    if (findings_.admits(current_, code, *severity))
      findings_.add(make(), *severity, current_, loops_, std::move(labels));
    if (*severity == Severity::error && context_.options.stop_at_first) context_.stop();
  }
  // observe_numeric.cpp: the events of a statement that has just run.
  void observe_numeric(const Stmt& stmt);
  Completion out_of_memory(std::size_t wanted_bytes);

  LaunchContext& context_;
  const Program& program_;
  const refops::Policy policy_;
  LocalArena arena_;
  SlotValues slots_;
  BlockFindings findings_;
  CauseTable causes_;
  const bool tracks_undefined_;
  AtomicSession atomics_;
  AccessLog log_;
  OrderingLog order_;
  std::vector<LoopFrame> loops_;
  std::vector<std::pair<const Allocation*, LocalTensor>>
      biases_;  // of accumulators not yet initialised
  std::string printed_;
  const Stmt* current_ = nullptr;
  std::int64_t block_ = 0;
  std::uint32_t phase_ = 0;  // barriers passed
  std::uint64_t steps_ = 0;
  std::uint64_t step_limit_;
  const bool observes_numeric_;
  int depth_ = 0;
};

}  // namespace ascemu::interp
