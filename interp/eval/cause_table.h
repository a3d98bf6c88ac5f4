// Why elements are undefined: the statements of one block that left them so.
//
// What it is: the meaning of a CauseId, and which causes have been told. What it is not: the
// elements (value/causes.h), or reports (eval_undefined.cpp). Invariants: ids count from 1; a
// statement has one cause a code; a cause that was told is not told again.
#pragma once

#include <string>
#include <vector>

#include "interp/diag/diagnostic.h"
#include "interp/value/causes.h"

namespace ascemu::interp {

struct Stmt;

struct Cause {
  const Stmt* stmt = nullptr;  // left the elements undefined
  Code code = Code::undefined_tail;
  std::string text;  // for a label at the statement
  bool is_told = false;
};

class CauseTable {
 public:
  void clear() { causes_.clear(); }
  // The statement's cause of that code; the text is that of its last run before it is told.
  CauseId add(const Stmt* stmt, Code code, std::string text);
  const Cause& at(CauseId id) const { return causes_[id - 1U]; }
  bool is_told(CauseId id) const { return at(id).is_told; }
  void tell(CauseId id) { causes_[id - 1U].is_told = true; }

 private:
  static constexpr std::size_t kMostCauses = 32000;  // further ones count as the last

  std::vector<Cause> causes_;
};

// Undefined elements of one cause among those that something uses.
class UndefinedUse {
 public:
  explicit UndefinedUse(const CauseTable& table) : table_(table) {}

  // `count` elements in a row; `position` is that of the first one, for the report.
  void see(const CauseId* causes, std::int64_t count, std::int64_t position);

  CauseId cause() const { return cause_; }  // 0: nothing to report
  std::int64_t count() const { return count_; }
  std::int64_t first() const { return first_; }
  std::int64_t last() const { return last_; }

 private:
  const CauseTable& table_;
  CauseId cause_ = 0;
  std::int64_t count_ = 0;
  std::int64_t first_ = 0;
  std::int64_t last_ = 0;
};

}  // namespace ascemu::interp
