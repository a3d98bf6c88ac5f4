// The tables of the .def files as Python lists and dicts.
#include <pybind11/stl.h>

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

constexpr const char* kLevelNames[] = {"off", "warn", "error"};

py::str level_name(interp::CheckLevel level) {
  return kLevelNames[static_cast<std::size_t>(level)];
}

py::list code_table() {
  py::list rows;
  for (const interp::CodeRow& row : interp::code_table()) {
    py::dict entry;
    entry["code"] = to_str(row.slug);
    entry["kind"] = to_str(interp::diag_kind_name(row.kind));
    entry["check"] = row.check.empty() ? py::object(py::none()) : to_str(row.check);
    entry["level"] = level_name(interp::CheckLevels().of(row.code));
    entry["exception"] = to_str(interp::exception_name(row.exception));
    entry["help"] = to_str(row.help);
    rows.append(entry);
  }
  return rows;
}

py::list check_table() {
  py::list rows;
  for (const interp::CheckRow& row : interp::check_table()) {
    py::dict entry;
    entry["check"] = to_str(row.slug);
    entry["level"] = level_name(row.default_level);
    entry["summary"] = to_str(row.summary);
    rows.append(entry);
  }
  return rows;
}

py::str level_of(const std::string& code, const std::map<std::string, std::string>& chosen) {
  const std::optional<interp::Code> found = interp::code_from_slug(code);
  if (!found) throw py::value_error("unknown diagnostic code '" + code + "'");
  interp::CheckLevels levels;
  for (const auto& [check, level] : chosen) {
    const std::optional<interp::CheckId> id = interp::check_from_slug(check);
    if (!id) throw py::value_error("unknown check '" + check + "'");
    levels.set(*id, to_level(check, level));
  }
  return level_name(levels.of(*found));
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
  module.def("check_table", &check_table);
  module.def("level_of", &level_of, py::arg("code"), py::arg("chosen"));
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
