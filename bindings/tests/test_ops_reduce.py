"""Reductions: every set of axes, dtypes, size-1 dimensions, refusals (spec asc2 §6.4, §11.5)."""

import itertools

import ascemu
import numpy as np
import pytest
from ascemu.dropin import asc2, asctile
from op_launch import NUMPY, apply, refused, result_of, told, values

REFERENCE = {"sum": np.sum, "max": np.max, "min": np.min, "prod": np.prod}
AXIS_DTYPES = {
    "sum": ["int32", "int64", "float32"],
    "max": ["int8", "int16", "int32", "int64", "float16", "bfloat16", "float32"],
    "min": ["int8", "int16", "int32", "int64", "float16", "bfloat16", "float32"],
    "prod": ["float32"],
}
WHOLE_DTYPES = {
    "sum": ["int64", "float16", "float32"],
    "max": ["int16", "int32", "int64", "float16", "float32"],
    "min": ["int16", "int32", "int64", "float16", "float32"],
    "prod": [],
}


def op(name):
    return getattr(asctile, f"reduce_{name}")


def axis_sets(rank):
    return [
        axes for count in range(1, rank + 1) for axes in itertools.combinations(range(rank), count)
    ]


@pytest.mark.parametrize(
    ("name", "dtype"), [(n, d) for n, dtypes in AXIS_DTYPES.items() for d in dtypes]
)
@pytest.mark.parametrize("axes", axis_sets(3))
def test_every_set_of_axes(name, dtype, axes):
    x = values(dtype, [3, 4, 5])
    expected = REFERENCE[name](x.astype(np.float64), axis=axes, keepdims=True)
    result = result_of(lambda a: op(name)(a, *axes, keep_dims=True), x, shape=expected.shape)
    np.testing.assert_allclose(result.astype(np.float64), expected, rtol=1e-5, atol=1e-5)
    if len(axes) < 3:
        flat = result_of(
            lambda a: op(name)(a, *reversed(axes)), x, shape=np.squeeze(expected).shape
        )
        assert (flat == np.squeeze(result)).all()


@pytest.mark.parametrize(
    ("name", "dtype"), [(n, d) for n, dtypes in WHOLE_DTYPES.items() for d in dtypes]
)
@pytest.mark.parametrize("shape", [[1], [37], [3, 5], [1, 1, 9]])
def test_whole_reductions_are_scalars(name, dtype, shape):
    x = values(dtype, shape)
    expected = REFERENCE[name](x.astype(np.float64))
    seen = []

    def reduce(a):
        result = op(name)(a)
        seen.append((type(result).__name__, str(result.dtype)))
        return result

    result = result_of(reduce, x, shape=[1])
    np.testing.assert_allclose(result[0].astype(np.float64), expected, rtol=2e-3, atol=2e-3)
    assert seen[0] == ("PlainValue", dtype)


@pytest.mark.parametrize(
    ("name", "dtype"), [(n, d) for n in AXIS_DTYPES for d in NUMPY if d not in AXIS_DTYPES[n]]
)
def test_axis_dtypes(name, dtype):
    with refused(RuntimeError, f"reduce_{name}: 'input' has dtype {dtype}; legal: "):
        apply(lambda a: [op(name)(a, 0)], [np.ones([4, 8], NUMPY[dtype])], [])


@pytest.mark.parametrize(
    ("name", "dtype"),
    [(n, d) for n in ("sum", "max", "min") for d in NUMPY if d not in WHOLE_DTYPES[n]],
)
def test_whole_dtypes(name, dtype):
    with refused(RuntimeError, f"reduce_{name}: 'input' has dtype {dtype}; legal: "):
        apply(lambda a: [op(name)(a)], [np.ones([4, 8], NUMPY[dtype])], [])


@pytest.mark.parametrize("dtype", ["float32", "float16", "int32"])
def test_there_is_no_whole_product(dtype):
    with refused(RuntimeError, "a reduction to a scalar does not exist"):
        apply(lambda a: [op("prod")(a)], [np.ones([4, 8], dtype)], [])


@pytest.mark.parametrize(
    ("axes", "exception", "message"),
    [
        ((-1,), RuntimeError, "dimension -1 is out of range for a tensor of rank 2"),
        ((2,), RuntimeError, "dimension 2 is out of range for a tensor of rank 2"),
        ((2**40,), RuntimeError, "out of range"),
        ((2**70,), OverflowError, "64 bits"),
        ((0, 0), RuntimeError, "dimension 0 occurs twice"),
        ((0, 1), RuntimeError, "all dimensions of shape [4, 8] are reduced without keep_dims"),
        ((1.0,), TypeError, "All values in 'dims' must be integers"),
        (("0",), TypeError, "All values in 'dims' must be integers"),
        (([0],), TypeError, "All values in 'dims' must be integers"),
        ((None,), TypeError, "All values in 'dims' must be integers"),
    ],
)
def test_axis_refusals(axes, exception, message):
    with refused(exception, message):
        apply(lambda a: [asctile.reduce_max(a, *axes)], [np.ones([4, 8], np.float32)], [])


