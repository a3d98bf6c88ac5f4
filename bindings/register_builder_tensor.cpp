// Builder methods for pure tensor ops and the cube (spec asc2 §6).
#include <pybind11/stl.h>

#include "bindings/register_builder.h"

namespace ascemu::bindings {

namespace py = pybind11;

namespace {

void add_vector_methods(BuilderClass& builder) {
  builder
      .def(
          "unary",
          [](PyBuilder& self, const std::string& op, py::handle x) {
            return wrapped(take(self.builder.unary(to_op(op), to_arg(x))));
          },
          py::arg("op"), py::arg("x"))
      .def(
          "binary",
          [](PyBuilder& self, const std::string& op, py::handle a, py::handle b) {
            return wrapped(take(self.builder.binary(to_op(op), to_arg(a), to_arg(b))));
          },
          py::arg("op"), py::arg("a"), py::arg("b"))
      .def(
          "where",
          [](PyBuilder& self, const PyValue& mask, py::handle a, py::handle b) {
            return wrapped(take(self.builder.where(mask.value, to_arg(a), to_arg(b))));
          },
          py::arg("mask"), py::arg("a"), py::arg("b"))
      .def(
          "cast",
          [](PyBuilder& self, py::handle x, const std::string& dtype, int round_mode) {
            return wrapped(
                take(self.builder.cast(to_arg(x), to_dtype(dtype), to_round_mode(round_mode))));
          },
          py::arg("x"), py::arg("dtype"), py::arg("round_mode") = 100)
      .def(
          "reduce",
          [](PyBuilder& self, const std::string& op, const PyValue& x, py::handle dims,
             bool keep_dims) {
            return wrapped(take(self.builder.reduce(to_op(op), x.value, to_ints(dims), keep_dims)));
          },
          py::arg("op"), py::arg("x"), py::arg("dims"), py::arg("keep_dims") = false)
      .def(
          "softmax",
          [](PyBuilder& self, const PyValue& x) {
            return wrapped(take(self.builder.softmax(x.value)));
          },
          py::arg("x"))
      .def(
          "rms_norm",
          [](PyBuilder& self, const PyValue& x, const PyValue& gamma, py::handle epsilon) {
            return wrapped(take(self.builder.rms_norm(x.value, gamma.value, to_arg(epsilon))));
          },
          py::arg("x"), py::arg("gamma"), py::arg("epsilon"))
      .def(
          "layer_norm",
          [](PyBuilder& self, const PyValue& x, const PyValue& gamma, const PyValue& beta,
             py::handle epsilon, bool output_rstd) {
            auto results = take(self.builder.layer_norm(x.value, gamma.value, beta.value,
                                                        to_arg(epsilon), output_rstd));
            return py::make_tuple(wrapped(std::move(results[0])), wrapped(std::move(results[1])),
                                  wrapped(std::move(results[2])));
          },
          py::arg("x"), py::arg("gamma"), py::arg("beta"), py::arg("epsilon"),
          py::arg("output_rstd") = true);
}

void add_layout_methods(BuilderClass& builder) {
  builder
      .def(
          "full",
          [](PyBuilder& self, py::handle shape, py::handle value,
             const std::optional<std::string>& dtype) {
            std::optional<interp::Dtype> wanted;
            if (dtype) {
              wanted = to_dtype(*dtype);
            }
            return wrapped(take(self.builder.full(to_shape(shape), to_arg(value), wanted)));
          },
          py::arg("shape"), py::arg("value"), py::arg("dtype") = py::none())
      .def(
          "reshape",
          [](PyBuilder& self, const PyValue& x, py::handle shape) {
            return wrapped(take(self.builder.reshape(x.value, to_shape(shape))));
          },
          py::arg("x"), py::arg("shape"))
      .def(
          "transpose",
          [](PyBuilder& self, const PyValue& x, py::handle permutation) {
            return wrapped(take(self.builder.transpose(x.value, to_ints(permutation))));
          },
          py::arg("x"), py::arg("permutation") = py::tuple())
      .def(
          "broadcast_to",
          [](PyBuilder& self, const PyValue& x, py::handle shape) {
            return wrapped(take(self.builder.broadcast_to(x.value, to_shape(shape))));
          },
          py::arg("x"), py::arg("shape"))
      .def(
          "concat",
          [](PyBuilder& self, py::handle inputs) {
            return wrapped(take(self.builder.concat(to_values(inputs))));
          },
          py::arg("inputs"));
}

void add_matmul_methods(BuilderClass& builder) {
  builder
      .def(
          "zeros_acc",
          [](PyBuilder& self, py::handle shape, const std::string& dtype, py::handle bias) {
            return wrapped(take(
                self.builder.zeros_acc(to_shape(shape), to_dtype(dtype), to_optional_value(bias))));
          },
          py::arg("shape"), py::arg("dtype"), py::arg("bias") = py::none())
      .def(
          "matmul_acc",
          [](PyBuilder& self, const PyValue& acc, const PyValue& a, const PyValue& b, bool hf32) {
            expect_ok(self.builder.matmul_acc(acc.value, a.value, b.value, hf32));
          },
          py::arg("acc"), py::arg("a"), py::arg("b"), py::arg("hf32") = false)
      .def(
          "matmul",
          [](PyBuilder& self, const PyValue& a, const PyValue& b, py::handle bias, bool hf32) {
            return wrapped(
                take(self.builder.matmul(a.value, b.value, to_optional_value(bias), hf32)));
          },
          py::arg("a"), py::arg("b"), py::arg("bias") = py::none(), py::arg("hf32") = false);
}

}  // namespace

void add_tensor_methods(BuilderClass& builder) {
  add_vector_methods(builder);
  add_layout_methods(builder);
  add_matmul_methods(builder);
}

}  // namespace ascemu::bindings
