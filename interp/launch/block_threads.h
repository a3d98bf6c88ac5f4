// Runs the blocks of a launch on threads.
//
// What it is: two schedules: in order, each thread taking the next block; or together, one thread a
// block, for programs whose blocks wait for each other. What it is not: results of blocks; those go
// to the Ledger. Invariant: no exception leaves a worker thread.
#pragma once

#include <cstdint>

#include "interp/eval/launch_context.h"
#include "interp/launch/ledger.h"

namespace ascemu::interp {

enum class RunOutcome : std::uint8_t { done, no_memory, no_threads };

// Threads worth using: `asked`, or OpenMP's choice (OMP_NUM_THREADS, all cores) when it is 0; at
// most one a block.
int choose_threads(int asked, std::int64_t blocks);

RunOutcome run_in_order(LaunchContext& context, Ledger& ledger, int threads);
RunOutcome run_together(LaunchContext& context, Ledger& ledger);

}  // namespace ascemu::interp
