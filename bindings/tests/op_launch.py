"""Launches of one operation over whole arrays, for the family tests test_ops_*.py.

What it is: kernels that load their inputs, call a function given as a constant and store its
results. What it is not: the kernel language's own operators; a function given here is plain Python,
so tests of operators write kernels. Invariant: outputs keep their content where nothing is stored.
"""

from __future__ import annotations

from typing import Any

import ascemu
import ml_dtypes
import numpy as np
import pytest
from ascemu import _core
from ascemu.dropin import asctile
from ascemu.dropin.asc.codegen.errors import CodegenError

NUMPY = {
    name: np.dtype(getattr(ml_dtypes, name, None) or name)
    for name in "int8 int16 int32 int64 float16 bfloat16 float32 float64".split()
}
LEGAL = {row["name"]: row["dtypes"] for row in _core.op_table()}


def dtype_of(name: str) -> Any:
    """The kernel language's dtype of that name."""
    return asctile.DataType(name)


@asctile.jit(always_compile=True)
def _apply(function, shapes, sizes, a, b, c, p, q, r):
    inputs = [a, b, c]
    tiles = []
    for i in asctile.static_range(len(shapes)):
        source = asctile.global_tensor(inputs[i], shapes[i])
        tiles = tiles + [asctile.copy_in(source, [0] * len(shapes[i]), shapes[i])]
    outputs = [p, q, r]
    results = function(*tiles)
    for i in asctile.static_range(len(sizes)):
        target = asctile.global_tensor(outputs[i], sizes[i])
        asctile.copy_out(results[i], target, [0] * len(sizes[i]))


def apply(function: Any, inputs: Any, outputs: Any) -> None:
    """Launch `function(*tiles)` on one block; it returns one result for every output array.

    Every input and output is one tile; inputs and outputs are numpy arrays of rank 1 and above.
    """
    constant = asctile.ConstExpr
    arrays = [constant(None)] * 6
    arrays[: len(inputs)] = inputs
    arrays[3 : 3 + len(outputs)] = outputs
    shapes = constant([list(array.shape) for array in inputs])
    sizes = constant([list(array.shape) for array in outputs])
    _apply[1](constant(function), shapes, sizes, *arrays)


def result_of(function: Any, *inputs: Any, shape: Any = None, dtype: Any = None) -> Any:
    """The only result of `function`, as an array like the first input unless told otherwise."""
    first = inputs[0]
    wanted = NUMPY[dtype] if isinstance(dtype, str) else dtype
    out = np.zeros(first.shape if shape is None else shape, wanted or first.dtype)
    apply(lambda *tiles: [function(*tiles)], inputs, [out])
    return out


def told(found: Any) -> list[Any]:
    """The findings but for narrow tiles, which most of these tests use on purpose."""
    return [finding for finding in found if finding.code != "portability-last-dimension"]


def refused(exception: type[Exception] | str, match: str = "") -> Any:
    """Expects a refusal: exactly that class (or its name), or a CodegenError with it as cause.

    The diagnostic has a code and a remedy, and its message contains `match`.
    """
    wanted = exception if isinstance(exception, str) else exception.__name__

    class Expectation:
        def __enter__(self) -> None:
            self.found = ascemu.collect()
            self.found.__enter__()

        def __exit__(self, kind: Any, error: Any, traceback: Any) -> bool:
            self.found.__exit__(kind, error, traceback)
            assert error is not None, f"{wanted} was not raised"
            cause = error.__cause__ if type(error) is CodegenError else error
            if type(cause).__name__ != wanted:
                return False
            diagnostic = error.diagnostic
            assert diagnostic.kind in ("invalid", "exhaustion", "unsupported"), diagnostic
            assert diagnostic.code != "python-error", diagnostic
            assert diagnostic.help
            if match not in diagnostic.message:
                pytest.fail(f"{match!r} is not in {diagnostic.message!r}")
            return True

    return Expectation()


def values(dtype: str, shape: Any, low: float = -4, high: float = 4, seed: int = 1) -> Any:
    """Random numbers between low and high as that dtype, whole for integers."""
    numbers = np.random.default_rng(seed).uniform(low, high, shape)
    if dtype.startswith("int"):
        numbers = np.floor(numbers)
    return numbers.astype(NUMPY[dtype])


def close(result: Any, expected: Any, ulps: float = 1.0) -> None:
    """Every element is within that many units in the last place of the float64 reference."""
    exact = np.asarray(expected, np.float64)
    rounded = exact.astype(result.dtype).astype(np.float64)
    info = ml_dtypes.finfo(result.dtype)
    spacing = np.maximum(np.abs(exact), float(info.smallest_normal)) * float(info.eps)
    error = np.abs(result.astype(np.float64) - exact)
    same = (result.astype(np.float64) == rounded) | (np.isnan(rounded) & np.isnan(result))
    bad = ~(same | (error <= ulps * spacing))
    assert not bad.any(), (result[bad][:5], exact[bad][:5])
