#include "interp/launch/block_threads.h"

#include <omp.h>

#include <algorithm>
#include <exception>
#include <new>
#include <optional>
#include <thread>
#include <utility>
#include <vector>

#include "interp/eval/walker.h"

namespace ascemu::interp {
namespace {

Completion run_guarded(Walker& walker, std::int64_t block) {
  try {
    return walker.run(block);
  } catch (const std::bad_alloc&) {
    walker.report_fatal(make_fault(Code::memory_limit, "the machine's memory ran out"));
  } catch (const std::exception& error) {
    walker.report_fatal(make_fault(Code::internal_error, error.what()));
  }
  return Completion::end_launch;
}

// False when the launch is to stop.
bool run_block(LaunchContext& context, Walker& walker, Ledger& ledger, std::int64_t block) {
  const Completion completion = run_guarded(walker, block);
  const bool failed = walker.has_error();
  ledger.add(block, walker.take_findings(), walker.dropped_findings(), walker.take_printed());
  if (completion == Completion::end_launch) context.stop();
  if (context.barrier != nullptr) context.barrier->end_block(block, failed);
  return completion != Completion::end_launch;
}

// One worker's life: makes its walker once and runs blocks until `next` has none. False when memory
// ran out.
template <class NextBlock>
bool work(LaunchContext& context, Ledger& ledger, NextBlock&& next) {
  try {
    Walker walker(context);
    while (const std::optional<std::int64_t> block = next()) {
      if (!run_block(context, walker, ledger, *block)) break;
    }
    return true;
  } catch (...) {  // only bad_alloc while reporting is left
    context.stop();
    return false;
  }
}

// False when the machine gives no more threads; those that it gave run `body`, which must outlive
// them, and must be joined.
template <class Body>
bool start_threads(std::vector<std::thread>& workers, std::int64_t count, const Body& body) {
  try {
    workers.reserve(static_cast<std::size_t>(count));
    for (std::int64_t i = 0; i < count; ++i) workers.emplace_back([&body, i] { body(i); });
  } catch (const std::exception&) {  // std::system_error, or no memory for the thread
    return false;
  }
  return true;
}

}  // namespace

int choose_threads(int asked, std::int64_t blocks) {
  // More threads than this only cost; the arrays' bits do not depend on it.
  const int most = std::max(omp_get_num_procs(), 64);
  const int wanted = std::min(asked > 0 ? asked : omp_get_max_threads(), most);
  return static_cast<int>(std::min<std::int64_t>(wanted, blocks));
}

RunOutcome run_in_order(LaunchContext& context, Ledger& ledger, int threads) {
  std::atomic<std::int64_t> counter{0};
  std::atomic<bool> has_memory{true};
  const std::int64_t blocks = context.options.blocks;
  const auto next = [&]() -> std::optional<std::int64_t> {
    const std::int64_t block = counter.fetch_add(1, std::memory_order_relaxed);
    if (block >= blocks || context.stopped.load(std::memory_order_relaxed)) return std::nullopt;
    return block;
  };
  if (threads <= 1) return work(context, ledger, next) ? RunOutcome::done : RunOutcome::no_memory;
#pragma omp parallel num_threads(threads) default(none) shared(context, ledger, next, has_memory)
  {
    if (!work(context, ledger, next)) has_memory.store(false, std::memory_order_relaxed);
  }
  return has_memory.load() ? RunOutcome::done : RunOutcome::no_memory;
}

RunOutcome run_together(LaunchContext& context, Ledger& ledger) {
  std::atomic<bool> has_memory{true};
  std::vector<std::thread> workers;
  const auto run_one = [&](std::int64_t block) {
    std::optional<std::int64_t> mine = block;
    const auto next = [&mine] { return std::exchange(mine, std::nullopt); };
    if (!work(context, ledger, next)) has_memory.store(false, std::memory_order_relaxed);
  };
  const bool is_complete = start_threads(workers, context.options.blocks, run_one);
  if (!is_complete) context.stop();
  for (std::thread& worker : workers) worker.join();
  if (!is_complete) return RunOutcome::no_threads;
  return has_memory.load() ? RunOutcome::done : RunOutcome::no_memory;
}

std::int64_t choose_seats(Schedule::Kind kind, std::int64_t blocks, bool may_wait) {
  constexpr std::int64_t kMostInterleaved = 64;
  if (may_wait) return blocks;
  return kind == Schedule::Kind::interleave ? std::min(blocks, kMostInterleaved) : 1;
}

RunOutcome run_in_turns(LaunchContext& context, Ledger& ledger, Turns& turns, std::int64_t seats,
                        const std::vector<std::int64_t>& order) {
  // Only the holder of the turn reads or writes these.
  bool has_memory = true;
  std::size_t started = 0;
  const auto next = [&]() -> std::optional<std::int64_t> {
    if (started == order.size() || context.stopped.load(std::memory_order_relaxed))
      return std::nullopt;
    return order[started++];
  };
  std::vector<std::thread> workers;
  const auto take_turns = [&](std::int64_t seat) {
    turns.sit(static_cast<std::size_t>(seat));
    if (!work(context, ledger, next)) has_memory = false;
    turns.leave();
  };
  const bool is_complete = start_threads(workers, seats, take_turns);
  if (!is_complete) context.stop();
  turns.begin(workers.size());
  for (std::thread& worker : workers) worker.join();
  if (!is_complete) return RunOutcome::no_threads;
  return has_memory ? RunOutcome::done : RunOutcome::no_memory;
}

}  // namespace ascemu::interp
