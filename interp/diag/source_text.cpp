#include "interp/diag/source_text.h"

#include <algorithm>

namespace ascemu::interp {
namespace {

constexpr char32_t kReplacement = 0xFFFD;

// Bytes of the sequence that `lead` starts (0: none) and the payload bits of the lead.
struct LeadByte {
  int length;
  char32_t payload;
  char32_t smallest;
};

LeadByte read_lead(unsigned char lead) {
  if (lead < 0x80) return {1, lead, 0};
  if ((lead & 0xE0U) == 0xC0U) return {2, lead & 0x1FU, 0x80};
  if ((lead & 0xF0U) == 0xE0U) return {3, lead & 0x0FU, 0x800};
  if ((lead & 0xF8U) == 0xF0U) return {4, lead & 0x07U, 0x10000};
  return {0, 0, 0};
}

bool is_control(char32_t c) { return (c < 0x20 && c != '\t') || (c >= 0x7F && c < 0xA0); }

// Terminal columns of a code point: East Asian wide blocks take two, combining marks none.
int code_point_width(char32_t c) {
  const bool combining = c >= 0x300 && c < 0x370;
  if (combining) return 0;
  const bool wide = (c >= 0x1100 && c < 0x1160) || (c >= 0x2E80 && c < 0xA4D0) ||
                    (c >= 0xAC00 && c < 0xD7A4) || (c >= 0xF900 && c < 0xFB00) ||
                    (c >= 0xFE30 && c < 0xFE70) || (c >= 0xFF00 && c < 0xFF61) ||
                    (c >= 0x1F300 && c < 0x1F650) || (c >= 0x20000 && c < 0x40000);
  return wide ? 2 : 1;
}

std::size_t clamp_column(std::string_view line, std::int64_t column) {
  return static_cast<std::size_t>(
      std::clamp<std::int64_t>(column, 0, static_cast<std::int64_t>(line.size())));
}

}  // namespace

char32_t next_code_point(std::string_view text, std::size_t& position) {
  const auto byte_at = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  const LeadByte lead = read_lead(byte_at(position));
  const std::size_t start = position++;
  if (lead.length == 0 || start + static_cast<std::size_t>(lead.length) > text.size()) {
    return kReplacement;
  }
  char32_t result = lead.payload;
  for (int i = 1; i < lead.length; ++i) {
    const unsigned char next = byte_at(start + static_cast<std::size_t>(i));
    if ((next & 0xC0U) != 0x80U) return kReplacement;
    result = (result << 6) | (next & 0x3FU);
  }
  const bool surrogate = result >= 0xD800 && result < 0xE000;
  if (result < lead.smallest || result > 0x10FFFF || surrogate) return kReplacement;
  position = start + static_cast<std::size_t>(lead.length);
  return result;
}

void append_utf8(std::string& out, char32_t c) {
  const auto put = [&](char32_t byte) { out += static_cast<char>(byte); };
  if (c < 0x80) {
    put(c);
  } else if (c < 0x800) {
    put(0xC0 | (c >> 6));
    put(0x80 | (c & 0x3F));
  } else if (c < 0x10000) {
    put(0xE0 | (c >> 12));
    put(0x80 | ((c >> 6) & 0x3F));
    put(0x80 | (c & 0x3F));
  } else {
    put(0xF0 | (c >> 18));
    put(0x80 | ((c >> 12) & 0x3F));
    put(0x80 | ((c >> 6) & 0x3F));
    put(0x80 | (c & 0x3F));
  }
}

std::optional<std::string_view> line_text(const SourceFile& file, std::int64_t line) {
  std::int64_t skip = line - file.first_line;
  if (skip < 0) return std::nullopt;
  std::string_view rest = file.text;
  for (; skip > 0; --skip) {
    const std::size_t end = rest.find('\n');
    if (end == std::string_view::npos) return std::nullopt;
    rest.remove_prefix(end + 1);
  }
  rest = rest.substr(0, rest.find('\n'));
  if (!rest.empty() && rest.back() == '\r') rest.remove_suffix(1);
  return rest;
}

std::int64_t count_characters(std::string_view line, std::int64_t byte_column) {
  const std::string_view prefix = line.substr(0, clamp_column(line, byte_column));
  std::int64_t count = 0;
  for (std::size_t at = 0; at < prefix.size(); ++count) next_code_point(prefix, at);
  return count;
}

std::string printable(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  for (std::size_t at = 0; at < text.size();) {
    const char32_t c = next_code_point(text, at);
    append_utf8(out, is_control(c) ? kReplacement : c);
  }
  return out;
}

std::string blank_prefix(std::string_view line, std::int64_t byte_column) {
  const std::string_view prefix = line.substr(0, clamp_column(line, byte_column));
  std::string out;
  for (std::size_t at = 0; at < prefix.size();) {
    const char32_t c = next_code_point(prefix, at);
    if (c == '\t') {
      out += '\t';
    } else {
      out.append(static_cast<std::size_t>(code_point_width(c)), ' ');
    }
  }
  return out;
}

std::int64_t display_width(std::string_view line, std::int64_t from, std::int64_t to) {
  const std::size_t first = clamp_column(line, from);
  const std::size_t last = std::max(clamp_column(line, to), first);
  const std::string_view part = line.substr(first, last - first);
  std::int64_t width = 0;
  for (std::size_t at = 0; at < part.size();) width += code_point_width(next_code_point(part, at));
  return width;
}

const Span* find_span(const SourceTable& sources, SpanId id) {
  return id < sources.spans.size() ? &sources.spans[id] : nullptr;
}

const SourceFile* find_file(const SourceTable& sources, const Span& span) {
  return span.source < sources.files.size() ? &sources.files[span.source] : nullptr;
}

}  // namespace ascemu::interp
