#include "bindings/python_errors.h"

#include <string>

#include "bindings/python_values.h"

namespace ascemu::bindings {

namespace py = pybind11;
using interp::Code;
using interp::ExceptionKind;

namespace {

// The builtin class, or null for those of ascemu.errors.
PyObject* builtin_class(ExceptionKind kind) {
  switch (kind) {
    case ExceptionKind::type_error:
      return PyExc_TypeError;
    case ExceptionKind::value_error:
      return PyExc_ValueError;
    case ExceptionKind::runtime_error:
      return PyExc_RuntimeError;
    case ExceptionKind::not_implemented_error:
      return PyExc_NotImplementedError;
    case ExceptionKind::attribute_error:
      return PyExc_AttributeError;
    case ExceptionKind::index_error:
      return PyExc_IndexError;
    case ExceptionKind::name_error:
      return PyExc_NameError;
    case ExceptionKind::overflow_error:
      return PyExc_OverflowError;
    case ExceptionKind::assertion_error:
      return PyExc_AssertionError;
    case ExceptionKind::kernel_error:
    case ExceptionKind::codegen_error:
    case ExceptionKind::unsupported_syntax_error:
    case ExceptionKind::binary_operand_type_error:
    case ExceptionKind::offsets_error:
      return nullptr;
  }
  return PyExc_RuntimeError;
}

}  // namespace

py::object exception_class(ExceptionKind kind) {
  if (PyObject* builtin = builtin_class(kind)) {
    return py::reinterpret_borrow<py::object>(builtin);
  }
  return py::module_::import("ascemu.errors").attr(to_str(interp::exception_name(kind)));
}

py::object make_exception(const interp::Fault& fault) {
  py::object exception = exception_class(fault.exception)(fault.message);
  py::list notes;
  for (const std::string& note : fault.notes) {
    notes.append(note);
  }
  exception.attr("ascemu_code") = std::string(interp::code_row(fault.code).slug);
  exception.attr("ascemu_notes") = notes;
  exception.attr("ascemu_help") = fault.help;
  return exception;
}

void raise_exception(const py::object& exception) {
  PyErr_SetObject(py::type::handle_of(exception).ptr(), exception.ptr());
  throw py::error_already_set();
}

void raise_fault(const interp::Fault& fault) { raise_exception(make_exception(fault)); }

Code to_code(const std::string& slug) {
  const auto code = interp::code_from_slug(slug);
  if (!code) {
    throw py::value_error("unknown diagnostic code '" + slug + "'");
  }
  return *code;
}

ExceptionKind exception_from_name(const std::string& name, ExceptionKind otherwise) {
  if (name.empty()) {
    return otherwise;
  }
  for (int index = 0; index <= static_cast<int>(ExceptionKind::offsets_error); ++index) {
    const auto kind = static_cast<ExceptionKind>(index);
    if (interp::exception_name(kind) == name) {
      return kind;
    }
  }
  throw py::value_error("unknown exception class '" + name + "'");
}

}  // namespace ascemu::bindings