@pytest.mark.parametrize("keep", [1, 0, None, "yes"])
def test_keep_dims_is_a_bool(keep):
    with refused(TypeError, "'keep_dims' argument must be bool"):
        apply(lambda a: [a.sum(0, keep_dims=keep)], [np.ones([4, 8], np.float32)], [])


UNIT_CASES = [
    ([1, 9], (1,), [1]),
    ([1, 9], (0,), [9]),
    ([9, 1], (1,), [9]),
    ([4, 1, 8], (2,), [4, 1]),
    ([1, 6, 4], (1,), [1, 4]),
    ([1, 6, 4], (0, 2), [6]),
    ([2, 1, 3], (1,), [2, 3]),
]


@pytest.mark.parametrize(("shape", "axes", "expected"), UNIT_CASES)
def test_size_one_dimensions_have_the_numpy_meaning_and_a_warning(shape, axes, expected):
    x = values("float32", shape)
    with ascemu.collect() as found:
        result = result_of(lambda a: asctile.reduce_sum(a, *axes), x, shape=expected)
    np.testing.assert_allclose(result, x.sum(axes), rtol=1e-5)
    assert [(one.code, one.severity) for one in told(found)] == [("portability", "warning")]
    assert f"reduce_sum of shape {shape} without keep_dims" in told(found)[0].message
    with ascemu.collect() as found:
        kept = x.sum(axes, keepdims=True)
        result = result_of(
            lambda a: asctile.reduce_sum(a, *axes, keep_dims=True), x, shape=kept.shape
        )
    np.testing.assert_allclose(result, kept, rtol=1e-5)
    assert not told(found)


@pytest.mark.parametrize("dtype", ["int8", "float16", "bfloat16", "int16"])
def test_only_size_one_dimensions_need_no_dtype(dtype):
    x = values(dtype, [4, 1])
    result = result_of(lambda a: asctile.reduce_sum(a, 1, keep_dims=True), x)
    assert (result == x).all()


def test_all_dimensions_of_size_one():
    with refused(RuntimeError, "all dimensions of shape [1, 1] are reduced"):
        apply(lambda a: [asctile.reduce_sum(a, 0, 1)], [np.ones([1, 1], np.float32)], [])


@asc2.jit
def methods(x_ptr, out_ptr):
    x = asc2.copy_in(asc2.global_tensor(x_ptr, [3, 4]), [0, 0], [3, 4])
    out = asc2.global_tensor(out_ptr, [8, 4])
    asc2.copy_out(x.sum(0), out, [0, 0])
    asc2.copy_out(x.max(0), out, [1, 0])
    asc2.copy_out(x.min(0), out, [2, 0])
    asc2.copy_out(x.prod(0), out, [3, 0])
    total = x.sum()
    asc2.copy_out(total, out, [4, 0])
    asc2.copy_out(total / x.size, out, [4, 1])
    asc2.copy_out(x.max() - x.min(), out, [4, 2])
    asc2.copy_out(1.0 / asc2.sqrt(total), out, [4, 3])
    asc2.copy_out(asc2.full([4], x.max()), out, [5, 0])
    asc2.copy_out(x.sum(1, keep_dims=True).reshape(3), out, [6, 0])
    asc2.copy_out((x / x.sum(1, keep_dims=True)).sum(0), out, [7, 0])


def test_methods_and_scalars():
    x = values("float32", [3, 4], 1, 4)
    out = np.zeros([8, 4], np.float32)
    with ascemu.options(checks={"alignment": "off"}):
        methods[1](x, out)
    total = x.sum()
    expected = np.zeros([8, 4])
    expected[:4] = [x.sum(0), x.max(0), x.min(0), x.prod(0)]
    expected[4] = [total, total / 12, x.max() - x.min(), 1 / np.sqrt(total)]
    expected[5] = x.max()
    expected[6, :3] = x.sum(1)
    expected[7] = (x / x.sum(1, keepdims=True)).sum(0)
    np.testing.assert_allclose(out, expected, rtol=1e-5)


@pytest.mark.parametrize("name", ["max", "min"])
def test_nan_wins(name):
    x = np.array([[1, np.nan, 2], [3, 4, 5]], np.float32)
    result = result_of(lambda a: op(name)(a, 1), x, shape=[2])
    assert np.isnan(result[0]) and result[1] == REFERENCE[name](x[1])


@pytest.mark.parametrize("dtype", ["int32", "int64"])
def test_integer_sums_wrap(dtype):
    top = np.iinfo(NUMPY[dtype]).max
    x = np.array([[top, 1], [top, top]], NUMPY[dtype])
    with np.errstate(over="ignore"):
        expected = x.sum(1, dtype=x.dtype)
    assert (result_of(lambda a: asctile.reduce_sum(a, 1), x, shape=[2]) == expected).all()
