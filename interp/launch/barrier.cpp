#include "interp/launch/barrier.h"

#include <utility>

namespace ascemu::interp {

Barrier::Barrier(std::int64_t blocks, std::function<void()> on_open,
                 std::function<void()> run_others)
    : on_open_(std::move(on_open)),
      run_others_(std::move(run_others)),
      blocks_(static_cast<std::size_t>(blocks)) {}

Barrier::Outcome Barrier::wait(std::int64_t block, SpanId where) {
  std::unique_lock lock(mutex_);
  if (broken_) return Outcome::broken;
  blocks_[static_cast<std::size_t>(block)] = {State::waiting, where};
  ++waiting_;
  if (waiting_ == static_cast<std::int64_t>(blocks_.size())) {
    on_open_();
    for (BlockState& state : blocks_) state = BlockState{};
    waiting_ = 0;
    ++generation_;
    changed_.notify_all();
    return Outcome::passed;
  }
  break_if_stuck();
  const std::uint64_t generation = generation_;
  const auto is_over = [&] { return broken_ || generation_ != generation; };
  while (run_others_ && !is_over()) {
    lock.unlock();
    run_others_();
    lock.lock();
  }
  changed_.wait(lock, is_over);
  return generation_ != generation ? Outcome::passed : Outcome::broken;
}

void Barrier::end_block(std::int64_t block, bool failed) {
  const std::lock_guard lock(mutex_);
  BlockState& state = blocks_[static_cast<std::size_t>(block)];
  if (state.state == State::waiting) --waiting_;
  state = {failed ? State::failed : State::ended, kNoSpan};
  ++ended_;
  has_failed_ |= failed;
  break_if_stuck();
}

void Barrier::stop() {
  const std::lock_guard lock(mutex_);
  broken_ = true;
  changed_.notify_all();
}

// Called locked.
void Barrier::break_if_stuck() {
  const bool stuck = !broken_ && waiting_ > 0 && ended_ > 0 &&
                     waiting_ + ended_ == static_cast<std::int64_t>(blocks_.size());
  if (!stuck) return;
  if (!has_failed_) {
    deadlock_ = blocks_;
    has_deadlock_.store(true, std::memory_order_relaxed);
  }
  broken_ = true;
  changed_.notify_all();
}

}  // namespace ascemu::interp
