// asc.sync_all(): a barrier between all blocks of a launch that knows which blocks have ended (spec
// asc2 §11.1, §12.12).
//
// What it is not: positions as text; launch.cpp words the deadlock.
// Invariants: it opens when every block waits at it. When some block has ended and every other one
// waits, it breaks at once: a deadlock, unless an ended block had a fault of its own. A broken
// barrier lets everybody through, with `broken`.
#pragma once

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <functional>
#include <mutex>
#include <optional>
#include <vector>

#include "interp/diag/span.h"

namespace ascemu::interp {

class Barrier {
 public:
  enum class Outcome : std::uint8_t { passed, broken };
  enum class State : std::uint8_t { running, waiting, ended, failed };

  struct BlockState {
    State state = State::running;
    SpanId waits_at = kNoSpan;
  };
  using Deadlock = std::vector<BlockState>;  // by block, as it was when the barrier broke

  // on_open runs, on the last arriver's thread, before anybody goes on. run_others: empty, or where
  // blocks take turns, lets the others run; called over and over by a block that waits.
  Barrier(std::int64_t blocks, std::function<void()> on_open,
          std::function<void()> run_others = {});

  Outcome wait(std::int64_t block, SpanId where);
  // The block runs no more; failed: it reported an error of its own.
  void end_block(std::int64_t block, bool failed);
  // The launch stops: everybody goes on, broken.
  void stop();

  bool has_deadlock() const { return has_deadlock_.load(std::memory_order_relaxed); }
  // After the launch. Nothing when it did not deadlock.
  const std::optional<Deadlock>& deadlock() const { return deadlock_; }

 private:
  void break_if_stuck();

  std::mutex mutex_;
  std::condition_variable changed_;
  std::function<void()> on_open_;
  std::function<void()> run_others_;
  std::vector<BlockState> blocks_;
  std::int64_t waiting_ = 0;
  std::int64_t ended_ = 0;
  std::uint64_t generation_ = 0;
  bool has_failed_ = false;
  bool broken_ = false;
  std::atomic<bool> has_deadlock_{false};
  std::optional<Deadlock> deadlock_;
};

}  // namespace ascemu::interp
