#include "interp/diag/render.h"
#include "interp/diag/source_text.h"

namespace ascemu::interp {
namespace {

// A JSON string literal; bytes that are no UTF-8 become U+FFFD, so the line is always valid JSON.
std::string quoted(std::string_view text) {
  static constexpr std::string_view kHex = "0123456789abcdef";
  std::string out = "\"";
  for (std::size_t at = 0; at < text.size();) {
    const char32_t c = next_code_point(text, at);
    if (c == '"' || c == '\\') {
      out += '\\';
      out += static_cast<char>(c);
    } else if (c == '\n') {
      out += "\\n";
    } else if (c == '\t') {
      out += "\\t";
    } else if (c < 0x20 || c == 0x7F) {
      out += "\\u00";
      out += kHex[(c >> 4) & 0xF];
      out += kHex[c & 0xF];
    } else {
      append_utf8(out, c);
    }
  }
  return out + '"';
}

std::string quoted_or_null(std::string_view text) { return text.empty() ? "null" : quoted(text); }

std::string quoted_list(const std::vector<std::string>& items) {
  std::string out = "[";
  for (const std::string& item : items) {
    if (out.size() > 1) out += ',';
    out += quoted(item);
  }
  return out + ']';
}

std::string place_fields(const SourceTable& sources, SpanId span) {
  const auto place = find_place(sources, span);
  if (!place) return R"("file":null,"line":null,"column":null)";
  return "\"file\":" + quoted(place->path) + ",\"line\":" + std::to_string(place->line) +
         ",\"column\":" + std::to_string(place->column);
}

std::string label_list(const std::vector<Label>& labels, const SourceTable& sources) {
  std::string out = "[";
  for (const Label& label : labels) {
    if (out.size() > 1) out += ',';
    out += '{' + place_fields(sources, label.span) + ",\"text\":" + quoted(label.text) + '}';
  }
  return out + ']';
}

}  // namespace

std::string render_json(const Diagnostic& diagnostic, const SourceTable& sources) {
  const std::string block = diagnostic.block < 0 ? "null" : std::to_string(diagnostic.block);
  std::string out = "{\"kind\":" + quoted(diag_kind_name(diagnostic.kind));
  out += ",\"code\":" + quoted(code_row(diagnostic.code).slug);
  out += ",\"check\":" + quoted_or_null(diagnostic.check);
  out += ",\"severity\":" + quoted(severity_name(diagnostic.severity));
  out += ",\"message\":" + quoted(diagnostic.message);
  out += ',' + place_fields(sources, diagnostic.span);
  out += ",\"block\":" + block;
  out += ",\"notes\":" + quoted_list(diagnostic.notes);
  out += ",\"help\":" + quoted(diagnostic.help);
  out += ",\"exception\":" + quoted(exception_name(diagnostic.exception));
  out += ",\"labels\":" + label_list(diagnostic.labels, sources);
  out += ",\"loops\":" + quoted_list(diagnostic.loops);
  return out + '}';
}

}  // namespace ascemu::interp
