"""gather and scatter: both argument orders, index dtypes, bounds, tails, refusals (§5.9, §11.4)."""

import numpy as np
import pytest
from ascemu.dropin import asc2, asctile
from ascemu.errors import KernelError, OffsetsError
from op_launch import NUMPY, refused, values

INDEX_DTYPES = ["int8", "int16", "int32", "int64"]


@asctile.jit(always_compile=True)
def gathered(function: asctile.ConstExpr, x_ptr, i_ptr, out_ptr, gm_shape: asctile.ConstExpr,
             count: asctile.ConstExpr, shape: asctile.ConstExpr):  # fmt: skip
    gm = asctile.global_tensor(x_ptr, gm_shape)
    index = asctile.copy_in(asctile.global_tensor(i_ptr, [count]), [0], [count])
    tile = function(gm, index)
    asctile.copy_out(tile, asctile.global_tensor(out_ptr, shape), [0] * len(shape))


def gather(x, index, function, shape, gm_shape=None):
    """The tile that `function(gm, index)` makes."""
    out = np.zeros(shape, x.dtype)
    gathered[1](function, x, index, out, list(gm_shape or x.shape), len(index), list(shape))
    return out


X = values("float32", [6, 8], 1, 2)


@pytest.mark.parametrize("dtype", INDEX_DTYPES)
@pytest.mark.parametrize("module", [asc2, asctile])
def test_rows_by_index(dtype, module):
    index = np.array([5, 0, 3, 3, 1], NUMPY[dtype])
    result = gather(X, index, lambda gm, i: module.gather(gm, [0], 0, i), [5, 8])
    assert (result == X[index]).all()


@pytest.mark.parametrize("dtype", NUMPY)
def test_data_of_every_dtype(dtype):
    x = np.arange(6 * 32).reshape(6, 32).astype(NUMPY[dtype])
    index = np.array([2, 4], np.int32)
    result = gather(x, index, lambda gm, i: asctile.gather(gm, [0], 0, i), [2, 32])
    assert (result == x[index]).all()


@pytest.mark.usefixtures("undefined_is_stored")
def test_the_older_argument_order_of_asc2():
    index = np.array([4, -1, 2], np.int32)
    for form in (
        lambda gm, i: asc2.gather(gm, [0], i, 0, True, 2, 9.0),
        lambda gm, i: asc2.gather(gm, [0], i, 0, real_shape=2, pad_value=9.0),
        lambda gm, i: asc2.gather(gm, [0], 0, i, num_indices=2, pad_value=9.0),
        lambda gm, i: asc2.gather(gm, offsets=[0], dim=0, index=i, num_indices=2, pad_value=9.0),
    ):
        result = gather(X, index, form, [3, 8])
        assert (result[0] == X[4]).all() and (result[1] == 9).all()
        assert np.isnan(result[2]).all()
    with refused(TypeError, "'dim' argument must be int"):
        gather(X, index, lambda gm, i: asctile.gather(gm, [0], i, 0), [3, 8])


def test_indices_out_of_range_give_rows_of_the_pad():
    index = np.array([-1, 6, 5, 100, -(2**31), 2**31 - 1], np.int32)
    result = gather(X, index, lambda gm, i: asctile.gather(gm, [0], 0, i), [6, 8])
    assert (result[2] == X[5]).all() and (np.delete(result, 2, 0) == 0).all()
    result = gather(X, index, lambda gm, i: asctile.gather(gm, [2], 0, i, pad_value=-3), [6, 8])
    assert (result == -3).all()


def test_int64_indices_are_truncated_to_int32():
    index = np.array([2**32 + 2, -(2**32)], np.int64)
    result = gather(X, index, lambda gm, i: asctile.gather(gm, [0], 0, i), [2, 8])
    assert (result == X[[2, 0]]).all()


@pytest.mark.parametrize("pad", [None, 7])
def test_the_last_dimension_is_rounded_up_to_a_block(pad):
    x = values("float32", [6, 5], 1, 2)
    index = np.array([3, 1], np.int32)
    result = gather(x, index, lambda gm, i: asctile.gather(gm, [0], 0, i, pad_value=pad), [2, 8])
    assert (result[:, :5] == x[index]).all() and (result[:, 5:] == (pad or 0)).all()


@pytest.mark.parametrize("dim", [0, 1])
def test_other_dimensions(dim):
    x = values("float32", [3, 4, 2, 8], 1, 2)
    index = np.array([1, 0], np.int32)
    if dim == 0:
        expected = x[1:][index]
        result = gather(x, index, lambda gm, i: asctile.gather(gm, [1], 0, i), expected.shape)
    else:
        expected = x[2, 2:][index]
        result = gather(x, index, lambda gm, i: asctile.gather(gm, [2, 2], 1, i), expected.shape)
    assert (result == expected).all()


