// The only renderer of diagnostics: text with source excerpt and caret, or one JSON object per finding.
#pragma once

#include <string>

#include "interp/diag/diagnostic.h"

namespace ascemu::interp {

struct RenderOptions {
  bool colour = false;
};

// Ends without a newline. Works with missing sources and spans.
std::string render_text(const Diagnostic& diagnostic, const SourceTable& sources, const RenderOptions& options = {});
// One line: {"kind","code","check","severity","message","file","line","column","block","notes","help","exception","labels","loops"}.
std::string render_json(const Diagnostic& diagnostic, const SourceTable& sources);

}  // namespace ascemu::interp
