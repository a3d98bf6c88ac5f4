// Commits atomic updates in block order, so that float results do not depend on threads
// (architecture, decision 9).
//
// How: the lowest block that has not ended its phase has the turn and updates the arrays directly.
// Every other block records its updates in a log; the log is applied when the turn comes. A phase
// ends with the block, or at a barrier. What it is not: a lock for other accesses; races between
// plain accesses and atomics of different blocks stay races. Invariants: only the holder of the
// turn, or the thread passing it on, writes through this class; the logs of one launch hold at most
// kPendingLimit bytes plus one update a block: past that a block waits for its turn. The lowest
// running block never waits. Updates whose elements are stored as float64 (N19) read the target
// exactly, compute in double and round once to its dtype.
#pragma once

#include <atomic>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <mutex>
#include <utility>
#include <vector>

#include "refops/eval.h"

namespace ascemu::interp {

class AtomicLog {
 public:
  // Keeps the update of `target` by the elements of `source` (same shape) and a copy of them.
  // Returns the bytes it takes.
  std::size_t record(refops::OpId op, const refops::ConstView& source, const refops::View& target);
  bool overlaps(const std::byte* begin, const std::byte* end) const;
  bool is_empty() const { return updates_.empty(); }
  // Applies the updates in the order they were recorded and forgets them; returns the bytes freed.
  std::size_t commit(const refops::Policy& policy);

 private:
  struct Update {
    refops::OpId op;
    refops::Dtype source_dtype;
    refops::View target;
    std::size_t source_offset;
  };

  std::vector<Update> updates_;
  std::vector<std::byte> bytes_;
  const std::byte* lowest_ = nullptr;
  const std::byte* highest_ = nullptr;
};

class AtomicOrder {
 public:
  static constexpr std::size_t kPendingLimit = std::size_t{64} << 20;

  AtomicOrder(std::int64_t blocks, const refops::Policy& policy,
              std::size_t pending_limit = kPendingLimit);

  // Where blocks take turns: lets the others run; a block that waits calls it over and over. Before
  // the blocks run.
  void set_run_others(std::function<void()> run_others) { run_others_ = std::move(run_others); }

  bool has_turn(std::int64_t block) const { return turn_.load(std::memory_order_acquire) == block; }
  // Blocks until every lower block has ended its phase; false when the launch was stopped
  // meanwhile.
  bool wait_for_turn(std::int64_t block);
  // The block reached a barrier or its end; its log is applied now or when its turn comes.
  void end_phase(std::int64_t block, AtomicLog&& log, bool is_finished);
  // Every block stands at the barrier: those not finished run again.
  void begin_phase();
  // Wakes every waiting block.
  void stop();

  // Accounts bytes of logs; true when the limit is exceeded.
  bool add_pending(std::size_t size_bytes);
  void drop_pending(std::size_t size_bytes);
  const refops::Policy& policy() const { return policy_; }

 private:
  enum class Phase : std::uint8_t { running, at_barrier, finished };

  void pass_turn();

  refops::Policy policy_;
  std::size_t pending_limit_;
  std::atomic<std::size_t> pending_bytes_{0};
  std::atomic<std::int64_t> turn_{0};
  std::mutex mutex_;
  std::condition_variable turn_changed_;
  std::vector<Phase> phases_;
  std::map<std::int64_t, AtomicLog> waiting_;
  bool stopped_ = false;
  std::function<void()> run_others_;
};

// One block's side of it. Without an order (a launch of one thread, or no atomics) updates apply
// directly.
class AtomicSession {
 public:
  void begin_block(AtomicOrder* order, std::int64_t block);
  // False when the launch was stopped while waiting; the update is then lost.
  bool update(refops::OpId op, const refops::Policy& policy, const refops::ConstView& source,
              const refops::View& target);
  bool has_pending() const { return !log_.is_empty(); }
  // Makes the block's own updates of these bytes visible before it reads or writes them itself.
  // False as above.
  bool settle(const std::byte* begin, const std::byte* end);
  void end_phase(bool is_finished);

 private:
  bool flush_in_turn();

  AtomicOrder* order_ = nullptr;
  std::int64_t block_ = 0;
  AtomicLog log_;
};

}  // namespace ascemu::interp
