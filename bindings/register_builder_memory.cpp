// Builder methods for memory (spec asc2 §5).
#include "bindings/register_builder.h"

namespace ascemu::bindings {

namespace py = pybind11;

void add_memory_methods(BuilderClass& builder) {
  builder
      .def(
          "address_add",
          [](PyBuilder& self, const PyValue& base, py::handle offset) {
            return wrapped(take(self.builder.address_add(base.value, to_arg(offset))));
          },
          py::arg("base"), py::arg("offset"))
      .def(
          "global_tensor",
          [](PyBuilder& self, const PyValue& base, py::handle dims) {
            auto declared = std::make_shared<const std::vector<interp::Arg>>(to_args(dims));
            interp::Value value = take(self.builder.global_tensor(base.value, *declared));
            return PyValue{std::move(value), std::move(declared)};
          },
          py::arg("base"), py::arg("dims"))
      .def(
          "copy_in",
          [](PyBuilder& self, const PyValue& src, py::handle offsets, py::handle shape,
             const std::string& location, py::handle real_shape, py::handle pad_value) {
            return wrapped(take(self.builder.copy_in(
                src.value, to_args(offsets), to_shape(shape), to_space(location),
                to_optional_args(real_shape), to_optional_arg(pad_value))));
          },
          py::arg("src"), py::arg("offsets"), py::arg("shape"), py::arg("location") = "Auto",
          py::arg("real_shape") = py::none(), py::arg("pad_value") = py::none())
      .def(
          "load_scalar",
          [](PyBuilder& self, const PyValue& src, py::handle offsets) {
            return wrapped(take(self.builder.load_scalar(src.value, to_args(offsets))));
          },
          py::arg("src"), py::arg("offsets"))
      .def(
          "copy_out",
          [](PyBuilder& self, const PyValue& src, const PyValue& dst, py::handle offsets,
             py::handle real_shape) {
            expect_ok(self.builder.copy_out(src.value, dst.value, to_args(offsets),
                                            to_optional_args(real_shape)));
          },
          py::arg("src"), py::arg("dst"), py::arg("offsets"), py::arg("real_shape") = py::none())
      .def(
          "store_scalar",
          [](PyBuilder& self, py::handle value, const PyValue& dst, py::handle offsets) {
            expect_ok(self.builder.store_scalar(to_arg(value), dst.value, to_args(offsets)));
          },
          py::arg("value"), py::arg("dst"), py::arg("offsets"))
      .def(
          "copy",
          [](PyBuilder& self, const PyValue& src, py::handle offsets, py::handle shape,
             const std::string& location) {
            std::optional<interp::Shape> wanted;
            if (!shape.is_none()) {
              wanted = to_shape(shape);
            }
            return wrapped(take(self.builder.copy(src.value, to_optional_args(offsets), wanted,
                                                  to_space(location))));
          },
          py::arg("src"), py::arg("offsets"), py::arg("shape"), py::arg("location") = "Auto")
      .def(
          "gather",
          [](PyBuilder& self, const PyValue& src, py::handle offsets, std::int64_t dim,
             const PyValue& index, bool check_bounds, py::handle num_indices,
             py::handle pad_value) {
            return wrapped(take(self.builder.gather(src.value, to_args(offsets), dim, index.value,
                                                    check_bounds, to_optional_arg(num_indices),
                                                    to_optional_arg(pad_value))));
          },
          py::arg("src"), py::arg("offsets"), py::arg("dim"), py::arg("index"),
          py::arg("check_bounds") = true, py::arg("num_indices") = py::none(),
          py::arg("pad_value") = py::none())
      .def(
          "scatter",
          [](PyBuilder& self, const PyValue& src, std::int64_t dim, const PyValue& index,
             const PyValue& dst, py::handle offsets, bool check_bounds, py::handle num_indices) {
            expect_ok(self.builder.scatter(src.value, dim, index.value, dst.value, to_args(offsets),
                                           check_bounds, to_optional_arg(num_indices)));
          },
          py::arg("src"), py::arg("dim"), py::arg("index"), py::arg("dst"), py::arg("offsets"),
          py::arg("check_bounds") = true, py::arg("num_indices") = py::none())
      .def(
          "atomic",
          [](PyBuilder& self, const std::string& op, const PyValue& src, const PyValue& dst,
             py::handle offsets) {
            expect_ok(self.builder.atomic(to_op(op), src.value, dst.value, to_args(offsets)));
          },
          py::arg("op"), py::arg("src"), py::arg("dst"), py::arg("offsets"));
}

}  // namespace ascemu::bindings
