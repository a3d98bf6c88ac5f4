"""The check `numeric`: which elements make an event, and how often it is told."""

import asc2
import ascemu
import numpy as np
import pytest


def events(kernel, *arguments, blocks=1, **options):
    """The code, message and notes of every event of a launch."""
    settings = {"checks": {"numeric": "warn", "race": "off"}, **options}
    with ascemu.options(**settings), ascemu.collect() as found:
        kernel[blocks](*arguments)
    return [(f.code, f.message, list(f.notes)) for f in found if f.check == "numeric"]


@asc2.jit
def masked_log(x_ptr, y_ptr, count: asc2.ConstExpr[int]):
    x = asc2.copy_in(asc2.global_tensor(x_ptr, [64]), [0], [64])
    with asc2.mask(count=count, other=0.0):
        asc2.copy_out(asc2.log(x), asc2.global_tensor(y_ptr, [64]), [0])


def test_lanes_that_a_mask_excludes_make_no_event():
    x = np.ones(64, np.float32)
    x[40] = 0
    y = np.zeros_like(x)
    assert events(masked_log, x, y, 40) == []
    assert events(masked_log, x, y, 41) == [
        (
            "numeric-infinity",
            "log makes infinity of x = 0.0",
            ["first element: [40] of [64]", "elements: 1 of 64"],
        )
    ]


@asc2.jit
def tail(x_ptr, y_ptr):
    x = asc2.copy_in(asc2.global_tensor(x_ptr, [8]), [0], [64])
    asc2.copy_out((x * 2.0).to(asc2.int32), asc2.global_tensor(y_ptr, [8]), [0])


def test_undefined_elements_make_no_event():
    assert events(tail, np.ones(8, np.float32), np.zeros(8, np.int32)) == []


@asc2.jit
def spoiled(x_ptr, y_ptr):
    x = asc2.copy_in(asc2.global_tensor(x_ptr, [8]), [0], [8])
    asc2.copy_out(asc2.sqrt(x) * 2.0 + 1.0, asc2.global_tensor(y_ptr, [8]), [0])


@pytest.mark.parametrize("numerics", ["npu", "ieee", "fp64"])
def test_only_the_first_nan_is_told(numerics):
    x = np.array([1, 4, -1, -2, 1, 1, 1, 1], np.float32)
    found = events(spoiled, x, np.zeros_like(x), blocks=3, numerics=numerics)
    assert found == [
        (
            "numeric-nan",
            "sqrt makes NaN of x = -1.0",
            ["first element: [2] of [8]", "elements: 2 of 8"],
        )
    ]


@asc2.jit
def rows(x_ptr, y_ptr):
    x = asc2.copy_in(asc2.global_tensor(x_ptr, [2, 8]), [0, 0], [2, 8])
    asc2.copy_out(asc2.softmax(x), asc2.global_tensor(y_ptr, [2, 8]), [0, 0])


def test_operations_on_whole_rows():
    x = np.zeros(16, np.float32)
    x[8:] = -np.inf
    assert events(rows, x, np.zeros_like(x)) == [
        (
            "numeric-nan",
            "softmax makes NaN of operands that hold none",
            ["first element: [1, 0] of [2, 8]", "elements: 8 of 16"],
        )
    ]


@asc2.jit
def scalars(y_ptr, a, b):
    asc2.copy_out(a / b, asc2.global_tensor(y_ptr, [1]), [0])


def test_scalars():
    assert events(scalars, np.zeros(1, np.float32), 1.0, 0.0) == [
        ("numeric-infinity", "div makes infinity of a = 1.0 and b = 0.0", [])
    ]


def test_off_by_default():
    x = -np.ones(8, np.float32)
    with ascemu.collect() as found:
        spoiled[1](x, np.zeros_like(x))
    assert list(found) == []
