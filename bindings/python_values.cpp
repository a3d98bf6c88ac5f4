#include "bindings/python_values.h"

#include "bindings/python_errors.h"

namespace ascemu::bindings {

namespace py = pybind11;

namespace {

std::string class_name(py::handle object) {
  return py::str(py::type::handle_of(object).attr("__name__"));
}

std::int64_t to_int(py::handle object) {
  int overflow = 0;
  const long long value = PyLong_AsLongLongAndOverflow(object.ptr(), &overflow);
  if (overflow != 0) {
    raise_fault(
        interp::make_fault(interp::Code::bad_argument_value, interp::ExceptionKind::overflow_error,
                           "the integer " + std::string(py::str(object)) +
                               " does not fit in 64 bits; kernels compute with int64 at most"));
  }
  if (value == -1 && PyErr_Occurred() != nullptr) {
    throw py::error_already_set();
  }
  return value;
}

[[noreturn]] void refuse_name(const char* what, const std::string& name) {
  throw py::value_error(std::string("unknown ") + what + " '" + name + "'");
}

py::sequence to_sequence(py::handle object) {
  if (!PySequence_Check(object.ptr())) {
    throw py::type_error("a sequence is needed, got " + class_name(object));
  }
  return py::reinterpret_borrow<py::sequence>(object);
}

}  // namespace

interp::Literal to_literal(py::handle object) {
  if (PyBool_Check(object.ptr())) {
    return object.ptr() == Py_True;
  }
  if (PyLong_Check(object.ptr())) {
    return to_int(object);
  }
  if (PyFloat_Check(object.ptr())) {
    return PyFloat_AS_DOUBLE(object.ptr());
  }
  throw py::type_error("a kernel value or a Python number is needed, got " + class_name(object));
}

interp::Arg to_arg(py::handle object) {
  if (py::isinstance<PyValue>(object)) {
    return py::cast<const PyValue&>(object).value;
  }
  return to_literal(object);
}

std::optional<interp::Arg> to_optional_arg(py::handle object) {
  if (object.is_none()) {
    return std::nullopt;
  }
  return to_arg(object);
}

std::vector<interp::Arg> to_args(py::handle sequence) {
  std::vector<interp::Arg> args;
  for (const py::handle item : to_sequence(sequence)) {
    args.push_back(to_arg(item));
  }
  return args;
}

std::optional<std::vector<interp::Arg>> to_optional_args(py::handle sequence) {
  if (sequence.is_none()) {
    return std::nullopt;
  }
  return to_args(sequence);
}

std::vector<interp::Value> to_values(py::handle sequence) {
  std::vector<interp::Value> values;
  for (const py::handle item : to_sequence(sequence)) {
    values.push_back(py::cast<const PyValue&>(item).value);
  }
  return values;
}

std::optional<interp::Value> to_optional_value(py::handle object) {
  if (object.is_none()) {
    return std::nullopt;
  }
  return py::cast<const PyValue&>(object).value;
}

std::vector<std::int64_t> to_ints(py::handle sequence) {
  std::vector<std::int64_t> ints;
  for (const py::handle item : to_sequence(sequence)) {
    if (!PyLong_Check(item.ptr())) {
      throw py::type_error("an int is needed, got " + class_name(item));
    }
    ints.push_back(to_int(item));
  }
  return ints;
}

interp::Shape to_shape(py::handle sequence) {
  const std::vector<std::int64_t> dims = to_ints(sequence);
  if (dims.size() > static_cast<std::size_t>(refops::kMaxRank)) {
    raise_fault(interp::make_fault(interp::Code::bad_shape,
                                   "a tensor has at most " + std::to_string(refops::kMaxRank) +
                                       " dimensions, got " + std::to_string(dims.size()),
                                   {},
                                   "This is a limit of ascemu; merge dimensions with reshape."));
  }
  return interp::Shape(std::span<const std::int64_t>(dims));
}

interp::Dtype to_dtype(const std::string& name) {
  const auto dtype = refops::dtype_from_name(name);
  if (!dtype) {
    refuse_name("dtype", name);
  }
  return *dtype;
}

interp::Space to_space(const std::string& name) {
  const auto space = interp::space_from_name(name);
  if (!space) {
    refuse_name("tensor location", name);
  }
  return *space;
}

interp::OpId to_op(const std::string& name) {
  const auto op = refops::op_from_name(name);
  if (!op) {
    refuse_name("operation", name);
  }
  return *op;
}

interp::ScalarOp to_scalar_op(const std::string& name) {
  const auto op = refops::scalar_op_from_name(name);
  if (!op) {
    refuse_name("scalar operation", name);
  }
  return *op;
}

interp::RoundMode to_round_mode(int number) {
  const auto mode = refops::round_mode_from_number(number);
  if (!mode) {
    refuse_name("round mode", std::to_string(number));
  }
  return *mode;
}

namespace {

refops::NumericMode to_mode(const std::string& name) {
  if (name == "npu") {
    return refops::NumericMode::npu;
  }
  if (name == "ieee") {
    return refops::NumericMode::ieee;
  }
  if (name == "fp64") {
    return refops::NumericMode::fp64;
  }
  refuse_name("numerics", name);
}

refops::Chip to_chip(const std::string& name) {
  if (name == "910B") {
    return refops::Chip::ascend910b;
  }
  if (name == "910_93") {
    return refops::Chip::ascend910_93;
  }
  if (name == "950PR") {
    return refops::Chip::ascend950pr;
  }
  refuse_name("chip", name);
}

}  // namespace

refops::Policy to_policy(const std::string& numerics, const std::string& chip, bool saturate) {
  return {to_mode(numerics), to_chip(chip), saturate};
}

interp::CheckLevel to_level(const std::string& check, const std::string& level) {
  if (level == "off") {
    return interp::CheckLevel::off;
  }
  if (level == "warn") {
    return interp::CheckLevel::warn;
  }
  if (level == "error") {
    return interp::CheckLevel::error;
  }
  throw py::value_error("level of check '" + check + "' must be off, warn or error, got '" + level +
                        "'");
}

py::str to_str(std::string_view text) { return {text.data(), text.size()}; }

py::object from_scalar(const interp::Scalar& scalar) {
  if (scalar.dtype == interp::Dtype::int1) {
    return py::bool_(scalar.as_bool());
  }
  if (refops::is_float(scalar.dtype)) {
    return py::float_(scalar.as_double());
  }
  if (refops::is_unsigned_integer(scalar.dtype)) {
    return py::int_(scalar.bits);
  }
  return py::int_(scalar.as_int());
}

py::tuple from_shape(const interp::Shape& shape) {
  py::tuple dims(static_cast<std::size_t>(shape.rank()));
  for (int axis = 0; axis < shape.rank(); ++axis) {
    dims[static_cast<std::size_t>(axis)] = py::int_(shape[axis]);
  }
  return dims;
}

}  // namespace ascemu::bindings
