#include "interp/memory/atomic_order.h"

#include <functional>
#include <utility>

#include "interp/memory/storage_conversion.h"

namespace ascemu::interp {
namespace {

void apply(refops::OpId op, const refops::Policy& policy, const refops::ConstView& source,
           const refops::View& target) {
  if (source.dtype == target.dtype) return refops::eval_atomic(op, policy, source, target);
  const std::int64_t count = target.shape.count_elems();
  const auto size = static_cast<std::size_t>(count);
  std::vector<std::byte> narrow(size * refops::dtype_size_bytes(target.dtype));
  std::vector<std::byte> wide(size * refops::dtype_size_bytes(source.dtype));
  const refops::View dense = refops::contiguous_view(narrow.data(), target.dtype, target.shape);
  refops::eval_copy(target, dense);
  convert_elements(target.dtype, narrow.data(), source.dtype, wide.data(), count);
  refops::eval_atomic(op, policy, source,
                      refops::contiguous_view(wide.data(), source.dtype, target.shape));
  convert_elements(source.dtype, wide.data(), target.dtype, narrow.data(), count);
  refops::eval_copy(dense, target);
}

const std::byte* end_of(const refops::View& view) {
  std::int64_t last = 0;
  for (int axis = 0; axis < view.shape.rank(); ++axis)
    last += (view.shape[axis] - 1) * view.strides[axis];
  return view.data + (last + 1) * static_cast<std::int64_t>(refops::dtype_size_bytes(view.dtype));
}

bool is_before(const std::byte* a, const std::byte* b) { return std::less<>{}(a, b); }

}  // namespace

std::size_t AtomicLog::record(refops::OpId op, const refops::ConstView& source,
                              const refops::View& target) {
  const std::size_t offset = bytes_.size();
  const auto size =
      static_cast<std::size_t>(source.shape.count_elems()) * refops::dtype_size_bytes(source.dtype);
  const std::size_t padded = (size + 7) / 8 * 8;
  bytes_.resize(offset + padded);
  refops::eval_copy(source,
                    refops::contiguous_view(bytes_.data() + offset, source.dtype, source.shape));
  updates_.push_back({op, source.dtype, target, offset});
  const std::byte* const end = end_of(target);
  if (lowest_ == nullptr || is_before(target.data, lowest_)) lowest_ = target.data;
  if (highest_ == nullptr || is_before(highest_, end)) highest_ = end;
  return padded + sizeof(Update);
}

bool AtomicLog::overlaps(const std::byte* begin, const std::byte* end) const {
  return !updates_.empty() && is_before(begin, highest_) && is_before(lowest_, end);
}

std::size_t AtomicLog::commit(const refops::Policy& policy) {
  for (const Update& update : updates_) {
    const std::byte* const source = bytes_.data() + update.source_offset;
    apply(update.op, policy,
          refops::contiguous_view(source, update.source_dtype, update.target.shape), update.target);
  }
  const std::size_t freed = bytes_.size() + updates_.size() * sizeof(Update);
  updates_.clear();
  bytes_.clear();
  lowest_ = nullptr;
  highest_ = nullptr;
  return freed;
}

AtomicOrder::AtomicOrder(std::int64_t blocks, const refops::Policy& policy,
                         std::size_t pending_limit)
    : policy_(policy),
      pending_limit_(pending_limit),
      phases_(static_cast<std::size_t>(blocks), Phase::running) {}

bool AtomicOrder::wait_for_turn(std::int64_t block) {
  std::unique_lock lock(mutex_);
  const auto is_over = [&] { return stopped_ || has_turn(block); };
  while (run_others_ && !is_over()) {
    lock.unlock();
    run_others_();
    lock.lock();
  }
  turn_changed_.wait(lock, is_over);
  return !stopped_;
}

void AtomicOrder::end_phase(std::int64_t block, AtomicLog&& log, bool is_finished) {
  const std::lock_guard lock(mutex_);
  phases_[static_cast<std::size_t>(block)] = is_finished ? Phase::finished : Phase::at_barrier;
  if (!has_turn(block)) {
    if (!log.is_empty()) waiting_[block] = std::move(log);
    return;
  }
  drop_pending(log.commit(policy_));
  pass_turn();
}

// Called by the holder of the turn, locked.
void AtomicOrder::pass_turn() {
  std::int64_t next = turn_.load(std::memory_order_relaxed);
  const auto count = static_cast<std::int64_t>(phases_.size());
  while (next < count && phases_[static_cast<std::size_t>(next)] != Phase::running) {
    const auto found = waiting_.find(next);
    if (found != waiting_.end()) {
      drop_pending(found->second.commit(policy_));
      waiting_.erase(found);
    }
    ++next;
  }
  turn_.store(next, std::memory_order_release);
  turn_changed_.notify_all();
}

void AtomicOrder::begin_phase() {
  const std::lock_guard lock(mutex_);
  for (Phase& phase : phases_) {
    if (phase == Phase::at_barrier) phase = Phase::running;
  }
  turn_.store(0, std::memory_order_relaxed);
  pass_turn();
}

void AtomicOrder::stop() {
  const std::lock_guard lock(mutex_);
  stopped_ = true;
  turn_changed_.notify_all();
}

bool AtomicOrder::add_pending(std::size_t size_bytes) {
  return pending_bytes_.fetch_add(size_bytes, std::memory_order_relaxed) + size_bytes >
         pending_limit_;
}

void AtomicOrder::drop_pending(std::size_t size_bytes) {
  pending_bytes_.fetch_sub(size_bytes, std::memory_order_relaxed);
}

void AtomicSession::begin_block(AtomicOrder* order, std::int64_t block) {
  order_ = order;
  block_ = block;
}

bool AtomicSession::update(refops::OpId op, const refops::Policy& policy,
                           const refops::ConstView& source, const refops::View& target) {
  if (order_ == nullptr) {
    apply(op, policy, source, target);
    return true;
  }
  if (order_->has_turn(block_)) {
    order_->drop_pending(log_.commit(policy));
    apply(op, policy, source, target);
    return true;
  }
  const bool is_full = order_->add_pending(log_.record(op, source, target));
  return !is_full || flush_in_turn();
}

bool AtomicSession::settle(const std::byte* begin, const std::byte* end) {
  return !log_.overlaps(begin, end) || flush_in_turn();
}

bool AtomicSession::flush_in_turn() {
  if (!order_->wait_for_turn(block_)) return false;
  order_->drop_pending(log_.commit(order_->policy()));
  return true;
}

void AtomicSession::end_phase(bool is_finished) {
  if (order_ != nullptr) order_->end_phase(block_, std::move(log_), is_finished);
  log_ = AtomicLog();
}

}  // namespace ascemu::interp
