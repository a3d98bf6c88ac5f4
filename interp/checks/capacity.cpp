#include "interp/checks/capacity.h"

#include <algorithm>
#include <iterator>
#include <tuple>
#include <utility>

#include "interp/ast/type_text.h"
#include "interp/checks/holdings.h"
#include "interp/resolve/rewrites.h"
#include "refops/target/behaviour.h"

namespace ascemu::interp {
namespace {

constexpr Space kSpaces[] = {Space::ub, Space::l1, Space::l0a, Space::l0b, Space::l0c, Space::bt};
constexpr std::size_t kMostRows = 12;
constexpr std::size_t kMostLabels = 3;
constexpr const char* kSmaller =
    "Make the tiles smaller, or split the work over more iterations of a loop.";

struct Totals {
  std::int64_t certain = 0, estimated = 0;
};

// Everything has storage of its own.
Totals all_apart(const std::vector<Holding>& holdings) {
  Totals sum;
  for (const Holding& holding : holdings) {
    sum.estimated += holding.size_bytes;
    sum.certain += holding.is_certain ? holding.size_bytes : 0;
  }
  return sum;
}

bool is_alive(const Holding& holding, std::int32_t position) {
  return holding.first <= position && position <= holding.last;
}

// What must exist at `position`: a result may take the place of an operand that is read for the
// last time, and the copies of an unrolled loop may come one after the other.
bool is_surely_alive(const Holding& holding, std::int32_t position) {
  if (!holding.is_certain || holding.may_be_in_place) return false;
  return holding.first == position || (holding.first < position && position < holding.last);
}

Totals held_at(const std::vector<Holding>& holdings, std::int32_t position) {
  Totals sum;
  for (const Holding& holding : holdings) {
    if (is_alive(holding, position)) sum.estimated += holding.size_bytes;
    if (is_surely_alive(holding, position)) sum.certain += holding.size_bytes / holding.copies;
  }
  return sum;
}

MemoryUse account_space(const std::vector<Holding>& all, Space space, const Program& program) {
  MemoryUse use{space, capacity_bytes(program.policy.chip, space), 0, 0, {}};
  std::ranges::copy_if(all, std::back_inserter(use.holdings),
                       [&](const Holding& holding) { return holding.space == space; });
  if (program.allocation.reuse_alloc == 0) {
    const Totals sum = all_apart(use.holdings);
    use.certain_bytes = sum.certain;
    use.estimated_bytes = sum.estimated;
  } else {
    std::int32_t peak = 0;
    for (const Holding& start : use.holdings) {
      const Totals sum = held_at(use.holdings, start.first);
      use.certain_bytes = std::max(use.certain_bytes, sum.certain);
      if (sum.estimated <= use.estimated_bytes) continue;
      use.estimated_bytes = sum.estimated;
      peak = start.first;
    }
    std::erase_if(use.holdings, [&](const Holding& holding) { return !is_alive(holding, peak); });
  }
  std::ranges::sort(use.holdings, [](const Holding& a, const Holding& b) {
    return std::tuple(-a.size_bytes, a.first, a.slot, a.scratch) <
           std::tuple(-b.size_bytes, b.first, b.slot, b.scratch);
  });
  return use;
}

std::vector<MemoryUse> account_as_written(const Program& program) {
  const std::vector<Holding> holdings = read_holdings(program);
  std::vector<MemoryUse> uses;
  for (const Space space : kSpaces) {
    MemoryUse use = account_space(holdings, space, program);
    if (!use.holdings.empty()) uses.push_back(std::move(use));
  }
  return uses;
}

bool fits(const std::vector<MemoryUse>& uses) {
  return std::ranges::all_of(
      uses, [](const MemoryUse& use) { return use.estimated_bytes <= use.capacity_bytes; });
}

auto place_of(const Program& program, SpanId id) {
  const Span& span = program.sources.spans[id];
  return std::tuple(span.source, span.line, span.column, span.end_line, span.end_column);
}

bool is_same_place(const Program& program, SpanId a, SpanId b) {
  return a == b || (a != kNoSpan && b != kNoSpan && place_of(program, a) == place_of(program, b));
}

std::vector<std::string> table(const Program& program, const MemoryUse& use) {
  std::vector<std::string> rows;
  for (const Holding& holding : use.holdings) {
    if (rows.size() == kMostRows) {
      rows.push_back("and " + std::to_string(use.holdings.size() - kMostRows) + " more");
      break;
    }
    const std::string place = place_text(program, holding.span);
    rows.push_back("holds: " + std::to_string(holding.size_bytes) + " bytes, " +
                   holding_text(program, holding) + (place.empty() ? "" : ", " + place));
  }
  return rows;
}

Diagnostic finding_of(const Program& program, const MemoryUse& use) {
  const bool is_sure = use.certain_bytes > use.capacity_bytes;
  const bool is_refused = is_sure && is_counted(program);
  std::string message = std::string(space_name(use.space)) +
                        (is_sure ? " overflow: " : " may overflow: ") +
                        std::to_string(use.capacity_bytes) + " bytes are available, " +
                        (is_sure ? "at least " + std::to_string(use.certain_bytes)
                                 : "about " + std::to_string(use.estimated_bytes)) +
                        " bytes are used";
  if (is_sure && !is_refused)
    message += "; the compiler does not count them here, the kernel would fail on the device";
  const bool sharing_helps =
      program.allocation.reuse_alloc == 0 && use.holdings.front().size_bytes <= use.capacity_bytes;
  Diagnostic finding =
      locate(make_fault(is_refused ? Code::capacity_exceeded : Code::capacity_estimate,
                        std::move(message), table(program, use), sharing_helps ? "" : kSmaller),
             use.holdings.front().span);
  finding.severity = Severity::warning;
  for (const Holding& holding : use.holdings) {
    const auto is_here = [&](const Label& label) {
      return is_same_place(program, holding.span, label.span);
    };
    if (is_same_place(program, holding.span, finding.span)) continue;
    if (std::ranges::any_of(finding.labels, is_here)) continue;
    if (finding.labels.size() == kMostLabels) break;
    finding.labels.push_back({holding.span, std::to_string(holding.size_bytes) + " bytes"});
  }
  return finding;
}

}  // namespace

std::int64_t capacity_bytes(refops::Chip chip, Space space) {
  const bool is_950 = chip == refops::Chip::ascend950pr;
  switch (space) {
    case Space::ub:
      return is_950 ? 253952 : 196608;
    case Space::l1:
      return 524288;
    case Space::l0a:
    case Space::l0b:
      return 65536;
    case Space::l0c:
      return chip == refops::Chip::ascend910b ? 131072 : 262144;
    case Space::bt:
      return is_950 ? 4096 : 1024;
    default:
      return 0;
  }
}

std::vector<MemoryUse> account_memory(const Program& program) {
  if (refops::behaviour_of(program.policy).rewrites) return account_as_written(program);
  Program rewritten = program;
  const refops::Policy as_compiled{refops::NumericMode::npu, program.policy.chip};
  const auto errors = apply_rewrites(rewritten, refops::behaviour_of(as_compiled));
  return account_as_written(errors.empty() ? rewritten : program);
}

std::string holding_text(const Program& program, const Holding& holding) {
  std::string text;
  if (holding.slot < program.slots.size()) {
    const SlotInfo& info = program.slots[holding.slot];
    text = (info.name.empty() ? "" : "'" + info.name + "' ") + type_text(info.type);
  }
  if (!holding.scratch.empty()) text = holding.scratch + (text.empty() ? "" : " for " + text);
  if (holding.copies > 1) text += ", " + std::to_string(holding.copies) + " times (unrolled)";
  if (!holding.is_certain) text += " (approximate)";
  return text;
}

std::string place_text(const Program& program, SpanId span) {
  if (span >= program.sources.spans.size()) return "";
  const Span& place = program.sources.spans[span];
  const std::string& path = program.sources.files[place.source].path;
  return path.substr(path.find_last_of('/') + 1) + ":" + std::to_string(place.line);
}

bool is_counted(const Program& program) {
  return program.allocation.static_alloc.value_or(
      program.policy.chip == refops::Chip::ascend950pr && !has_broadcast(program));
}

void check_capacity(Program& program) {
  // Rewrites only make it less: a copy of the tree is made for programs that do not fit.
  if (fits(account_as_written(program))) return;
  for (const MemoryUse& use : account_memory(program)) {
    if (use.estimated_bytes <= use.capacity_bytes) continue;
    program.findings.push_back(finding_of(program, use));
  }
}

}  // namespace ascemu::interp
