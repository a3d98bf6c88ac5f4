// ascemu._core.Diagnostic and make_diagnostic.
#include <pybind11/stl.h>

#include "bindings/python_errors.h"
#include "bindings/python_values.h"
#include "bindings/register.h"
#include "interp/diag/render.h"
#include "interp/diag/source_text.h"

namespace ascemu::bindings {

namespace py = pybind11;

namespace {

const interp::SourceTable& table_of(const PyDiagnostic& self) {
  static const interp::SourceTable kEmpty;
  return self.sources ? *self.sources : kEmpty;
}

const interp::Span* span_of(const PyDiagnostic& self) {
  return interp::find_span(table_of(self), self.diagnostic.span);
}

const interp::SourceFile* file_of(const PyDiagnostic& self) {
  const interp::Span* span = span_of(self);
  return span == nullptr ? nullptr : interp::find_file(table_of(self), *span);
}

// 1-based column in characters, where the text of the line is known.
std::int64_t character_column(const interp::SourceFile& file, const interp::Span& span) {
  const auto line = interp::line_text(file, span.line);
  return 1 + (line ? interp::count_characters(*line, span.column) : span.column);
}

py::object text_or_none(const std::string& text) {
  return text.empty() ? py::object(py::none()) : py::object(py::str(text));
}

interp::Severity to_severity(const std::string& severity) {
  if (severity != "error" && severity != "warning") {
    throw py::value_error("severity must be 'error' or 'warning', got '" + severity + "'");
  }
  return severity == "error" ? interp::Severity::error : interp::Severity::warning;
}

PyDiagnostic make_diagnostic(const std::string& code, const std::string& message,
                             const std::string& path, const std::string& text, int first_line,
                             int line, int column, int end_line, int end_column,
                             std::vector<std::string> notes, const std::string& help,
                             const std::string& severity, const std::string& exception) {
  auto sources = std::make_shared<interp::SourceTable>();
  interp::SpanId span = interp::kNoSpan;
  if (line > 0) {
    sources->files.push_back({path, text, first_line});
    sources->spans.push_back(
        {0, line, column, end_line > 0 ? end_line : line, end_column, interp::kNoSpan});
    span = 0;
  }
  interp::Diagnostic diagnostic =
      located_diagnostic(code, message, std::move(notes), help, severity, exception, span);
  return {std::move(diagnostic), std::move(sources)};
}

}  // namespace

interp::Diagnostic located_diagnostic(const std::string& code, const std::string& message,
                                      std::vector<std::string> notes, const std::string& help,
                                      const std::string& severity, const std::string& exception,
                                      interp::SpanId span) {
  interp::Fault fault = interp::make_fault(to_code(code), message, std::move(notes), help);
  fault.exception = exception_from_name(exception, fault.exception);
  interp::Diagnostic diagnostic = interp::locate(std::move(fault), span);
  diagnostic.severity = to_severity(severity);
  return diagnostic;
}

void register_diagnostic(py::module_& module) {
  py::class_<PyDiagnostic>(module, "Diagnostic")
      .def_property_readonly("kind",
                             [](const PyDiagnostic& self) {
                               return to_str(interp::diag_kind_name(self.diagnostic.kind));
                             })
      .def_property_readonly("code",
                             [](const PyDiagnostic& self) {
                               return std::string(interp::code_row(self.diagnostic.code).slug);
                             })
      .def_property_readonly(
          "check", [](const PyDiagnostic& self) { return text_or_none(self.diagnostic.check); })
      .def_property_readonly("severity",
                             [](const PyDiagnostic& self) {
                               return to_str(interp::severity_name(self.diagnostic.severity));
                             })
      .def_property_readonly("exception",
                             [](const PyDiagnostic& self) {
                               return to_str(interp::exception_name(self.diagnostic.exception));
                             })
      .def_property_readonly("message",
                             [](const PyDiagnostic& self) { return self.diagnostic.message; })
      .def_property_readonly("file",
                             [](const PyDiagnostic& self) -> py::object {
                               const interp::SourceFile* file = file_of(self);
                               return file == nullptr ? py::none() : text_or_none(file->path);
                             })
      .def_property_readonly("line",
                             [](const PyDiagnostic& self) -> py::object {
                               const interp::Span* span = span_of(self);
                               return span == nullptr ? py::object(py::none())
                                                      : py::object(py::int_(span->line));
                             })
      .def_property_readonly("column",
                             [](const PyDiagnostic& self) -> py::object {
                               const interp::SourceFile* file = file_of(self);
                               if (file == nullptr) {
                                 return py::none();
                               }
                               return py::int_(character_column(*file, *span_of(self)));
                             })
      .def_property_readonly("block",
                             [](const PyDiagnostic& self) -> py::object {
                               return self.diagnostic.block < 0
                                          ? py::object(py::none())
                                          : py::object(py::int_(self.diagnostic.block));
                             })
      .def_property_readonly("notes",
                             [](const PyDiagnostic& self) { return self.diagnostic.notes; })
      .def_property_readonly("help", [](const PyDiagnostic& self) { return self.diagnostic.help; })
      .def(
          "with_severity",
          [](const PyDiagnostic& self, const std::string& severity) {
            PyDiagnostic changed = self;
            changed.diagnostic.severity = to_severity(severity);
            return changed;
          },
          py::arg("severity"))
      .def(
          "render",
          [](const PyDiagnostic& self, bool colour) {
            return interp::render_text(self.diagnostic, table_of(self), {.colour = colour});
          },
          py::arg("colour") = false)
      .def("to_json",
           [](const PyDiagnostic& self) {
             return interp::render_json(self.diagnostic, table_of(self));
           })
      .def("__str__",
           [](const PyDiagnostic& self) {
             return interp::render_text(self.diagnostic, table_of(self));
           })
      .def("__repr__", [](const PyDiagnostic& self) {
        return "<Diagnostic " + std::string(interp::code_row(self.diagnostic.code).slug) + ": " +
               self.diagnostic.message + ">";
      });
  module.def("make_diagnostic", &make_diagnostic, py::arg("code"), py::arg("message"),
             py::arg("path") = "", py::arg("text") = "", py::arg("first_line") = 1,
             py::arg("line") = 0, py::arg("column") = 0, py::arg("end_line") = 0,
             py::arg("end_column") = 0, py::arg("notes") = std::vector<std::string>{},
             py::arg("help") = "", py::arg("severity") = "error", py::arg("exception") = "");
}

}  // namespace ascemu::bindings
