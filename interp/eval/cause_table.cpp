#include "interp/eval/cause_table.h"

#include <algorithm>
#include <utility>

namespace ascemu::interp {

CauseId CauseTable::add(const Stmt* stmt, Code code, std::string text) {
  const auto found = std::ranges::find_if(
      causes_, [&](const Cause& cause) { return cause.stmt == stmt && cause.code == code; });
  if (found != causes_.end()) {
    if (!found->is_told) found->text = std::move(text);
    return static_cast<CauseId>(found - causes_.begin() + 1);
  }
  if (causes_.size() < kMostCauses) causes_.push_back({stmt, code, std::move(text), false});
  return static_cast<CauseId>(causes_.size());
}

void UndefinedUse::see(const CauseId* causes, std::int64_t count, std::int64_t position) {
  for (std::int64_t i = 0; i < count; ++i) {
    const CauseId id = causes[i];
    if (id == 0 || table_.is_told(id)) continue;
    if (cause_ == 0) {
      cause_ = id;
      first_ = position + i;
    }
    if (id != cause_) continue;
    last_ = position + i;
    ++count_;
  }
}

}  // namespace ascemu::interp
