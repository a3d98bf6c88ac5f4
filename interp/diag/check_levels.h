// The checks and the level each code of theirs is reported at.
//
// What it is: the table of checks.def and the user's choice over it. What it is not: the checks
// themselves (interp/checks). Invariant: a code without a check is always an error; a code that
// rests on inference is a warning where its check has the default level, and one on request is off.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include "interp/diag/diagnostic.h"

namespace ascemu::interp {

enum class CheckLevel : std::uint8_t { off, warn, error };

enum class CheckId : std::uint8_t {
#define ASCEMU_CHECK(name, slug, level, summary) name,
#define ASCEMU_INFERRED(code)
#define ASCEMU_ON_REQUEST(code)
#include "interp/diag/checks.def"
#undef ASCEMU_CHECK
#undef ASCEMU_INFERRED
#undef ASCEMU_ON_REQUEST
};

struct CheckRow {
  CheckId id;
  std::string_view slug;
  CheckLevel default_level;
  std::string_view summary;
};

std::span<const CheckRow> check_table();
inline constexpr std::size_t kCheckCount = 9;
std::optional<CheckId> check_from_slug(std::string_view slug);
// The check a code belongs to, by its row of codes.def.
std::optional<CheckId> check_of(Code code);
bool is_inferred(Code code);
bool is_on_request(Code code);

class CheckLevels {
 public:
  CheckLevels();

  void set(CheckId check, CheckLevel level);
  CheckLevel of(CheckId check) const { return levels_[static_cast<std::size_t>(check)]; }
  CheckLevel of(Code code) const;
  // How a finding of the code is told; nothing where it is off.
  std::optional<Severity> severity_of(Code code) const;
  // Some code of the check is reported: its observer has work to do.
  bool is_on(CheckId check) const { return of(check) != CheckLevel::off; }

 private:
  std::array<CheckLevel, kCheckCount> levels_;
  std::array<bool, kCheckCount> is_chosen_{};
};

}  // namespace ascemu::interp
