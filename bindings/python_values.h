// Conversion between Python objects and the builder's values.
//
// What it is: PyValue, PyBuilder, PyProgram and PyDiagnostic (what Python holds) and the readers of
// arguments. What it is not: type rules; a wrong Python class is a TypeError here, everything about
// dtypes and shapes is the builder's. Invariant: every reader either returns a valid C++ value or
// raises a Python exception; Python integers beyond 64 bits raise OverflowError.
#pragma once

#include <pybind11/pybind11.h>

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "interp/ast/builder.h"
#include "interp/diag/check_levels.h"

namespace ascemu::bindings {

// A Value, and for a global tensor the dimensions it was declared with (the type does not know
// which runtime scalar a dynamic dimension is).
struct PyValue {
  interp::Value value;
  std::shared_ptr<const std::vector<interp::Arg>> dims;
};

struct PyBuilder {
  interp::Builder builder;
};

struct PyProgram {
  std::shared_ptr<const interp::Program> program;
};

struct PyDiagnostic {
  interp::Diagnostic diagnostic;
  std::shared_ptr<const interp::SourceTable> sources;
};

interp::Literal to_literal(pybind11::handle object);
interp::Arg to_arg(pybind11::handle object);
std::optional<interp::Arg> to_optional_arg(pybind11::handle object);
std::vector<interp::Arg> to_args(pybind11::handle sequence);
std::optional<std::vector<interp::Arg>> to_optional_args(pybind11::handle sequence);
std::vector<interp::Value> to_values(pybind11::handle sequence);
std::optional<interp::Value> to_optional_value(pybind11::handle object);
std::vector<std::int64_t> to_ints(pybind11::handle sequence);
// More than kMaxRank dimensions are a RuntimeError.
interp::Shape to_shape(pybind11::handle sequence);
interp::Dtype to_dtype(const std::string& name);
interp::Space to_space(const std::string& name);
interp::OpId to_op(const std::string& name);
interp::ScalarOp to_scalar_op(const std::string& name);
interp::RoundMode to_round_mode(int number);
// "npu", "ieee" or "fp64"; "910B", "910_93" or "950PR".
refops::Policy to_policy(const std::string& numerics, const std::string& chip, bool saturate);
// "off", "warn" or "error"; ValueError, which names the check, for another word.
interp::CheckLevel to_level(const std::string& check, const std::string& level);

pybind11::str to_str(std::string_view text);
pybind11::object from_scalar(const interp::Scalar& scalar);
pybind11::tuple from_shape(const interp::Shape& shape);

}  // namespace ascemu::bindings
