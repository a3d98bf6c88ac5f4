// The error bands of the devices, and for tests the instruction set of array code.
#include <pybind11/stl.h>

#include "bindings/python_values.h"
#include "bindings/register.h"
#include "refops/elementary/elementary.h"
#include "refops/target/bands.h"

namespace ascemu::bindings {

namespace py = pybind11;

namespace {

using refops::elementary::VectorLevel;

constexpr const char* kVectorLevelNames[] = {"baseline", "sse42", "avx2", "avx512"};
constexpr const char* kChipNames[] = {"910B", "910_93", "950PR"};

refops::Chip chip_of(const std::string& name) {
  for (int index = 0; index < 3; ++index) {
    if (name == kChipNames[index]) return static_cast<refops::Chip>(index);
  }
  throw py::value_error("chip must be 910B, 910_93 or 950PR, got '" + name + "'");
}

py::list band_table() {
  py::list rows;
  for (const refops::BandRow& row : refops::band_table()) {
    py::dict entry;
    entry["chip"] = kChipNames[static_cast<int>(row.chip)];
    entry["instruction"] = to_str(row.instruction);
    entry["dtype"] = to_str(refops::dtype_name(row.dtype));
    entry["model"] = to_str(refops::band_model_name(row.model));
    entry["low"] = row.low;
    entry["high"] = row.high;
    entry["max_ulps"] = row.max_ulps;
    entry["certainty"] = to_str(refops::certainty_name(row.certainty));
    entry["source"] = to_str(row.source);
    rows.append(entry);
  }
  return rows;
}

bool within_band(const std::string& chip, const std::string& instruction, const std::string& dtype,
                 const std::vector<std::uint64_t>& operands, std::uint64_t result) {
  const refops::Dtype element = to_dtype(dtype);
  const refops::BandRow* const row = refops::find_band(chip_of(chip), instruction, element);
  if (row == nullptr) {
    throw py::value_error("no band of '" + instruction + "' in " + dtype + " on " + chip);
  }
  if (operands.size() != (instruction == "div" ? 2U : 1U)) {
    throw py::value_error("'" + instruction + "' does not take " + std::to_string(operands.size()) +
                          " operands");
  }
  std::vector<refops::Scalar> scalars;
  for (const std::uint64_t pattern : operands) {
    scalars.push_back(refops::Scalar::load(element, &pattern));
  }
  return refops::within_band(*row, scalars, refops::Scalar::load(element, &result));
}

// The instruction sets of this processor that array code exists for; the widest is used.
py::list vector_levels() {
  py::list names;
  for (int index = 0; index < refops::elementary::kVectorLevelCount; ++index) {
    if (refops::elementary::vector_level_is_available(static_cast<VectorLevel>(index))) {
      names.append(kVectorLevelNames[index]);
    }
  }
  return names;
}

void force_vector_level(const std::string& name) {
  for (int index = 0; index < refops::elementary::kVectorLevelCount; ++index) {
    const auto level = static_cast<VectorLevel>(index);
    if (name == kVectorLevelNames[index] && refops::elementary::vector_level_is_available(level)) {
      return refops::elementary::force_vector_level_everywhere(level);
    }
  }
  throw py::value_error("this processor has no vector level '" + name + "'");
}

}  // namespace

void register_numerics(py::module_& module) {
  module.def("band_table", &band_table);
  module.def("within_band", &within_band, py::arg("chip"), py::arg("instruction"), py::arg("dtype"),
             py::arg("operands"), py::arg("result"));
  // For the tests of bit identity; not in the stub.
  module.def("_vector_levels", &vector_levels);
  module.def("_vector_level", [] {
    return kVectorLevelNames[static_cast<int>(refops::elementary::current_vector_level())];
  });
  module.def("_force_vector_level", &force_vector_level, py::arg("level"));
}

}  // namespace ascemu::bindings
