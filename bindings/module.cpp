#include "bindings/register.h"

PYBIND11_MODULE(_core, module) {
  module.doc() = "The compiled core of ascemu: tree builder, launch, diagnostics.";
  ascemu::bindings::register_diagnostic(module);
  ascemu::bindings::register_builder(module);
  ascemu::bindings::register_launch(module);
  ascemu::bindings::register_tables(module);
  ascemu::bindings::register_numerics(module);
}
