"""A trace without a front end, for tests of operations: values of every dtype, and execution."""

from __future__ import annotations

import numpy as np
from ascemu import _core
from ascemu.dsl import memory
from ascemu.dsl.context import TraceContext, activate
from ascemu.dsl.dtypes import DataType
from ascemu.dsl.values import wrap

DTYPES = [row["name"] for row in _core.dtype_table()]


class Trace:
    """A builder with an array and a scalar parameter of every dtype, active as a context."""

    def __init__(self, debug: bool = False, chip: str = "950PR") -> None:
        self.builder = _core.Builder("kernel", chip)
        self.context = TraceContext(self.builder, debug=debug)
        self._arrays = {name: self.builder.array_param(f"p_{name}", name) for name in DTYPES}
        self._scalars = {name: self.builder.scalar_param(f"n_{name}", name) for name in DTYPES}

    def __enter__(self) -> Trace:
        self._active = activate(self.context)
        self._active.__enter__()
        return self

    def __exit__(self, *exc_info: object) -> None:
        self._active.__exit__(*exc_info)

    def scalar(self, dtype):
        """A scalar parameter of that dtype."""
        return wrap(self._scalars[str(dtype)])

    def pointer(self, dtype):
        """An array parameter of that dtype."""
        return wrap(self._arrays[str(dtype)])

    def array(self, dtype, shape):
        """An array parameter of that dtype as a global tensor."""
        return memory.global_tensor(self.pointer(dtype), shape)

    def tile(self, dtype, shape):
        """A local tensor of that dtype."""
        return memory.copy_in(self.array(dtype, shape), [0] * len(shape), shape)

    def warnings(self):
        """The messages of the findings so far."""
        return [finding.message for finding in self.builder.findings()]


def run(body, outputs, scalars=(), blocks=1, debug=False):
    """Trace `body(*pointers, *scalars)`, launch it over fresh arrays, return them and the result.

    `outputs`: numpy arrays, changed in place. `scalars`: (dtype, value) pairs.
    """
    builder = _core.Builder("kernel", "950PR")
    parameters = [
        wrap(builder.array_param(f"p{index}", str(array.dtype)))
        for index, array in enumerate(outputs)
    ]
    parameters += [
        wrap(builder.scalar_param(f"n{index}", str(dtype)))
        for index, (dtype, _) in enumerate(scalars)
    ]
    with activate(TraceContext(builder, debug=debug)):
        body(*parameters)
    program = builder.finish()
    arguments = [(array.ctypes.data, array.size, True) for array in outputs]
    arguments += [value for _, value in scalars]
    return _core.launch(program, arguments, blocks=blocks)


def value_of(expression, scalars=(), dtype="float32"):
    """What the scalar `expression(*scalars)` is at run time, as an element of that dtype."""
    out = np.zeros(1, dtype)

    def body(out_ptr, *values):
        result = memory.global_tensor(out_ptr, [1])
        memory.copy_out(expression(*values), result, [0])

    result = run(body, [out], scalars)
    assert [finding.message for finding in result.findings] == []
    return out[0]


def dtypes_of(names):
    """DataType objects for a list of names in one string."""
    return [DataType(name) for name in names.split()]
