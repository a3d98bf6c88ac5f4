// Runs the blocks of a launch on threads.
//
// What it is: three ways: in order, each thread taking the next block; together, one thread a
// block, for programs whose blocks wait for each other; in turns, one thread running at a time, for
// a schedule that somebody chose. What it is not: results of blocks; those go to the Ledger.
// Invariant: no exception leaves a worker thread.
#pragma once

#include <cstdint>
#include <vector>

#include "interp/eval/launch_context.h"
#include "interp/launch/ledger.h"
#include "interp/launch/turns.h"

namespace ascemu::interp {

enum class RunOutcome : std::uint8_t { done, no_memory, no_threads };

// Threads worth using: `asked`, or OpenMP's choice (OMP_NUM_THREADS, all cores) when it is 0; at
// most one a block.
int choose_threads(int asked, std::int64_t blocks);

RunOutcome run_in_order(LaunchContext& context, Ledger& ledger, int threads);
RunOutcome run_together(LaunchContext& context, Ledger& ledger);

// Blocks under way at a time under a schedule other than `parallel`: all of them where one may wait
// for another, else one, or up to 64 that take turns.
std::int64_t choose_seats(Schedule::Kind kind, std::int64_t blocks, bool may_wait);
// The blocks of `order`, as many at a time as `turns` has seats.
RunOutcome run_in_turns(LaunchContext& context, Ledger& ledger, Turns& turns, std::int64_t seats,
                        const std::vector<std::int64_t>& order);

}  // namespace ascemu::interp
