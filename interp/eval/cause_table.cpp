#include "interp/eval/cause_table.h"

#include <utility>

namespace ascemu::interp {

CauseId CauseTable::append(Cause cause) {
  if (causes_.size() >= kMostCauses) return static_cast<CauseId>(causes_.size());
  const auto id = static_cast<CauseId>(causes_.size() + 1);
  if (cause.root == 0) cause.root = id;
  causes_.push_back(std::move(cause));
  return id;
}

CauseId CauseTable::add(const Stmt* stmt, Code code, std::string text) {
  for (std::size_t i = 0; i < causes_.size(); ++i) {
    Cause& cause = causes_[i];
    if (cause.stmt != stmt || cause.mixed_at != nullptr) continue;
    if (!cause.is_told) cause.text = std::move(text);
    return static_cast<CauseId>(i + 1);
  }
  return append({stmt, code, std::move(text), nullptr, 0, false});
}

CauseId CauseTable::mixed(CauseId id, const Stmt* at_stmt) {
  const Cause cause = at(id);
  if (cause.mixed_at != nullptr) return id;
  for (std::size_t i = 0; i < causes_.size(); ++i) {
    if (causes_[i].root == id && causes_[i].mixed_at == at_stmt) return static_cast<CauseId>(i + 1);
  }
  return append({cause.stmt, cause.code, {}, at_stmt, id, false});
}

void UndefinedUse::see(const CauseId* causes, std::int64_t count, std::int64_t position) {
  for (std::int64_t i = 0; i < count; ++i) {
    const CauseId id = causes[i];
    if (id == 0 || table_.is_told(id)) continue;
    if (cause_ == 0) {
      cause_ = id;
      first_ = position + i;
    }
    if (table_.at(id).root != table_.at(cause_).root) continue;
    last_ = position + i;
    ++count_;
  }
}

}  // namespace ascemu::interp
