// The one diagnostic type of ascemu, and the position-free Fault it grows from.
//
// What it is: values. Low layers (type rules, memory) return a Fault that knows nothing of
// positions; the builder or the walker, which knows where it is, turns it into a Diagnostic once.
// What it is not: text; render.h is the only renderer. Invariant: every `code` is a row of
// codes.def.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "interp/diag/span.h"

namespace ascemu::interp {

// The five kinds of architecture decision 12.
enum class DiagKind : std::uint8_t { unsupported, invalid, trap, exhaustion, internal };
enum class Severity : std::uint8_t { error, warning };

// The Python exception class that a refused launch raises (spec asc2 names them); kernel_error is
// ours.
enum class ExceptionKind : std::uint8_t {
  kernel_error,
  codegen_error,
  unsupported_syntax_error,
  type_error,
  value_error,
  runtime_error,
  not_implemented_error,
  attribute_error,
  index_error,
  name_error,
  overflow_error,
  assertion_error,
  binary_operand_type_error,  // a TypeError
  offsets_error,              // both ValueError and RuntimeError
};

enum class Code : std::uint16_t {
#define ASCEMU_CODE(name, slug, kind, check, exception, help) name,
#include "interp/diag/codes.def"
#undef ASCEMU_CODE
};

struct CodeRow {
  Code code;
  std::string_view slug;  // "read-out-of-bounds"
  DiagKind kind;
  std::string_view check;  // "" when the code belongs to no check
  ExceptionKind exception;
  std::string_view help;  // default help: whose fault it is and what to do
};

std::span<const CodeRow> code_table();
const CodeRow& code_row(Code code);
std::optional<Code> code_from_slug(std::string_view slug);

std::string_view diag_kind_name(DiagKind kind);            // "trap"
std::string_view severity_name(Severity severity);         // "warning"
std::string_view exception_name(ExceptionKind exception);  // "TypeError"

struct Fault {
  Code code;
  std::string message;             // one sentence, names the value
  std::vector<std::string> notes;  // "key: value" lines (tensor, shape, address range, ...)
  std::string help;                // empty: the code's default help
  ExceptionKind exception;         // defaults to the code's row
};

Fault make_fault(Code code, std::string message, std::vector<std::string> notes = {},
                 std::string help = {});
Fault make_fault(Code code, ExceptionKind exception, std::string message, std::string help = {});

struct Label {
  SpanId span = kNoSpan;
  std::string text;
};

struct Diagnostic {
  Code code;
  DiagKind kind;
  Severity severity = Severity::error;
  ExceptionKind exception;
  std::string check;  // "" for none
  std::string message;
  SpanId span = kNoSpan;
  std::vector<Label> labels;  // related places ("allocated here")
  std::vector<std::string> notes;
  std::string help;
  std::int64_t block = -1;  // -1: not tied to a block
  std::int64_t block_count = 0;
  std::vector<std::string> loops;  // "i = 3 of range(0, 8, 1) at line 12"
};

Diagnostic locate(Fault fault, SpanId span);

}  // namespace ascemu::interp
