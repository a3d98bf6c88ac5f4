"""A small suite of one kernel for the tests of the pytest plugin, and a run of it."""

import os

import pytest

KERNELS = """
    import asc
    import asc2

    @asc2.jit
    def double(x_ptr: asc.GlobalAddress, y_ptr, size: asc.ConstExpr[int]):
        x_gm = asc2.global_tensor(x_ptr, [size])
        y_gm = asc2.global_tensor(y_ptr, [size])
        asc2.copy_out(asc2.copy_in(x_gm, [0], [size]) * 2.0, y_gm, [0])
"""
TEST = """
    import numpy as np
    from kernels import double

    def test_double():
        x = np.arange(8, dtype=np.float32)
        y = np.zeros_like(x)
        double[1](x, y, 8)
        assert np.array_equal(y, 2 * x)
"""


@pytest.fixture(autouse=True)
def clean_environment(monkeypatch):
    for name in list(os.environ):
        if name.startswith(("ASCEMU", "PYTEST_ADDOPTS", "PYTEST_XDIST")):
            monkeypatch.delenv(name)


@pytest.fixture
def suite(pytester):
    """A suite of one kernel and one test."""
    pytester.syspathinsert()
    pytester.makepyfile(kernels=KERNELS, test_double=TEST)
    return pytester


def run(pytester, *arguments):
    return pytester.runpytest_subprocess("-p", "no:cacheprovider", *arguments)
