// Lines of a source text and their UTF-8: what the renderer shows of a program.
//
// What it is: finding a line, cutting it at byte columns, making any bytes printable. What it is
// not: layout of a diagnostic (render_text.cpp). Invariant: every function accepts any bytes and
// any numbers, and returns valid UTF-8.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "interp/diag/span.h"

namespace ascemu::interp {

// One code point of `text` at `position` (which advances); U+FFFD for a byte that starts none.
char32_t next_code_point(std::string_view text, std::size_t& position);
void append_utf8(std::string& out, char32_t code_point);

// The bytes of a line without its end; nothing when the file does not hold it.
std::optional<std::string_view> line_text(const SourceFile& file, std::int64_t line);
// Number of characters among the first `byte_column` bytes.
std::int64_t count_characters(std::string_view line, std::int64_t byte_column);
// Valid UTF-8 without control characters (tabs stay).
std::string printable(std::string_view text);
// White space as wide as the first `byte_column` bytes of the line: tabs stay tabs.
std::string blank_prefix(std::string_view line, std::int64_t byte_column);
// Columns that the bytes [from, to) of the line take on a terminal.
std::int64_t display_width(std::string_view line, std::int64_t from, std::int64_t to);

// The span and its file, or null when either index is out of range.
const Span* find_span(const SourceTable& sources, SpanId id);
const SourceFile* find_file(const SourceTable& sources, const Span& span);

}  // namespace ascemu::interp