@pytest.mark.usefixtures("undefined_is_stored")
@pytest.mark.parametrize("count", [0, 1, 3, 7])
def test_rows_beyond_num_indices_are_undefined(count):
    index = np.array([1, 2, 3], np.int32)
    result = gather(
        X, index, lambda gm, i: asctile.gather(gm, [0], 0, i, num_indices=count), [3, 8]
    )
    kept = min(count, 3)
    assert (result[:kept] == X[index[:kept]]).all() and np.isnan(result[kept:]).all()


def test_without_bounds_anything_in_the_array_is_read():
    index = np.array([4, 1], np.int32)

    def function(gm, i):
        return asctile.gather(gm, [0], 0, i, check_bounds=False)

    assert (gather(X, index, function, [2, 8], [2, 8]) == X[index]).all()
    with pytest.raises(KernelError, match="gather reads 8 elements") as caught:
        gather(X, np.array([0, 6], np.int32), function, [2, 8])
    assert caught.value.diagnostic.code == "index-out-of-bounds"
    with pytest.raises(KernelError, match="gather reads"):
        gather(X, np.array([-1, 2**31 - 1], np.int32), function, [2, 8])


GATHER_REFUSALS = [
    (lambda g, i: asctile.gather(1, [0], 0, i), TypeError, "'src' argument must be GlobalTensor"),
    (lambda g, i: asctile.gather(g, [0, 0], 0, i), OffsetsError, "'dim' + 1 values, got 2"),
    (lambda g, i: asctile.gather(g, [], 0, i), OffsetsError, "at least one value"),
    (lambda g, i: asctile.gather(g, ["0"], 0, i), TypeError, "must be integers"),
    (lambda g, i: asctile.gather(g, [0], 0, [0, 1]), TypeError, "'index' argument must be Local"),
    (lambda g, i: asctile.gather(g, [0], 0, i.to(asctile.float32)), RuntimeError, "'index' has"),
    (lambda g, i: asctile.gather(g, [0], 0, i.reshape(1, 2)), ValueError, "one dimension"),
    (lambda g, i: asctile.gather(g, [0] * 4, 3, i), ValueError, "'dim' is 3; legal: 0 to 1"),
    (lambda g, i: asctile.gather(g, [0, 0], 1, i), NotImplementedError, "the last dimension"),
    (lambda g, i: asctile.gather(g, [0], 0, i, num_indices=1.5), TypeError, "'num_indices'"),
    (lambda g, i: asctile.gather(g, [0], 0, i, check_bounds=1), TypeError, "'check_bounds'"),
    (lambda g, i: asctile.gather(g, [0], 0, i, pad_value="0"), TypeError, "'pad_value'"),
    (lambda g, i: asctile.gather(g, [0], -1, i), OffsetsError, "for dim -1"),
]


@pytest.mark.parametrize(("call", "exception", "message"), GATHER_REFUSALS)
def test_gather_refusals(call, exception, message):
    with refused(exception, message):
        gather(X, np.array([0, 1], np.int32), call, [2, 8])


@asctile.jit
def dynamic_tail(x_ptr, i_ptr, n):
    gm = asctile.global_tensor(x_ptr, [6, n])
    index = asctile.copy_in(asctile.global_tensor(i_ptr, [2]), [0], [2])
    asctile.gather(gm, [0], 0, index)


def test_a_dynamic_dimension_after_dim():
    with refused(ValueError, "only known at run time"):
        dynamic_tail[1](X, np.zeros(2, np.int32), 8)


@asctile.jit(always_compile=True)
def scattered(function: asctile.ConstExpr, x_ptr, i_ptr, out_ptr, shape: asctile.ConstExpr,
              count: asctile.ConstExpr, gm_shape: asctile.ConstExpr):  # fmt: skip
    gm = asctile.global_tensor(out_ptr, gm_shape)
    tile = asctile.copy_in(asctile.global_tensor(x_ptr, shape), [0] * len(shape), shape)
    index = asctile.copy_in(asctile.global_tensor(i_ptr, [count]), [0], [count])
    function(tile, index, gm)


def scatter(x, index, function, shape, gm_shape=None):
    """An array of zeros after `function(tile, index, gm)`."""
    out = np.zeros(shape, x.dtype)
    scattered[1](function, x, index, out, list(x.shape), len(index), list(gm_shape or shape))
    return out


def rows_at(offset, dim=0, **options):
    return lambda x, i, gm: asctile.scatter(x, dim, i, gm, offset, **options)


@pytest.mark.parametrize("dtype", INDEX_DTYPES)
def test_scatter_to_rows(dtype):
    index = np.array([4, 0, 2], NUMPY[dtype])
    expected = np.zeros([6, 8], np.float32)
    expected[index] = X[:3]
    assert (scatter(X[:3], index, rows_at([0]), [6, 8]) == expected).all()


