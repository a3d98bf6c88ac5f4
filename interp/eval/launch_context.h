// What all walkers of one launch share.
//
// Invariant: constant while blocks run, but for the members that synchronise themselves (atomics,
// barrier, stopped).
#pragma once

#include <atomic>
#include <cstdint>
#include <vector>

#include "interp/ast/tree.h"
#include "interp/launch/barrier.h"
#include "interp/launch/launch.h"
#include "interp/memory/atomic_order.h"
#include "interp/memory/global_array.h"
#include "interp/value/runtime_value.h"

namespace ascemu::interp {

class FreshArrays;
class RaceCheck;
class Turns;

struct LaunchContext {
  const Program& program;
  const LaunchOptions& options;
  std::vector<GlobalArray> arrays{};      // by parameter; a scalar parameter has no data
  std::vector<RuntimeValue> arguments{};  // by parameter
  std::vector<bool> transposed{};  // by slot: a transpose reads it (which side of a cube tile is K)
  CheckLevels levels{};
  std::vector<bool> watched{};       // by parameter: blocks could race on the array
  std::vector<bool> self_read{};     // by parameter: the order of a block's own accesses matters
  FreshArrays* fresh = nullptr;      // null: no array starts unwritten
  RaceCheck* races = nullptr;        // null: nothing to watch
  AtomicOrder* atomics = nullptr;    // null: updates apply directly
  Barrier* barrier = nullptr;        // null: the launch has one block, or no barrier
  Turns* switches = nullptr;         // null: a block does not give way before its accesses
  std::atomic<bool> stopped{false};  // exhaustion, internal error or deadlock in some block

  // Every block ends soon, also those that wait.
  void stop() {
    stopped.store(true, std::memory_order_relaxed);
    if (atomics != nullptr) atomics->stop();
    if (barrier != nullptr) barrier->stop();
  }
};

}  // namespace ascemu::interp
