// The methods of ascemu._core.Builder, in three groups that register_builder.cpp adds to the class.
//
// What it is: declarations shared by the register_builder_*.cpp files. Invariant: every method of
// interp::Builder that Python needs is bound exactly once, under its C++ name.
#pragma once

#include "bindings/python_errors.h"
#include "bindings/python_values.h"

namespace ascemu::bindings {

using BuilderClass = pybind11::class_<PyBuilder>;

void add_scalar_methods(BuilderClass& builder);   // constants, scalar arithmetic, variables
void add_control_methods(BuilderClass& builder);  // control flow, debug, masks
void add_memory_methods(BuilderClass& builder);   // addresses, copies, gather, scatter, atomics
void add_tensor_methods(BuilderClass& builder);   // pure ops and matmul

inline PyValue wrapped(interp::Value value) { return {std::move(value), nullptr}; }

}  // namespace ascemu::bindings
