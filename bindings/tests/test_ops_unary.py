"""Unary operations: values, dtypes, forms, refusals (spec asc2 §6.3, §11.1)."""

import math

import numpy as np
import pytest
from ascemu.dropin import asc2, asctile
from op_launch import LEGAL, NUMPY, close, dtype_of, refused, result_of, values

REFERENCE = {
    "abs": np.abs,
    "ceil": np.ceil,
    "floor": np.floor,
    "negative": np.negative,
    "relu": lambda x: np.maximum(x, 0),
    "sqrt": np.sqrt,
    "rsqrt": lambda x: 1 / np.sqrt(x),
    "exp": np.exp,
    "exp2": np.exp2,
    "log": np.log,
    "log2": np.log2,
    "sin": np.sin,
    "cos": np.cos,
    "tan": np.tan,
    "sinh": np.sinh,
    "cosh": np.cosh,
    "tanh": np.tanh,
    "erf": np.vectorize(math.erf, otypes=[np.float64]),
}
POSITIVE_ONLY = ("sqrt", "rsqrt", "log", "log2")
CASES = [(name, dtype) for name in REFERENCE for dtype in LEGAL[name]]
ILLEGAL = [
    (name, dtype)
    for name in [*REFERENCE, "bitwise_not"]
    for dtype in NUMPY
    if dtype not in LEGAL[name]
]


@pytest.mark.ascemu(numerics="ieee")  # a chip composes most functions, N11
@pytest.mark.parametrize(("name", "dtype"), CASES)
def test_values(name, dtype):
    x = values(dtype, [3, 37], 0.1 if name in POSITIVE_ONLY else -4, 4)
    expected = REFERENCE[name](x.astype(np.float64))
    result = result_of(getattr(asctile, name), x)
    assert result.dtype == x.dtype
    close(result, expected, 2) if dtype.startswith(("float", "bf")) else None
    if dtype.startswith("int"):
        assert (result == expected).all()


@pytest.mark.parametrize("dtype", LEGAL["bitwise_not"])
def test_bitwise_not(dtype):
    x = values(dtype, [40], -100, 100)
    assert (result_of(asctile.bitwise_not, x) == ~x).all()


@pytest.mark.parametrize(("name", "dtype"), ILLEGAL)
def test_other_dtypes_are_refused(name, dtype):
    x = np.ones([8], NUMPY[dtype])
    with refused(RuntimeError, f"{name}: 'input' has dtype {dtype}; legal: "):
        result_of(getattr(asctile, name), x)


def test_masks_are_refused():
    with refused(RuntimeError, "abs: 'input' has dtype int1"):
        result_of(lambda x: asctile.abs(x > 0), np.ones([8], np.float32))


@pytest.mark.parametrize("dtype", ["int8", "int16", "int32", "int64"])
def test_the_smallest_integer_wraps(dtype):
    x = np.array([np.iinfo(NUMPY[dtype]).min, 1, -1, 0], NUMPY[dtype])
    with np.errstate(over="ignore"):
        assert (result_of(asctile.negative, x) == -x).all()
        assert (result_of(asctile.abs, x) == np.abs(x)).all()


@pytest.mark.parametrize("dtype", ["float16", "float32"])
def test_special_values(dtype):
    x = np.array([np.nan, np.inf, -np.inf, -0.0, 0.0], NUMPY[dtype])
    exp = result_of(asctile.exp, x)
    assert np.isnan(exp[0]) and exp[1:].tolist() == [np.inf, 0, 1, 1]
    log = result_of(asctile.log, x)
    assert np.isnan(log[[0, 2]]).all() and log[[1, 3, 4]].tolist() == [np.inf, -np.inf, -np.inf]
    root = result_of(asctile.sqrt, x)
    assert np.isnan(root[[0, 2]]).all() and root[1] == np.inf and np.signbit(root[3])
    magnitude = result_of(asctile.abs, x)
    assert not np.signbit(magnitude[1:]).any() and magnitude[2] == np.inf
    assert result_of(asctile.tanh, x)[1:].tolist() == [1, -1, 0, 0]
    assert result_of(asctile.erf, x)[1:].tolist() == [1, -1, 0, 0]


@asctile.jit
def forms(x_ptr, out_ptr):
    x = asctile.copy_in(asctile.global_tensor(x_ptr, [4]), [0], [4])
    out = asctile.global_tensor(out_ptr, [8, 4])
    asctile.copy_out(-x, out, [0, 0])
    asctile.copy_out(+x, out, [1, 0])
    asctile.copy_out(x.abs(), out, [2, 0])
    asctile.copy_out(x.exp().log(), out, [3, 0])
    asctile.copy_out(asctile.negative(input=x), out, [4, 0])
    asctile.copy_out(x.abs().sqrt(), out, [5, 0])
    asctile.copy_out(x.relu(), out, [6, 0])
    asctile.copy_out(x.floor() + x.ceil(), out, [7, 0])


def test_methods_and_operators():
    x = np.array([1.5, -4.0, 0.25, -0.5], np.float32)
    out = np.zeros([8, 4], np.float32)
    forms[1](x, out)
    expected = [-x, x, abs(x), x, -x, np.sqrt(abs(x)), np.maximum(x, 0), np.floor(x) + np.ceil(x)]
    np.testing.assert_allclose(out, expected, rtol=1e-6)


@asc2.jit
def inverted(x_ptr, out_ptr):
    x = asc2.copy_in(asc2.global_tensor(x_ptr, [4]), [0], [4])
    asc2.copy_out(~x, asc2.global_tensor(out_ptr, [4]), [0])


def test_the_inversion_operator():
    x = np.array([0, -1, 5, 127], np.int8)
    out = np.zeros(4, np.int8)
    inverted[1](x, out)
    assert (out == ~x).all()


@asctile.jit
def of_scalars(number, out_ptr):
    out = asctile.global_tensor(out_ptr, [8])
    asctile.copy_out(asctile.exp(1), out, [0])
    asctile.copy_out(2 * asctile.sqrt(2 / 9.0), out, [1])
    asctile.copy_out(asctile.erf(0.5), out, [2])
    asctile.copy_out(asctile.sqrt(number), out, [3])
    asctile.copy_out(1.0 / asctile.sqrt(number), out, [4])
    asctile.copy_out(asctile.exp(number) * 2, out, [5])


@pytest.mark.parametrize("number", [4, 4.0, np.float32(4), np.int32(4)])
def test_scalar_operands(number):
    out = np.zeros(8, np.float32)
    of_scalars[1](number, out)
    expected = [math.e, 2 * math.sqrt(2 / 9), math.erf(0.5), 2, 0.5, 2 * math.exp(4), 0, 0]
    np.testing.assert_allclose(out, expected, rtol=1e-6)


@pytest.mark.parametrize("name", ["log", "sin", "abs", "relu", "negative", "floor", "rsqrt"])
def test_other_operations_take_no_scalar(name):
    with refused(TypeError, "must be LocalTensor"):
        result_of(lambda x: getattr(asctile, name)(2.0), np.ones([8], np.float32))


@pytest.mark.parametrize("name", ["exp", "sqrt", "erf"])
@pytest.mark.parametrize("dtype", ["int16", "int64", "int8"])
def test_scalar_operands_that_no_conversion_takes_to_float32(name, dtype):
    with refused(NotImplementedError, f"cannot be cast from {dtype} to float32"):
        result_of(
            lambda x: getattr(asctile, name)(asctile.number(1, dtype_of(dtype))),
            np.ones([8], np.float32),
        )