def test_both_orders_of_scatter():
    index = np.array([4, 0, 2], np.int32)
    expected = np.zeros([6, 8], np.float32)
    expected[index[:2]] = X[:2]
    for form in (
        lambda x, i, gm: asc2.scatter(i, x, gm, [0], 0, True, 2),
        lambda x, i, gm: asc2.scatter(i, x, gm, [0], 0, real_shape=2),
        lambda x, i, gm: asc2.scatter(x, 0, i, gm, [0], num_indices=2),
        lambda x, i, gm: asctile.scatter(x, 0, i, gm, [0], True, 2),
    ):
        assert (scatter(X[:3], index, form, [6, 8]) == expected).all()


def test_the_last_of_equal_indices_wins_and_rows_outside_are_skipped():
    index = np.array([1, 1, -1, 6, 1, 100], np.int32)
    expected = np.zeros([6, 8], np.float32)
    expected[1] = X[4]
    assert (scatter(X, index, rows_at([0]), [6, 8]) == expected).all()
    assert (scatter(X, index, rows_at([6]), [6, 8]) == 0).all()
    shifted = np.zeros([6, 8], np.float32)
    shifted[4] = X[4]
    assert (scatter(X, index, rows_at([3]), [6, 8]) == shifted).all()


def test_the_last_dimension_of_scatter_may_differ():
    index = np.array([1, 0], np.int32)
    narrow = scatter(X[:2], index, rows_at([0]), [3, 5])
    assert (narrow[:2] == X[[1, 0], :5]).all() and (narrow[2] == 0).all()
    wide = scatter(X[:2], index, rows_at([0]), [3, 10])
    assert (wide[:2, :8] == X[[1, 0]]).all() and (wide[:, 8:] == 0).all()


def test_scatter_along_a_later_dimension():
    x = values("float32", [2, 3, 4], 1, 2)
    index = np.array([3, 0], np.int32)
    expected = np.zeros([2, 4, 3, 4], np.float32)
    expected[1, index] = x
    assert (scatter(x, index, rows_at([1, 0], dim=1), [2, 4, 3, 4]) == expected).all()


def test_scatter_outside_without_bounds_is_a_fault():
    with pytest.raises(KernelError, match="scatter writes 8 elements") as caught:
        scatter(X[:2], np.array([0, 6], np.int32), rows_at([0], check_bounds=False), [6, 8])
    assert caught.value.diagnostic.check == "bounds"


SCATTER_REFUSALS = [
    (lambda x, i, g: asctile.scatter(x, 0, i, x, [0]), TypeError, "'dst' argument must be Global"),
    (lambda x, i, g: asctile.scatter(x, 0, [0], g, [0]), TypeError, "'index' argument must be"),
    (lambda x, i, g: asctile.scatter(1, 0, i, g, [0]), TypeError, "'src' argument must be Local"),
    (lambda x, i, g: asctile.scatter(x, 0, x, g, [0]), RuntimeError, "'index' has dtype float32"),
    (lambda x, i, g: asctile.scatter(x, 0, i, g, [0, 0]), OffsetsError, "'dim' + 1 values"),
    (lambda x, i, g: asctile.scatter(x, 2, i, g, [0] * 3), ValueError, "'dim' is 2"),
    (lambda x, i, g: asctile.scatter(x, 1, i, g, [0, 0]), NotImplementedError, "last dimension"),
    (lambda x, i, g: asctile.scatter(x.ravel(), 0, i, g, [0]), ValueError, "'dst' has rank 2"),
    (lambda x, i, g: asctile.scatter(x, 0, i.reshape(1, 2), g, [0]), ValueError, "one dimension"),
    (lambda x, i, g: asctile.scatter(x.to(asctile.float16), 0, i, g, [0]), ValueError, "float16"),
    (lambda x, i, g: asctile.scatter(x, 0, i, g, [0], num_indices="2"), TypeError, "'num_indices'"),
    (lambda x, i, g: asctile.scatter(x.reshape(1, 16), 0, i, g, [0]), RuntimeError, "only 1 rows"),
]


@pytest.mark.parametrize(("call", "exception", "message"), SCATTER_REFUSALS)
def test_scatter_refusals(call, exception, message):
    with refused(exception, message):
        scatter(X[:2], np.array([0, 1], np.int32), call, [6, 8])


def test_middle_dimensions_of_scatter_must_be_equal():
    with refused(ValueError, "dimension 1 of 'src' is 2, the matching one of 'dst' is 3"):
        scatter(np.ones([2, 2, 8], np.float32), np.zeros(2, np.int32), rows_at([0]), [4, 3, 8])
