// The check `race`: two blocks on the same bytes of an array, one of them writing (spec asc2 §5.7,
// §5.8).
//
// What it is: it takes the log of every block and compares them after the launch. Accesses before
// and after asc.sync_all() do not meet; atomics do not race among themselves; the same array passed
// twice is one array. What it is not: an order between blocks as they really ran: a race is told
// whichever block came first. Invariants: one finding for each pair of statements and array; memory
// is bounded by kMostRecords, and what lies beyond is named in a finding of its own.
#pragma once

#include <cstdint>
#include <map>
#include <mutex>
#include <set>
#include <utility>
#include <vector>

#include "interp/checks/access_log.h"
#include "interp/checks/race_sweep.h"
#include "interp/diag/check_levels.h"
#include "interp/diag/diagnostic.h"

namespace ascemu::interp {

struct Program;

class RaceCheck {
 public:
  static constexpr std::size_t kMostRecords = std::size_t{1} << 21;

  RaceCheck(const Program& program, const std::vector<GlobalArray>& arrays,
            const CheckLevels& levels, std::int64_t blocks,
            std::size_t most_records = kMostRecords);

  std::size_t records_per_block() const { return records_per_block_; }
  // Thread safe; called once a block.
  void keep(std::int64_t block, AccessLog&& log);
  // After all blocks have ended; the ledger orders the findings by block.
  std::vector<Diagnostic> finish();

 private:
  using Pair = std::pair<std::pair<const Stmt*, const Stmt*>, std::uint32_t>;

  bool is_new_pair(const Touch& a, const Touch& b);
  void judge_meeting(const Touch& a, const Touch& b);
  void judge_line(const Touch& a, const Touch& b);
  void add(Code code, std::string message, std::vector<std::string> notes, const Touch& earlier,
           const Touch& later, std::string label);
  // Null where the level of the fault's code is off.
  Diagnostic* add(Fault fault, const Stmt* stmt, std::int64_t block);

  const Program& program_;
  const std::vector<GlobalArray>& arrays_;
  CheckLevels levels_;
  std::int64_t blocks_;
  std::size_t records_per_block_;
  std::mutex mutex_;
  std::map<std::int64_t, AccessLog> logs_;
  std::set<Pair> told_;
  std::vector<Diagnostic> findings_;
};

// Which parameters' arrays blocks could race on, by what statements may do to them (bits of
// AccessKind); arrays that share bytes count as one.
std::vector<bool> watched_arrays(const std::vector<GlobalArray>& arrays,
                                 const std::vector<std::uint8_t>& kinds);

}  // namespace ascemu::interp
