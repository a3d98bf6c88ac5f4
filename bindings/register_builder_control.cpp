// Builder methods for scalars, variables and control flow.
#include <pybind11/stl.h>

#include "bindings/register_builder.h"

namespace ascemu::bindings {

namespace py = pybind11;

void add_scalar_methods(BuilderClass& builder) {
  builder
      .def(
          "constant",
          [](PyBuilder& self, py::handle value, const std::string& dtype) {
            return wrapped(take(self.builder.constant(to_literal(value), to_dtype(dtype))));
          },
          py::arg("value"), py::arg("dtype"))
      .def(
          "materialise",
          [](PyBuilder& self, py::handle value) {
            return wrapped(take(self.builder.materialise(to_arg(value))));
          },
          py::arg("value"))
      .def(
          "scalar_unary",
          [](PyBuilder& self, const std::string& op, const PyValue& a) {
            return wrapped(take(self.builder.scalar_unary(to_scalar_op(op), a.value)));
          },
          py::arg("op"), py::arg("a"))
      .def(
          "scalar_binary",
          [](PyBuilder& self, const std::string& op, py::handle a, py::handle b) {
            return wrapped(
                take(self.builder.scalar_binary(to_scalar_op(op), to_arg(a), to_arg(b))));
          },
          py::arg("op"), py::arg("a"), py::arg("b"))
      .def(
          "scalar_cast",
          [](PyBuilder& self, const PyValue& a, const std::string& dtype) {
            return wrapped(take(self.builder.scalar_cast(a.value, to_dtype(dtype))));
          },
          py::arg("a"), py::arg("dtype"))
      .def(
          "to_condition",
          [](PyBuilder& self, py::handle a) {
            return wrapped(take(self.builder.to_condition(to_arg(a))));
          },
          py::arg("a"))
      .def(
          "program_scalar",
          [](PyBuilder& self, const std::string& name) {
            return wrapped(self.builder.program_scalar(to_op(name)));
          },
          py::arg("name"))
      .def(
          "variable",
          [](PyBuilder& self, const PyValue& init) {
            return wrapped(take(self.builder.variable(init.value)));
          },
          py::arg("init"))
      .def(
          "assign",
          [](PyBuilder& self, py::handle targets, py::handle values) {
            expect_ok(self.builder.assign(to_values(targets), to_values(values)));
          },
          py::arg("targets"), py::arg("values"));
}

namespace {

std::optional<std::array<std::uint64_t, 2>> to_lane_bits(py::handle bits) {
  if (bits.is_none()) {
    return std::nullopt;
  }
  const auto pair = py::cast<py::sequence>(bits);
  if (pair.size() != 2) {
    throw py::value_error("'bits' must have 2 values, got " + std::to_string(pair.size()));
  }
  std::array<std::uint64_t, 2> lanes{};
  for (std::size_t index = 0; index < lanes.size(); ++index) {
    const py::object word = pair[index];
    if (PyLong_Check(word.ptr()) == 0) {
      throw py::type_error("'bits' must be two ints");
    }
    lanes[index] = PyLong_AsUnsignedLongLongMask(word.ptr());
  }
  return lanes;
}

std::vector<std::variant<std::string, interp::Value>> to_print_parts(py::handle sequence) {
  std::vector<std::variant<std::string, interp::Value>> parts;
  for (const py::handle part : py::cast<py::sequence>(sequence)) {
    if (py::isinstance<py::str>(part)) {
      parts.emplace_back(part.cast<std::string>());
    } else {
      parts.emplace_back(part.cast<const PyValue&>().value);
    }
  }
  return parts;
}

}  // namespace

void add_control_methods(BuilderClass& builder) {
  builder
      .def(
          "begin_if",
          [](PyBuilder& self, const PyValue& condition) {
            expect_ok(self.builder.begin_if(condition.value));
          },
          py::arg("condition"))
      .def("begin_else", [](PyBuilder& self) { expect_ok(self.builder.begin_else()); })
      .def("end_if", [](PyBuilder& self) { expect_ok(self.builder.end_if()); })
      .def(
          "begin_for",
          [](PyBuilder& self, py::handle start, py::handle stop, py::handle step, int unroll_factor,
             bool gm_barrier) {
            return wrapped(take(self.builder.begin_for(to_arg(start), to_arg(stop), to_arg(step),
                                                       unroll_factor, gm_barrier)));
          },
          py::arg("start"), py::arg("stop"), py::arg("step"), py::arg("unroll_factor") = 1,
          py::arg("gm_barrier") = false)
      .def(
          "end_for",
          [](PyBuilder& self, bool orders_memory) {
            expect_ok(self.builder.end_for(orders_memory));
          },
          py::arg("orders_memory") = false)
      .def("begin_while", [](PyBuilder& self) { expect_ok(self.builder.begin_while()); })
      .def(
          "while_condition",
          [](PyBuilder& self, const PyValue& condition) {
            expect_ok(self.builder.while_condition(condition.value));
          },
          py::arg("condition"))
      .def("end_while", [](PyBuilder& self) { expect_ok(self.builder.end_while()); })
      .def("sync_all", [](PyBuilder& self) { expect_ok(self.builder.sync_all()); })
      .def(
          "print",
          [](PyBuilder& self, py::handle parts) {
            expect_ok(self.builder.print(to_print_parts(parts)));
          },
          py::arg("parts"))
      .def(
          "device_assert",
          [](PyBuilder& self, const PyValue& condition, std::string message) {
            expect_ok(self.builder.device_assert(condition.value, std::move(message)));
          },
          py::arg("condition"), py::arg("message"))
      .def(
          "push_mask",
          [](PyBuilder& self, std::optional<std::int64_t> count, py::handle bits,
             py::handle other) {
            expect_ok(self.builder.push_mask(count, to_lane_bits(bits), to_optional_arg(other)));
          },
          py::arg("count"), py::arg("bits"), py::arg("other"))
      .def("pop_mask", [](PyBuilder& self) { self.builder.pop_mask(); });
}

}  // namespace ascemu::bindings
