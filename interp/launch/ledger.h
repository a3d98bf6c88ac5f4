// Collects what the blocks of a launch found and printed, in whatever order they end.
//
// Invariants: the result is ordered by block and then by time, whatever the order of add(); memory
// is bounded by the limit, not by the number of blocks; findings of portability and numeric
// stand once for each statement, for the lowest block; the first error is never dropped.
#pragma once

#include <cstdint>
#include <map>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "interp/diag/diagnostic.h"
#include "interp/launch/launch.h"

namespace ascemu::interp {

class Ledger {
 public:
  explicit Ledger(std::size_t limit) : limit_(limit) {}

  // Thread safe. `dropped` findings were counted by the block itself.
  void add(std::int64_t block, std::vector<Diagnostic> findings, std::size_t dropped,
           std::string printed);
  // What was found about a block after all blocks had ended; it stands behind the block's own.
  void add_afterwards(std::vector<Diagnostic> findings);
  // Moves everything into the result.
  void finish(LaunchResult& result);

 private:
  using Key = std::pair<std::int64_t, std::size_t>;  // block, number within the block
  using Place = std::pair<Code, SpanId>;
  using Findings = std::map<Key, Diagnostic>;

  void keep(const Key& key, Diagnostic diagnostic);
  bool is_first_of_place(const Key& key, const Diagnostic& diagnostic);
  void prune(Findings& findings);

  std::mutex mutex_;
  std::size_t limit_;
  std::size_t dropped_ = 0;
  Findings errors_;
  Findings warnings_;
  std::map<Place, Key> once_;  // where the kept finding of a place is
  std::map<std::int64_t, std::string> printed_;
  std::size_t afterwards_ = 0;
};

}  // namespace ascemu::interp
