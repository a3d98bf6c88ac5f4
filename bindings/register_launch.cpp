// ascemu._core.Program, LaunchResult and launch().
#include <pybind11/numpy.h>
#include <pybind11/stl.h>

#include "bindings/interrupt.h"
#include "bindings/python_errors.h"
#include "bindings/python_values.h"
#include "bindings/register.h"
#include "interp/ast/dump.h"
#include "interp/checks/capacity.h"
#include "interp/launch/launch.h"

namespace ascemu::bindings {

namespace py = pybind11;

namespace {

struct PyLaunchResult {
  std::vector<PyDiagnostic> findings;
  std::string printed;
  bool interrupted = false;
  std::size_t findings_dropped = 0;
};

std::shared_ptr<const interp::SourceTable> sources_of(const PyProgram& self) {
  return {self.program, &self.program->sources};
}

std::vector<PyDiagnostic> with_sources(std::vector<interp::Diagnostic> diagnostics,
                                       const PyProgram& program) {
  std::vector<PyDiagnostic> located;
  located.reserve(diagnostics.size());
  for (interp::Diagnostic& diagnostic : diagnostics) {
    located.push_back({std::move(diagnostic), sources_of(program)});
  }
  return located;
}

py::list memory_table(const PyProgram& self) {
  const interp::Program& program = *self.program;
  py::list uses;
  for (const interp::MemoryUse& use : interp::account_memory(program)) {
    py::list holdings;
    for (const interp::Holding& holding : use.holdings) {
      py::dict row;
      row["bytes"] = holding.size_bytes;
      row["what"] = interp::holding_text(program, holding);
      row["place"] = interp::place_text(program, holding.span);
      row["certain"] = holding.is_certain;
      holdings.append(std::move(row));
    }
    py::dict space;
    space["memory"] = std::string(interp::space_name(use.space));
    space["capacity"] = use.capacity_bytes;
    space["at_least"] = use.certain_bytes;
    space["about"] = use.estimated_bytes;
    space["holdings"] = std::move(holdings);
    uses.append(std::move(space));
  }
  return uses;
}

interp::Scalar to_scalar(py::handle object, interp::Dtype dtype) {
  if (dtype == interp::Dtype::uint64 && PyLong_Check(object.ptr()) != 0) {
    const unsigned long long bits = PyLong_AsUnsignedLongLongMask(object.ptr());
    return interp::Scalar::from_int(dtype, static_cast<std::int64_t>(bits));
  }
  const interp::Literal literal = to_literal(object);
  if (const auto* number = std::get_if<double>(&literal)) {
    return interp::Scalar::from_double(dtype, *number);
  }
  const std::int64_t integer = std::holds_alternative<bool>(literal)
                                   ? static_cast<std::int64_t>(std::get<bool>(literal))
                                   : std::get<std::int64_t>(literal);
  if (refops::is_float(dtype)) {
    return interp::Scalar::from_double(dtype, static_cast<double>(integer));
  }
  return interp::Scalar::from_int(dtype, integer);
}

interp::Argument to_argument(py::handle object, const interp::Param& param) {
  if (const auto* scalar = std::get_if<interp::ScalarType>(&param.type)) {
    return to_scalar(object, scalar->dtype);
  }
  if (!PyTuple_Check(object.ptr()) || PyTuple_GET_SIZE(object.ptr()) != 3) {
    throw py::type_error("argument '" + param.name + "' must be (pointer, count_elems, writable)");
  }
  const auto fields = py::reinterpret_borrow<py::tuple>(object);
  interp::ArrayArgument array;
  array.data = reinterpret_cast<std::byte*>(fields[0].cast<std::uintptr_t>());
  array.count_elems = fields[1].cast<std::int64_t>();
  array.writable = fields[2].cast<bool>();
  return array;
}

std::vector<interp::Argument> to_arguments(const interp::Program& program, py::sequence objects) {
  if (objects.size() != program.params.size()) {
    throw py::value_error("kernel '" + program.name + "' takes " +
                          std::to_string(program.params.size()) + " arguments, got " +
                          std::to_string(objects.size()));
  }
  std::vector<interp::Argument> arguments;
  arguments.reserve(program.params.size());
  for (std::size_t index = 0; index < program.params.size(); ++index) {
    arguments.push_back(to_argument(py::object(objects[index]), program.params[index]));
  }
  return arguments;
}

// The numbers of the array parameters of those names; ValueError for another name.
std::vector<std::uint32_t> arrays_named(const interp::Program& program,
                                        const std::vector<std::string>& names) {
  std::vector<std::uint32_t> numbers;
  std::string arrays;
  for (const std::string& name : names) {
    const std::size_t found = numbers.size();
    arrays.clear();
    for (std::size_t i = 0; i < program.params.size(); ++i) {
      const interp::Param& param = program.params[i];
      if (!std::holds_alternative<interp::AddressType>(param.type)) continue;
      if (param.name == name) numbers.push_back(static_cast<std::uint32_t>(i));
      arrays += (arrays.empty() ? "" : ", ") + param.name;
    }
    if (numbers.size() == found) {
      throw py::value_error("fresh names '" + name + "', which is no array parameter of kernel '" +
                            program.name + "'; those are: " + (arrays.empty() ? "none" : arrays));
    }
  }
  return numbers;
}

PyLaunchResult launch(const PyProgram& program, const py::sequence& arguments, std::int64_t blocks,
                      int threads, const std::optional<std::map<std::string, std::string>>& checks,
                      std::uint64_t max_steps, std::size_t findings_limit, bool stop_at_first,
                      const std::string& schedule, const std::vector<std::string>& fresh) {
  const std::vector<interp::Argument> bound = to_arguments(*program.program, arguments);
  std::atomic<bool> stop{false};
  interp::LaunchOptions options;
  options.blocks = blocks;
  options.threads = threads;
  if (checks) {
    for (const auto& [check, level] : *checks) {
      options.checks.emplace(check, to_level(check, level));
    }
  }
  options.max_steps = max_steps;
  options.findings_limit = findings_limit;
  options.stop_at_first = stop_at_first;
  const std::optional<interp::Schedule> parsed = interp::Schedule::parse(schedule);
  if (!parsed) throw py::value_error("'" + schedule + "' is no schedule");
  options.schedule = *parsed;
  options.fresh = arrays_named(*program.program, fresh);
  options.stop = &stop;
  interp::LaunchResult result;
  {
    const InterruptScope interrupt(stop);
    const py::gil_scoped_release release;
    result = interp::launch(*program.program, bound, options);
  }
  return {with_sources(std::move(result.findings), program), std::move(result.printed),
          result.interrupted, result.findings_dropped};
}

}  // namespace

void register_launch(py::module_& module) {
  py::class_<PyProgram>(module, "Program")
      .def_property_readonly("name", [](const PyProgram& self) { return self.program->name; })
      .def_property_readonly("has_cube",
                             [](const PyProgram& self) { return self.program->has_cube; })
      .def_property_readonly("has_barrier",
                             [](const PyProgram& self) { return self.program->has_barrier; })
      .def_property_readonly(
          "findings",
          [](const PyProgram& self) { return with_sources(self.program->findings, self); })
      .def("memory_table", &memory_table)
      .def_property_readonly("counts_memory",
                             [](const PyProgram& self) { return is_counted(*self.program); })
      .def("dump", [](const PyProgram& self) { return interp::dump(*self.program); });
  py::class_<PyLaunchResult>(module, "LaunchResult")
      .def_readonly("findings", &PyLaunchResult::findings)
      .def_readonly("printed", &PyLaunchResult::printed)
      .def_readonly("interrupted", &PyLaunchResult::interrupted)
      .def_readonly("findings_dropped", &PyLaunchResult::findings_dropped);
  module.def(
      "array_address",
      [](const py::array& array) { return reinterpret_cast<std::uintptr_t>(array.data()); },
      py::arg("array"));
  module.def("launch", &launch, py::arg("program"), py::arg("arguments"), py::arg("blocks") = 1,
             py::arg("threads") = 0, py::arg("checks") = py::none(), py::arg("max_steps") = 0,
             py::arg("findings_limit") = 100, py::arg("stop_at_first") = false,
             py::arg("schedule") = "parallel", py::arg("fresh") = std::vector<std::string>{});
}

}  // namespace ascemu::bindings
