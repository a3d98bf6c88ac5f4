// The only renderer of diagnostics: text with source excerpt and caret, or one JSON object per
// finding.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "interp/diag/diagnostic.h"

namespace ascemu::interp {

struct RenderOptions {
  bool colour = false;
};

// Where a span starts, for people: column counts characters from 1.
struct Place {
  std::string path;
  std::int64_t line = 0;
  std::int64_t column = 0;
};
// Nothing when the span or its source is missing.
std::optional<Place> find_place(const SourceTable& sources, SpanId span);

// Ends without a newline. Works with missing sources and spans.
std::string render_text(const Diagnostic& diagnostic, const SourceTable& sources,
                        const RenderOptions& options = {});
// One line:
// {"kind","code","check","severity","message","file","line","column","block","notes","help","exception","labels","loops"}.
std::string render_json(const Diagnostic& diagnostic, const SourceTable& sources);

}  // namespace ascemu::interp
