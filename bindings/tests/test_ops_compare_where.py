"""Comparisons, where and mask (spec asc2 §6.2, §6.7, §11.1)."""

import operator

import numpy as np
import pytest
from ascemu.dropin import asc2, asctile
from op_launch import LEGAL, NUMPY, apply, dtype_of, refused, result_of, values

COMPARE = {
    "equal": operator.eq,
    "not_equal": operator.ne,
    "greater": operator.gt,
    "greater_equal": operator.ge,
    "less": operator.lt,
    "less_equal": operator.le,
}


def flags(compare):
    """The mask of a comparison as int32 ones and zeros."""
    return lambda *tiles: asctile.where(compare(*tiles), 1, 0)


@pytest.mark.parametrize("name", COMPARE)
@pytest.mark.parametrize("dtype", LEGAL["equal"])
def test_comparisons(name, dtype):
    a, b = values(dtype, [2, 65], -3, 3), values(dtype, [2, 65], -3, 3, seed=2)
    b[0, ::2] = a[0, ::2]
    result = result_of(flags(getattr(asctile, name)), a, b, dtype=np.int32)
    assert (result == COMPARE[name](a, b)).all()
    for number in (1, -1.0):
        result = result_of(
            flags(lambda x, number=number: getattr(asctile, name)(x, number)), a, dtype=np.int32
        )
        assert (result == COMPARE[name](a, a.dtype.type(number))).all()
        result = result_of(
            flags(lambda x, number=number: getattr(asctile, name)(number, x)), a, dtype=np.int32
        )
        assert (result == COMPARE[name](a.dtype.type(number), a)).all()


@pytest.mark.parametrize("name", COMPARE)
@pytest.mark.parametrize("dtype", ["int64", "float64"])
def test_compared_dtypes(name, dtype):
    with refused(RuntimeError, f"{name}: 'input' has dtype {dtype}; legal: "):
        result_of(flags(getattr(asctile, name)), *[np.ones([8], dtype)] * 2)


def test_comparisons_broadcast():
    a, b = values("float32", [4, 1]), values("float32", [6], seed=2)
    result = result_of(flags(asctile.less), a, b, shape=[4, 6], dtype=np.int32)
    assert (result == (a < b)).all()


def test_comparisons_with_nan_are_false():
    x = np.array([np.nan, 1], np.float32)
    for name in ("equal", "greater", "greater_equal", "less", "less_equal"):
        result = result_of(flags(lambda a, n=name: getattr(asctile, n)(a, a)), x, dtype=np.int32)
        assert result[0] == 0


@asc2.jit
def operators(a_ptr, out_ptr):
    a = asc2.copy_in(asc2.global_tensor(a_ptr, [5]), [0], [5])
    out = asc2.global_tensor(out_ptr, [6, 5])
    asc2.copy_out(asc2.where(a == 2, 1, 0), out, [0, 0])
    asc2.copy_out(asc2.where(a != 2, 1, 0), out, [1, 0])
    asc2.copy_out(asc2.where(a > 2, 1, 0), out, [2, 0])
    asc2.copy_out(asc2.where(a >= 2, 1, 0), out, [3, 0])
    asc2.copy_out(asc2.where(a < 2, 1, 0), out, [4, 0])
    asc2.copy_out(asc2.where(a <= 2, 1, 0), out, [5, 0])


@pytest.mark.parametrize("dtype", ["int8", "int16", "int32", "float16", "bfloat16", "float32"])
def test_operators(dtype):
    a = np.array([1, 2, 3, 2, -2], NUMPY[dtype])
    out = np.zeros([6, 5], np.int32)
    operators[1](a, out)
    assert (out == [a == 2, a != 2, a > 2, a >= 2, a < 2, a <= 2]).all()


@pytest.mark.parametrize("dtype", LEGAL["where"])
def test_where_of_tensors_and_numbers(dtype):
    a, b = values(dtype, [3, 20]), values(dtype, [3, 20], seed=2)
    keep = a > b
    assert (result_of(lambda x, y: asctile.where(x > y, x, y), a, b) == np.where(keep, a, b)).all()
    assert (result_of(lambda x, y: asctile.where(x > y, x, 3), a, b) == np.where(keep, a, 3)).all()
    assert (result_of(lambda x, y: asctile.where(x > y, 3, y), a, b) == np.where(keep, 3, b)).all()
    result = result_of(
        lambda x, y: asctile.where(x > y, asctile.number(2, dtype_of(dtype)), y), a, b
    )
    assert (result == np.where(keep, a.dtype.type(2), b)).all()


@pytest.mark.parametrize(
    ("one", "other", "dtype"),
    [(1, 0, "int32"), (1.5, 0.5, "float32"), (1, 0.5, "float32"), (True, 7, "int32")],
)
def test_where_of_two_numbers(one, other, dtype):
    a = values("float32", [33])
    seen = []

    def select(x):
        result = asctile.where(x > 0, one, other)
        seen.append(str(result.dtype))
        return result

    result = result_of(select, a, dtype=dtype)
    assert (result == np.where(a > 0, one, other)).all()
    assert set(seen) == {dtype}


