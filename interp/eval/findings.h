// The findings of one block: positions, block and loop values are added here, once.
//
// What it is not: shared between threads; launch.cpp merges the blocks.
// Invariant: one finding per statement and code; repetitions are counted and told in a note by
// take().
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "interp/diag/diagnostic.h"
#include "interp/launch/launch.h"

namespace ascemu::interp {

struct Stmt;
struct Program;

// One running loop, innermost last.
struct LoopFrame {
  const Stmt* stmt;
  std::int64_t current, start, stop, step;
};

// The same run of a loop, in whichever iteration; the same iteration of it.
inline bool is_same_loop(const LoopFrame& a, const LoopFrame& b) {
  return a.stmt == b.stmt && a.start == b.start && a.stop == b.stop && a.step == b.step;
}
inline bool is_same_iteration(const LoopFrame& a, const LoopFrame& b) {
  return is_same_loop(a, b) && a.current == b.current;
}

// "i = 3 of range(0, 8, 1) at line 12".
std::string loop_text(const Program& program, const LoopFrame& frame);

class BlockFindings {
 public:
  explicit BlockFindings(const Program& program) : program_(program) {}

  void begin_block(std::int64_t block, std::int64_t block_count, std::size_t limit);
  // False when there is nothing to add: the statement already has a finding of that code in this
  // block, or the limit is reached (both are counted). The first error is always admitted.
  bool admits(const Stmt* stmt, Code code, Severity severity);
  // Only after admits().
  void add(Fault fault, Severity severity, const Stmt* stmt, const std::vector<LoopFrame>& loops,
           std::vector<Label> labels = {});
  bool has_error() const { return has_error_; }
  // Findings in order of time; the object is empty afterwards.
  std::vector<Diagnostic> take();
  std::size_t dropped() const { return dropped_; }

 private:
  struct Entry {
    const Stmt* stmt;
    std::uint64_t repetitions;
    Diagnostic diagnostic;
  };

  const Program& program_;
  std::vector<Entry> entries_;
  std::int64_t block_ = 0;
  std::int64_t block_count_ = 1;
  std::size_t limit_ = 0;
  std::size_t dropped_ = 0;
  bool has_error_ = false;
};

}  // namespace ascemu::interp
