// ascemu._core.Value and Builder: positions, parameters, findings, finish.
#include "bindings/register_builder.h"

#include <pybind11/stl.h>

#include "bindings/register.h"
#include "interp/builtins/builder_access.h"

namespace ascemu::bindings {

namespace py = pybind11;
using interp::Value;

namespace {

const char* kind_of(const PyValue& self) {
  struct Names {
    const char* operator()(const interp::ScalarType&) const { return "scalar"; }
    const char* operator()(const interp::TensorType&) const { return "tensor"; }
    const char* operator()(const interp::AddressType&) const { return "address"; }
    const char* operator()(const interp::GlobalType&) const { return "global"; }
  };
  return std::visit(Names{}, self.value.type);
}

template <class T>
const T& typed(const PyValue& self, const char* attribute) {
  const T* type = std::get_if<T>(&self.value.type);
  if (type == nullptr) {
    throw py::attribute_error(std::string("a ") + kind_of(self) + " value has no " + attribute);
  }
  return *type;
}

py::tuple dims_of(const PyValue& self) {
  const auto& declared = typed<interp::GlobalType>(self, "dims").dims;
  py::tuple dims(declared.size());
  for (std::size_t axis = 0; axis < declared.size(); ++axis) {
    if (declared[axis]) {
      dims[axis] = py::int_(*declared[axis]);
      continue;
    }
    const Value* dim =
        self.dims && axis < self.dims->size() ? std::get_if<Value>(&(*self.dims)[axis]) : nullptr;
    dims[axis] = dim == nullptr ? py::object(py::none()) : py::cast(wrapped(*dim));
  }
  return dims;
}

std::string text_of(const PyValue& self) {
  std::string text;
  if (const auto* constant = std::get_if<interp::Constant>(&self.value.operand)) {
    text = py::str(from_scalar(*constant));
  } else {
    text = "%" + std::to_string(std::get<interp::SlotRef>(self.value.operand).slot);
  }
  return text;
}

void register_value(py::module_& module) {
  py::class_<PyValue>(module, "Value")
      .def_property_readonly("kind", &kind_of)
      .def_property_readonly(
          "dtype",
          [](const PyValue& self) { return std::string(refops::dtype_name(self.value.dtype())); })
      .def_property_readonly("shape",
                             [](const PyValue& self) {
                               return from_shape(typed<interp::TensorType>(self, "shape").shape);
                             })
      .def_property_readonly("location",
                             [](const PyValue& self) {
                               return std::string(interp::space_name(
                                   typed<interp::TensorType>(self, "location").space));
                             })
      .def_property_readonly("dims", &dims_of)
      .def_property_readonly("is_constant",
                             [](const PyValue& self) {
                               return std::holds_alternative<interp::Constant>(self.value.operand);
                             })
      .def_property_readonly("constant",
                             [](const PyValue& self) {
                               const auto* scalar =
                                   std::get_if<interp::Constant>(&self.value.operand);
                               if (scalar == nullptr) {
                                 throw py::value_error("the value is known at run time only");
                               }
                               return from_scalar(*scalar);
                             })
      .def("__repr__",
           [](const PyValue& self) {
             return "<Value " + text_of(self) + ": " + kind_of(self) + " " +
                    std::string(refops::dtype_name(self.value.dtype())) + ">";
           })
      .def("__str__", &text_of);
}

PyProgram finish(PyBuilder& self) {
  interp::Builder::Finished finished = self.builder.finish();
  if (finished.program) {
    return {std::move(finished.program)};
  }
  if (finished.errors.empty()) {
    raise_fault(interp::make_fault(interp::Code::internal_error,
                                   "the builder gave neither a program nor an error"));
  }
  interp::Diagnostic& first = finished.errors.front();
  interp::Fault fault{first.code, first.message, first.notes, first.help, first.exception};
  const py::object exception = make_exception(fault);
  exception.attr("ascemu_diagnostic") = PyDiagnostic{
      std::move(first), std::make_shared<interp::SourceTable>(std::move(finished.sources))};
  raise_exception(exception);
}

PyDiagnostic with_builder_sources(const PyBuilder& self, interp::Diagnostic diagnostic) {
  return {std::move(diagnostic), std::make_shared<interp::SourceTable>(self.builder.sources())};
}

}  // namespace

void register_builder(py::module_& module) {
  register_value(module);
  BuilderClass builder(module, "Builder");
  builder
      .def(py::init([](std::string kernel_name, const std::string& chip,
                       const std::string& numerics, bool saturate, bool is_asc2) {
             const refops::Policy policy = to_policy(numerics, chip, saturate);
             const auto generation =
                 is_asc2 ? interp::Generation::asc2 : interp::Generation::asctile;
             return std::make_unique<PyBuilder>(
                 PyBuilder{interp::Builder({std::move(kernel_name), policy, generation})});
           }),
           py::arg("kernel_name"), py::arg("chip") = "950PR", py::arg("numerics") = "ieee",
           py::arg("saturate") = false, py::arg("is_asc2") = false)
      .def("use_first_generation", [](PyBuilder& self) { self.builder.use_first_generation(); })
      .def(
          "set_allocation",
          [](PyBuilder& self, std::optional<bool> static_alloc, int reuse_alloc, bool vf_fusion) {
            self.builder.set_allocation({static_alloc, reuse_alloc, vf_fusion});
          },
          py::arg("static_alloc"), py::arg("reuse_alloc"), py::arg("vf_fusion"))
      .def(
          "add_source",
          [](PyBuilder& self, std::string path, std::string text, std::int32_t first_line) {
            return self.builder.add_source(std::move(path), std::move(text), first_line);
          },
          py::arg("path"), py::arg("text"), py::arg("first_line"))
      .def(
          "set_position",
          [](PyBuilder& self, std::uint32_t source, std::int32_t line, std::int32_t column,
             std::int32_t end_line, std::int32_t end_column) {
            self.builder.set_position(source, line, column, end_line, end_column);
          },
          py::arg("source"), py::arg("line"), py::arg("column"), py::arg("end_line"),
          py::arg("end_column"))
      .def("push_call", [](PyBuilder& self) { self.builder.push_call(); })
      .def("pop_call", [](PyBuilder& self) { self.builder.pop_call(); })
      .def(
          "name_value",
          [](PyBuilder& self, const PyValue& value, std::string name) {
            self.builder.name_value(value.value, std::move(name));
          },
          py::arg("value"), py::arg("name"))
      .def(
          "warn",
          [](PyBuilder& self, const std::string& code, const std::string& message,
             std::vector<std::string> notes, const std::string& help) {
            self.builder.warn(interp::make_fault(to_code(code), message, std::move(notes), help));
          },
          py::arg("code"), py::arg("message"), py::arg("notes") = std::vector<std::string>{},
          py::arg("help") = "")
      .def(
          "array_param",
          [](PyBuilder& self, std::string name, const std::string& dtype) {
            return wrapped(self.builder.array_param(std::move(name), to_dtype(dtype)));
          },
          py::arg("name"), py::arg("dtype"))
      .def(
          "scalar_param",
          [](PyBuilder& self, std::string name, const std::string& dtype) {
            return wrapped(self.builder.scalar_param(std::move(name), to_dtype(dtype)));
          },
          py::arg("name"), py::arg("dtype"))
      .def("finish", &finish)
      .def(
          "diagnostic",
          [](const PyBuilder& self, const std::string& code, const std::string& message,
             std::vector<std::string> notes, const std::string& help, const std::string& severity,
             const std::string& exception) {
            return with_builder_sources(
                self, located_diagnostic(code, message, std::move(notes), help, severity, exception,
                                         self.builder.position()));
          },
          py::arg("code"), py::arg("message"), py::arg("notes") = std::vector<std::string>{},
          py::arg("help") = "", py::arg("severity") = "error", py::arg("exception") = "")
      .def("findings", [](const PyBuilder& self) {
        std::vector<PyDiagnostic> findings;
        for (const interp::Diagnostic& warning : interp::BuilderAccess::findings(self.builder)) {
          findings.push_back(with_builder_sources(self, warning));
        }
        return findings;
      });
  add_scalar_methods(builder);
  add_control_methods(builder);
  add_memory_methods(builder);
  add_tensor_methods(builder);
}

}  // namespace ascemu::bindings