@pytest.mark.parametrize("dtype", ["int8", "int16", "int64", "float16", "bfloat16"])
def test_a_cast_of_where_of_numbers_is_legal_for_every_dtype(dtype):
    a = values("float32", [33])
    result = result_of(lambda x: asctile.where(x > 0, 3, 300).to(dtype_of(dtype)), a, dtype=dtype)
    with np.errstate(over="ignore"):
        expected = np.where(a > 0, 3, 300).astype(NUMPY[dtype])
    assert (result == expected).all()


def test_where_broadcasts_the_arms_to_the_mask():
    m, a, b = values("float32", [4, 6]), values("float32", [6]), values("float32", [4, 1])
    result = result_of(lambda m, x, y: asctile.where(m > 0, x, y), m, a, b)
    assert (result == np.where(m > 0, a, b)).all()
    with refused(RuntimeError, "[4, 6]"):
        result_of(lambda x, m: asctile.where(m > 0, x, x), m, a)


def test_the_unselected_side_does_not_leak():
    a = np.array([np.nan, 1, np.inf, 2], np.float32)
    assert result_of(lambda x: asctile.where(x == x, x, 0.0), a).tolist() == [0, 1, np.inf, 2]


@pytest.mark.parametrize(
    ("arms", "exception", "message"),
    [
        (lambda x: (x.to(asctile.float16), asctile.number(1, asctile.int32)),
         NotImplementedError, "int32 to float16"),
        (lambda x: (asctile.number(1.0, asctile.float16), 1), RuntimeError, "common dtype"),
        (lambda x: (x.to(asctile.int64), 0), RuntimeError, "int64"),
        (lambda x: (x, None), TypeError, "'src1' argument must be LocalTensor or a number"),
        (lambda x: ("a", x), TypeError, "'src0' argument must be LocalTensor or a number"),
    ],
)  # fmt: skip
def test_where_refusals(arms, exception, message):
    a = np.ones([16], np.float32)
    with refused(exception, message):
        apply(lambda x: [asctile.where(x > 0, *arms(x))], [a], [])


def test_the_mask_must_be_int1():
    a = np.ones([16], np.float32)
    with refused(RuntimeError, "where: 'mask' has dtype float32; legal: int1"):
        result_of(lambda x: asctile.where(x, x, x), a)


@asctile.jit
def lanes(
    a_ptr, out_ptr, count: asctile.ConstExpr, bits: asctile.ConstExpr, other: asctile.ConstExpr
):
    n = 200
    a = asctile.copy_in(asctile.global_tensor(a_ptr, [n]), [0], [n])
    with asctile.mask(count=count, bits=bits, other=other):
        asctile.copy_out(a + a, asctile.global_tensor(out_ptr, [n]), [0])


@pytest.mark.parametrize("dtype", ["float32", "float16", "int32", "int16", "int64"])
@pytest.mark.parametrize("count", [0, 1, 23, 64, 1000])
def test_a_mask_counts_in_every_repeat(dtype, count):
    a = values(dtype, [200])
    out = np.zeros_like(a)
    lanes[1](a, out, count, None, 7)
    active = np.arange(200) % (256 // a.dtype.itemsize) < count
    assert (out == np.where(active, a + a, 7)).all()


def test_mask_bits():
    a = values("float32", [200])
    out = np.zeros_like(a)
    high, low = 0xF, 0x8000_0000_0000_0005
    lanes[1](a, out, None, [high, low], -1)
    lane = np.arange(200) % 64
    active = np.isin(lane, [0, 2, 63])
    assert (out == np.where(active, a + a, -1)).all()
    b = values("int16", [200])
    out = np.zeros_like(b)
    lanes[1](b, out, None, [high, low], -1)
    active = np.isin(np.arange(200) % 128, [0, 2, 63, 64, 65, 66, 67])
    assert (out == np.where(active, b + b, -1)).all()


@pytest.mark.parametrize(
    ("options", "exception", "message"),
    [
        ((None, None, None), ValueError, "either 'count' or 'bits'"),
        ((4, [1, 2], None), ValueError, "either 'count' or 'bits'"),
        (("4", None, None), TypeError, "'count' argument must be int"),
        ((-1, None, None), ValueError, "'count' is -1"),
        ((None, [1], None), ValueError, "'bits' must have 2 values"),
        ((None, [], None), RuntimeError, "'bits' must have 2 values"),
        ((None, [1.5, 2], None), TypeError, "'bits' must be integers"),
        ((4, None, "x"), TypeError, "'other' argument must be a number"),
    ],
)
def test_mask_refusals(options, exception, message):
    a = np.ones(200, np.float32)
    with refused(exception, message):
        lanes[1](a, a.copy(), *options)


def test_power_has_no_masked_form():
    @asctile.jit
    def kernel(a_ptr):
        a = asctile.copy_in(asctile.global_tensor(a_ptr, [8]), [0], [8])
        with asctile.mask(count=4):
            a = a**2

    with refused(RuntimeError, "pow: the device has no masked form"):
        kernel[1](np.ones(8, np.float32))
