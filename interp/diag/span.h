// Source positions: spans are indices into a table that the Program owns.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace ascemu::interp {

using SpanId = std::uint32_t;
inline constexpr SpanId kNoSpan = UINT32_MAX;

struct Span {
  std::uint32_t source = 0;  // index into SourceTable::files
  std::int32_t line = 0;     // 1-based; end inclusive
  std::int32_t column = 0;   // 0-based UTF-8 byte offset as in Python's ast (col_offset)
  std::int32_t end_line = 0;
  std::int32_t end_column = 0;
  SpanId call_site = kNoSpan;  // where the jit function holding this span was called from
};

struct SourceFile {
  std::string path;
  std::string text;  // the text whose first line is number `first_line` of the file
  std::int32_t first_line = 1;
};

struct SourceTable {
  std::vector<SourceFile> files;
  std::vector<Span> spans;
};

}  // namespace ascemu::interp
