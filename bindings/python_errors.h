// Faults of the builder as Python exceptions.
//
// What it is: the one place that maps ExceptionKind to Python classes. What it is not: rendering;
// str(exception) is the bare message here, the front end attaches the rendered Diagnostic.
// Invariant: every exception raised here carries ascemu_code, ascemu_notes and ascemu_help.
#pragma once

#include <pybind11/pybind11.h>

#include <string>
#include <utility>
#include <vector>

#include "interp/diag/result.h"

namespace ascemu::bindings {

// The Python class: a builtin, or one of ascemu.errors (imported when first needed).
pybind11::object exception_class(interp::ExceptionKind kind);
[[noreturn]] void raise_fault(const interp::Fault& fault);
[[noreturn]] void raise_exception(const pybind11::object& exception);
pybind11::object make_exception(const interp::Fault& fault);
interp::Code to_code(const std::string& slug);  // ValueError when unknown
// "" is kept as the code's own exception; ValueError when the name is unknown.
interp::ExceptionKind exception_from_name(const std::string& name, interp::ExceptionKind otherwise);

// A Diagnostic from Python's words: code slug, severity "error" or "warning", exception class name
// or
// "". ValueError for an unknown word.
interp::Diagnostic located_diagnostic(const std::string& code, const std::string& message,
                                      std::vector<std::string> notes, const std::string& help,
                                      const std::string& severity, const std::string& exception,
                                      interp::SpanId span);

template <class T>
T take(interp::Result<T> result) {
  if (!result.ok()) {
    raise_fault(result.fault());
  }
  return std::move(*result);
}
inline void expect_ok(const interp::Status& status) {
  if (!status.ok()) {
    raise_fault(status.fault());
  }
}

}  // namespace ascemu::bindings
