// The parts of the Python module ascemu._core, one register_ function per file.
//
// What it is: the list of what module.cpp calls. What it is not: logic; the module only converts
// between Python objects and ascemu::interp. Invariant: the module's names are those of
// python/ascemu/_core.pyi (a test compares them).
#pragma once

#include <pybind11/pybind11.h>

namespace ascemu::bindings {

void register_diagnostic(pybind11::module_& module);  // before the others: they return Diagnostics
void register_builder(pybind11::module_& module);
void register_launch(pybind11::module_& module);
void register_tables(pybind11::module_& module);
void register_numerics(pybind11::module_& module);

}  // namespace ascemu::bindings
