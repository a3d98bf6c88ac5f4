"""Comparing launches in fp64 with numpy's float64, for the tests test_double_*.py.

What it is: launches in a numeric mode, and equality of bits with an exact result rounded once.
What it is not: tolerances.
"""

import ascemu
import numpy as np


def in_mode(mode, function, *arguments, **options):
    with ascemu.options(numerics=mode):
        return function(*arguments, **options)


def wide(x):
    return np.asarray(x, np.float64)


def same(result, exact):
    """The exact float64 result, rounded once to the dtype of `result`."""
    with np.errstate(over="ignore"):
        rounded = exact.astype(result.dtype)
    bits = f"u{result.dtype.itemsize}"
    bad = result.view(bits) != rounded.view(bits)
    assert not bad.any(), (result[bad][:5], rounded[bad][:5])


def differs(result, other):
    assert (result.view("u1") != other.view("u1")).any()
