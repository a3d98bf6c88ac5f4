#include "interp/diag/check_levels.h"

#include <algorithm>

namespace ascemu::interp {
namespace {

constexpr CheckRow kChecks[] = {
#define ASCEMU_CHECK(name, slug, level, summary) {CheckId::name, slug, CheckLevel::level, summary},
#define ASCEMU_INFERRED(code)
#define ASCEMU_ON_REQUEST(code)
#include "interp/diag/checks.def"
#undef ASCEMU_CHECK
#undef ASCEMU_INFERRED
#undef ASCEMU_ON_REQUEST
};
static_assert(std::size(kChecks) == kCheckCount);

// Ends with a code that exists, so that the table may be empty.
constexpr Code kInferred[] = {
#define ASCEMU_CHECK(name, slug, level, summary)
#define ASCEMU_INFERRED(code) Code::code,
#define ASCEMU_ON_REQUEST(code)
#include "interp/diag/checks.def"
#undef ASCEMU_CHECK
#undef ASCEMU_INFERRED
#undef ASCEMU_ON_REQUEST
    Code::internal_error,
};

constexpr Code kOnRequest[] = {
#define ASCEMU_CHECK(name, slug, level, summary)
#define ASCEMU_INFERRED(code)
#define ASCEMU_ON_REQUEST(code) Code::code,
#include "interp/diag/checks.def"
#undef ASCEMU_CHECK
#undef ASCEMU_INFERRED
#undef ASCEMU_ON_REQUEST
};

}  // namespace

std::span<const CheckRow> check_table() { return kChecks; }

std::optional<CheckId> check_from_slug(std::string_view slug) {
  for (const CheckRow& row : kChecks) {
    if (row.slug == slug) return row.id;
  }
  return std::nullopt;
}

std::optional<CheckId> check_of(Code code) { return check_from_slug(code_row(code).check); }

bool is_inferred(Code code) {
  return code != Code::internal_error && std::ranges::find(kInferred, code) != std::end(kInferred);
}

bool is_on_request(Code code) {
  return std::ranges::find(kOnRequest, code) != std::end(kOnRequest);
}

CheckLevels::CheckLevels() {
  for (const CheckRow& row : kChecks) levels_[static_cast<std::size_t>(row.id)] = row.default_level;
}

void CheckLevels::set(CheckId check, CheckLevel level) {
  levels_[static_cast<std::size_t>(check)] = level;
  is_chosen_[static_cast<std::size_t>(check)] = true;
}

CheckLevel CheckLevels::of(Code code) const {
  const std::optional<CheckId> check = check_of(code);
  if (!check) return CheckLevel::error;
  const CheckLevel level = of(*check);
  const bool is_chosen = is_chosen_[static_cast<std::size_t>(*check)];
  if (!is_chosen && is_on_request(code)) return CheckLevel::off;
  return level == CheckLevel::error && !is_chosen && is_inferred(code) ? CheckLevel::warn : level;
}

std::optional<Severity> CheckLevels::severity_of(Code code) const {
  switch (of(code)) {
    case CheckLevel::off:
      return std::nullopt;
    case CheckLevel::warn:
      return Severity::warning;
    default:
      return Severity::error;
  }
}

}  // namespace ascemu::interp
