// The tables of the .def files as Python lists and dicts.
#include "bindings/python_errors.h"
#include "bindings/python_values.h"
#include "bindings/register.h"
#include "refops/eval.h"

namespace ascemu::bindings {

namespace py = pybind11;

namespace {

py::list dtype_names(refops::DtypeSet set) {
  py::list names;
  for (int index = 0; index < refops::kDtypeCount; ++index) {
    const auto dtype = static_cast<refops::Dtype>(index);
    if ((set & refops::dtype_bit(dtype)) != 0) {
      names.append(to_str(refops::dtype_name(dtype)));
    }
  }
  return names;
}

constexpr const char* kFamilyNames[] = {
#define ASCEMU_OP(name, family, arity, dtypes, clause) #family,
#include "refops/ops.def"
#undef ASCEMU_OP
};

py::list op_table() {
  py::list rows;
  for (const refops::OpRow& row : refops::op_table()) {
    py::dict entry;
    entry["name"] = to_str(row.name);
    entry["family"] = kFamilyNames[static_cast<std::size_t>(row.id)];
    entry["arity"] = row.arity;
    entry["dtypes"] = dtype_names(row.dtypes);
    entry["clause"] = to_str(row.clause);
    rows.append(entry);
  }
  return rows;
}

py::dict unsupported_table() {
  py::dict reasons;
  for (const refops::UnsupportedRow& row : refops::unsupported_table()) {
    reasons[to_str(row.name)] = to_str(row.reason);
  }
  return reasons;
}

py::list code_table() {
  py::list rows;
  for (const interp::CodeRow& row : interp::code_table()) {
    py::dict entry;
    entry["code"] = to_str(row.slug);
    entry["kind"] = to_str(interp::diag_kind_name(row.kind));
    entry["check"] = row.check.empty() ? py::object(py::none()) : to_str(row.check);
    entry["exception"] = to_str(interp::exception_name(row.exception));
    entry["help"] = to_str(row.help);
    rows.append(entry);
  }
  return rows;
}

py::list dtype_table() {
  py::list rows;
  for (int index = 0; index < refops::kDtypeCount; ++index) {
    const auto dtype = static_cast<refops::Dtype>(index);
    py::dict entry;
    entry["name"] = to_str(refops::dtype_name(dtype));
    entry["size_bytes"] = refops::dtype_size_bytes(dtype);
    entry["width_bits"] = refops::dtype_width_bits(dtype);
    entry["is_float"] = refops::is_float(dtype);
    entry["is_integer"] = refops::is_integer(dtype);
    entry["is_signed"] = refops::is_float(dtype) || refops::is_signed_integer(dtype);
    rows.append(entry);
  }
  return rows;
}

}  // namespace

void register_tables(py::module_& module) {
  module.def("op_table", &op_table);
  module.def("unsupported_table", &unsupported_table);
  module.def("code_table", &code_table);
  module.def("dtype_table", &dtype_table);
  module.def(
      "cast_is_supported",
      [](const std::string& from, const std::string& to) {
        return refops::cast_is_supported(to_dtype(from), to_dtype(to));
      },
      py::arg("from_dtype"), py::arg("to_dtype"));
  module.def(
      "round_mode_is_legal",
      [](const std::string& from, const std::string& to, int mode) {
        return refops::cast_mode_is_legal(to_dtype(from), to_dtype(to), to_round_mode(mode));
      },
      py::arg("from_dtype"), py::arg("to_dtype"), py::arg("round_mode"));
  module.def(
      "cast_default_mode",
      [](const std::string& numerics, const std::string& chip, const std::string& from,
         const std::string& to) {
        const refops::Policy policy = to_policy(numerics, chip, false);
        return static_cast<int>(refops::cast_default_mode(policy, to_dtype(from), to_dtype(to)));
      },
      py::arg("numerics"), py::arg("chip"), py::arg("from_dtype"), py::arg("to_dtype"));
}

}  // namespace ascemu::bindings
