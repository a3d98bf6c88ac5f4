#include "interp/launch/deadlock.h"

#include <map>
#include <string>
#include <vector>

namespace ascemu::interp {
namespace {

// "block 3", "blocks 0-2, 5"
std::string blocks_text(const std::vector<std::int64_t>& blocks) {
  std::string text = blocks.size() == 1 ? "block " : "blocks ";
  for (std::size_t i = 0; i < blocks.size();) {
    std::size_t end = i + 1;
    while (end < blocks.size() && blocks[end] == blocks[end - 1] + 1) ++end;
    if (i > 0) text += ", ";
    text += std::to_string(blocks[i]);
    if (end - i > 1) text += "-" + std::to_string(blocks[end - 1]);
    i = end;
  }
  return text;
}

std::string line_text(const Program& program, SpanId span) {
  if (span == kNoSpan) return "";
  return " at line " + std::to_string(program.sources.spans[span].line);
}

}  // namespace

Diagnostic describe_deadlock(const Barrier::Deadlock& blocks, const Program& program) {
  std::map<SpanId, std::vector<std::int64_t>> waiting;
  std::vector<std::int64_t> ended;
  SpanId place = kNoSpan;
  std::int64_t lowest = -1;
  std::size_t waiting_count = 0;
  for (std::size_t i = 0; i < blocks.size(); ++i) {
    const auto block = static_cast<std::int64_t>(i);
    if (blocks[i].state != Barrier::State::waiting) {
      ended.push_back(block);
      continue;
    }
    ++waiting_count;
    waiting[blocks[i].waits_at].push_back(block);
    if (lowest < 0) {
      lowest = block;
      place = blocks[i].waits_at;
    }
  }
  Fault fault = make_fault(Code::barrier_deadlock,
                           std::to_string(waiting_count) + " of " + std::to_string(blocks.size()) +
                               " blocks wait at asc.sync_all() for blocks that have ended");
  for (const auto& [span, group] : waiting)
    fault.notes.push_back("waiting" + line_text(program, span) + ": " + blocks_text(group));
  fault.notes.push_back("ended: " + blocks_text(ended));
  Diagnostic diagnostic = locate(std::move(fault), place);
  diagnostic.block = lowest;
  diagnostic.block_count = static_cast<std::int64_t>(blocks.size());
  for (const auto& [span, group] : waiting) {
    if (span != place) diagnostic.labels.push_back({span, blocks_text(group) + " wait here"});
  }
  return diagnostic;
}

}  // namespace ascemu::interp
