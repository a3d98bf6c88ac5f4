#include "interp/checks/race.h"

#include <algorithm>
#include <string>

#include "interp/ast/tree.h"
#include "interp/checks/access_text.h"

namespace ascemu::interp {
namespace {

constexpr std::size_t kLeastRecords = 1024;

std::string block_text(const Touch& touch) { return "block " + std::to_string(touch.block); }

std::string touch_note(const Touch& touch, const GlobalArray& array) {
  return block_text(touch) + ": " + std::string(touch.site().operation) + " " +
         verb(touch.site().kind) + " " + rows_text(array, touch.bytes);
}

// The touch of the higher block last.
std::pair<const Touch*, const Touch*> in_block_order(const Touch& a, const Touch& b) {
  return a.block < b.block ? std::pair(&a, &b) : std::pair(&b, &a);
}

}  // namespace

RaceCheck::RaceCheck(const Program& program, const std::vector<GlobalArray>& arrays,
                     const CheckLevels& levels, std::int64_t blocks, std::size_t most_records)
    : program_(program),
      arrays_(arrays),
      levels_(levels),
      blocks_(blocks),
      records_per_block_(std::max(kLeastRecords, most_records / static_cast<std::size_t>(blocks))) {
}

void RaceCheck::keep(std::int64_t block, AccessLog&& log) {
  if (log.records().empty() && log.stopped_at() == nullptr) return;
  const std::lock_guard lock(mutex_);
  logs_.insert_or_assign(block, std::move(log));
}

std::vector<Diagnostic> RaceCheck::finish() {
  std::map<std::uint32_t, std::vector<Touch>> phases;
  for (const auto& [block, log] : logs_) {
    for (const AccessRecord& record : log.records())
      phases[record.phase].push_back({record.bytes, block, &log, &record});
  }
  for (const auto& [phase, touches] : phases) {
    sweep_bytes(touches, [this](const Touch& a, const Touch& b) { judge_meeting(a, b); });
    if (levels_.of(Code::shared_line) != CheckLevel::off) {
      sweep_lines(touches, arrays_, [this](const Touch& a, const Touch& b) { judge_line(a, b); });
    }
  }
  for (const auto& [block, log] : logs_) {
    if (log.stopped_at() == nullptr) continue;
    add(make_fault(Code::race_unchecked,
                   "the block made more scattered accesses than the " +
                       std::to_string(records_per_block_) +
                       " that are compared; from here on its races are not looked for"),
        log.stopped_at(), block);
    break;
  }
  return std::move(findings_);
}

bool RaceCheck::is_new_pair(const Touch& a, const Touch& b) {
  const auto statements = std::minmax(a.site().stmt, b.site().stmt, std::less<>());
  return told_.insert({{statements.first, statements.second}, b.site().array}).second;
}

void RaceCheck::judge_meeting(const Touch& a, const Touch& b) {
  const auto [earlier, later] = in_block_order(a, b);
  if (!is_new_pair(*earlier, *later)) return;
  const GlobalArray& array = arrays_[later->site().array];
  const GlobalArray& other = arrays_[earlier->site().array];
  const std::optional<ByteSpan> bytes = first_shared(earlier->bytes, later->bytes);
  if (!bytes) return;
  const ElementSpan shared = elements_of(array, *bytes);
  const std::string name = tensor_text(later->site().tensor_name, array);
  const bool both_write =
      earlier->site().kind == AccessKind::write && later->site().kind == AccessKind::write;
  std::string message;
  if (both_write) {
    message = "blocks " + std::to_string(earlier->block) + " and " + std::to_string(later->block) +
              " both write " + short_text(shared) + " of " + name + ", and nothing orders them";
  } else {
    message = block_text(*later) + " " + verb(later->site().kind) + " " + short_text(shared) +
              " of " + name + ", which " + block_text(*earlier) + " " + verb(earlier->site().kind) +
              ", and nothing orders them";
  }
  std::vector<std::string> notes{touch_note(*later, array), touch_note(*earlier, other),
                                 "shared: " + elements_text(array, shared.first, shared.last),
                                 array_note(array)};
  if (earlier->site().array != later->site().array) {
    notes.push_back("same array: " + tensor_text(earlier->site().tensor_name, other));
  }
  const ElementSpan seen = elements_of(other, {earlier->bytes.first, earlier->bytes.end()});
  add(Code::data_race, std::move(message), std::move(notes), *earlier, *later,
      block_text(*earlier) + " " + verb(earlier->site().kind) + " " + short_text(seen) + " here");
}

void RaceCheck::judge_line(const Touch& a, const Touch& b) {
  const auto [earlier, later] = in_block_order(a, b);
  if (!is_new_pair(*earlier, *later)) return;
  const GlobalArray& array = arrays_[later->site().array];
  const GlobalArray& other = arrays_[earlier->site().array];
  add(Code::shared_line,
      "blocks " + std::to_string(earlier->block) + " and " + std::to_string(later->block) +
          " store scalars into one 64-byte line of " +
          tensor_text(later->site().tensor_name, array),
      {touch_note(*later, array), touch_note(*earlier, other), array_note(array)}, *earlier, *later,
      block_text(*earlier) + " stores here");
}

void RaceCheck::add(Code code, std::string message, std::vector<std::string> notes,
                    const Touch& earlier, const Touch& later, std::string label) {
  Diagnostic* const finding =
      add(make_fault(code, std::move(message), std::move(notes)), later.site().stmt, later.block);
  if (finding == nullptr) return;
  finding->labels.push_back({earlier.site().stmt->span, std::move(label)});
  for (const LoopFrame& frame : later.log->loops_of(*later.record))
    finding->loops.push_back(loop_text(program_, frame));
}

Diagnostic* RaceCheck::add(Fault fault, const Stmt* stmt, std::int64_t block) {
  const std::optional<Severity> severity = levels_.severity_of(fault.code);
  if (!severity) return nullptr;
  Diagnostic& finding = findings_.emplace_back(locate(std::move(fault), stmt->span));
  finding.severity = *severity;
  finding.block = block;
  finding.block_count = blocks_;
  return &finding;
}

std::vector<bool> watched_arrays(const std::vector<GlobalArray>& arrays,
                                 const std::vector<std::uint8_t>& kinds) {
  std::vector<bool> watched;
  for (const std::uint8_t all : kinds_of_arrays(arrays, kinds)) {
    watched.push_back(has_kind(all, AccessKind::write) ||
                      (has_kind(all, AccessKind::read) && has_kind(all, AccessKind::atomic)));
  }
  return watched;
}

}  // namespace ascemu::interp
