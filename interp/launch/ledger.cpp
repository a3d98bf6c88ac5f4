#include "interp/launch/ledger.h"

#include <algorithm>
#include <iterator>

namespace ascemu::interp {

void Ledger::add(std::int64_t block, std::vector<Diagnostic> findings, std::size_t dropped,
                 std::string printed) {
  if (findings.empty() && dropped == 0 && printed.empty()) return;
  const std::lock_guard lock(mutex_);
  dropped_ += dropped;
  if (!printed.empty()) printed_[block] += printed;
  for (std::size_t i = 0; i < findings.size(); ++i) keep({block, i}, std::move(findings[i]));
}

void Ledger::add_afterwards(std::vector<Diagnostic> findings) {
  const std::lock_guard lock(mutex_);
  for (Diagnostic& finding : findings) {
    const Key key{finding.block, SIZE_MAX / 2 + afterwards_++};
    keep(key, std::move(finding));
  }
}

void Ledger::keep(const Key& key, Diagnostic diagnostic) {
  const bool is_once = diagnostic.check == "portability" || diagnostic.check == "numeric";
  if (is_once && !is_first_of_place(key, diagnostic)) return;
  Findings& findings = diagnostic.severity == Severity::error ? errors_ : warnings_;
  findings.insert_or_assign(key, std::move(diagnostic));
  prune(findings);
}

// Also forgets the finding of a higher block at the same place.
bool Ledger::is_first_of_place(const Key& key, const Diagnostic& diagnostic) {
  const auto [found, is_new] = once_.try_emplace({diagnostic.code, diagnostic.span}, key);
  if (is_new) return true;
  if (found->second < key) return false;
  errors_.erase(found->second);
  warnings_.erase(found->second);
  found->second = key;
  return true;
}

void Ledger::prune(Findings& findings) {
  const std::size_t kept = std::max<std::size_t>(limit_, 1);
  while (findings.size() > kept) {
    findings.erase(std::prev(findings.end()));
    ++dropped_;
  }
}

void Ledger::finish(LaunchResult& result) {
  const std::lock_guard lock(mutex_);
  std::optional<Key> first_error;
  if (!errors_.empty()) first_error = errors_.begin()->first;
  Findings all = std::move(errors_);
  all.merge(warnings_);
  std::size_t room = std::max<std::size_t>(limit_, first_error ? 1 : 0);
  bool is_error_due = first_error.has_value();
  for (auto& [key, diagnostic] : all) {
    const bool is_it = is_error_due && key == *first_error;
    if (room > (is_error_due && !is_it ? 1U : 0U)) {
      result.findings.push_back(std::move(diagnostic));
      --room;
      if (is_it) is_error_due = false;
    } else {
      ++dropped_;
    }
  }
  result.findings_dropped = dropped_;
  for (auto& [block, text] : printed_) result.printed += text;
}

}  // namespace ascemu::interp
