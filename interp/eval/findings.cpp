#include "interp/eval/findings.h"

#include "interp/ast/tree.h"

namespace ascemu::interp {

std::string loop_text(const Program& program, const LoopFrame& frame) {
  const auto& loop = std::get<For>(frame.stmt->node);
  const std::string& name = program.slots[loop.induction].name;
  std::string text = (name.empty() ? "loop index" : name) + " = " + std::to_string(frame.current) +
                     " of range(" + std::to_string(frame.start) + ", " +
                     std::to_string(frame.stop) + ", " + std::to_string(frame.step) + ")";
  if (frame.stmt->span != kNoSpan)
    text += " at line " + std::to_string(program.sources.spans[frame.stmt->span].line);
  return text;
}

void BlockFindings::begin_block(std::int64_t block, std::int64_t block_count, std::size_t limit) {
  block_ = block;
  block_count_ = block_count;
  limit_ = limit;
  entries_.clear();
  dropped_ = 0;
  has_error_ = false;
}

bool BlockFindings::admits(const Stmt* stmt, Code code, Severity severity) {
  for (Entry& entry : entries_) {
    if (entry.stmt == stmt && entry.diagnostic.code == code) {
      ++entry.repetitions;
      return false;
    }
  }
  const bool is_first_error = severity == Severity::error && !has_error_;
  if (entries_.size() < limit_ || is_first_error) return true;
  ++dropped_;
  return false;
}

void BlockFindings::add(Fault fault, Severity severity, const Stmt* stmt,
                        const std::vector<LoopFrame>& loops, std::vector<Label> labels) {
  if (severity == Severity::error) has_error_ = true;
  Diagnostic diagnostic = locate(std::move(fault), stmt == nullptr ? kNoSpan : stmt->span);
  diagnostic.severity = severity;
  diagnostic.labels = std::move(labels);
  diagnostic.block = block_;
  diagnostic.block_count = block_count_;
  for (const LoopFrame& frame : loops) diagnostic.loops.push_back(loop_text(program_, frame));
  entries_.push_back({stmt, 0, std::move(diagnostic)});
}

std::vector<Diagnostic> BlockFindings::take() {
  std::vector<Diagnostic> findings;
  for (Entry& entry : entries_) {
    if (entry.repetitions > 0) {
      entry.diagnostic.notes.push_back("repeated: " + std::to_string(entry.repetitions) +
                                       (entry.repetitions == 1 ? " more time" : " more times") +
                                       " in this block");
    }
    findings.push_back(std::move(entry.diagnostic));
  }
  entries_.clear();
  return findings;
}

}  // namespace ascemu::interp
