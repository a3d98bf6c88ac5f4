#include <array>
#include <string>

#include "interp/diag/diagnostic.h"

namespace ascemu::interp {
namespace {

constexpr CodeRow make_row(Code code, std::string_view slug, DiagKind kind, std::string_view check,
                           ExceptionKind exception, std::string_view help) {
  return {code, slug, kind, check, exception, help};
}

constexpr CodeRow kRows[] = {
#define ASCEMU_CODE(name, slug, kind, check, exception, help) \
  make_row(Code::name, slug, DiagKind::kind, check, ExceptionKind::exception, help),
#include "interp/diag/codes.def"
#undef ASCEMU_CODE
};

}  // namespace

std::span<const CodeRow> code_table() { return kRows; }

const CodeRow& code_row(Code code) { return kRows[static_cast<std::size_t>(code)]; }

std::optional<Code> code_from_slug(std::string_view slug) {
  for (const CodeRow& row : kRows) {
    if (row.slug == slug) return row.code;
  }
  return std::nullopt;
}

std::string_view diag_kind_name(DiagKind kind) {
  constexpr std::array<std::string_view, 5> kNames{"unsupported", "invalid", "trap", "exhaustion",
                                                   "internal"};
  return kNames[static_cast<std::size_t>(kind)];
}

std::string_view severity_name(Severity severity) {
  return severity == Severity::error ? "error" : "warning";
}

std::string_view exception_name(ExceptionKind exception) {
  constexpr std::array<std::string_view, 14> kNames{
      "KernelError",   "CodegenError",        "UnsupportedSyntaxError", "TypeError",   "ValueError",
      "RuntimeError",  "NotImplementedError", "AttributeError",         "IndexError",  "NameError",
      "OverflowError", "AssertionError",      "BinaryOperandTypeError", "OffsetsError"};
  return kNames[static_cast<std::size_t>(exception)];
}

Fault make_fault(Code code, std::string message, std::vector<std::string> notes, std::string help) {
  return {code, std::move(message), std::move(notes), std::move(help), code_row(code).exception};
}

Fault make_fault(Code code, ExceptionKind exception, std::string message, std::string help) {
  return {code, std::move(message), {}, std::move(help), exception};
}

Diagnostic locate(Fault fault, SpanId span) {
  const CodeRow& row = code_row(fault.code);
  Diagnostic diagnostic;
  diagnostic.code = fault.code;
  diagnostic.kind = row.kind;
  diagnostic.exception = fault.exception;
  diagnostic.check = std::string(row.check);
  diagnostic.message = std::move(fault.message);
  diagnostic.span = span;
  diagnostic.notes = std::move(fault.notes);
  diagnostic.help = fault.help.empty() ? std::string(row.help) : std::move(fault.help);
  return diagnostic;
}

}  // namespace ascemu::interp
