"""reduce_rows: sum and maximum of every row; whole rows arrive as one 1-D load, then a reshape.

Rows of an odd length have no aligned 2-D tile, but they lie one after another in memory: a load
of `tile_rows * cols` elements followed by a reshape needs no padding inside a row.
"""

import asc
import asc2
import numpy as np
import pytest
from checking import assert_close, check, main, outcome, to_float64


@asc2.jit
def reduce_rows_kernel(
    x_ptr: asc.GlobalAddress,
    sum_ptr: asc.GlobalAddress,
    max_ptr: asc.GlobalAddress,
    rows: int,
    cols: asc.ConstExpr[int],
    tile_rows: asc.ConstExpr[int],
):
    x_gm = asc2.global_tensor(x_ptr, [rows * cols])
    sum_gm = asc2.global_tensor(sum_ptr, [rows])
    max_gm = asc2.global_tensor(max_ptr, [rows])
    step = asc2.block_num() * tile_rows
    for row in asc2.range(asc2.block_idx() * tile_rows, rows, step):
        x = asc2.copy_in(x_gm, [row * cols], [tile_rows * cols], pad_value=0)
        x = x.reshape(tile_rows, cols)
        asc2.copy_out(x.sum(1), sum_gm, [row])
        asc2.copy_out(asc2.reduce_max(x, 1), max_gm, [row])


def reduce_rows(x, blocks, tile_rows=8, static=False):
    rows, cols = x.shape
    sums, maxima = np.empty(rows, x.dtype), np.empty(rows, x.dtype)
    row_count = asc2.ConstExpr(rows) if static else rows
    reduce_rows_kernel[blocks](x, sums, maxima, row_count, cols, tile_rows)
    return sums, maxima


def inputs(rows, cols, dtype, seed=14):
    return np.random.default_rng(seed).uniform(-50, 50, (rows, cols)).astype(dtype)


def bound_on_sums(x):
    """Half an ulp of the largest partial sum for every addition."""
    return np.abs(to_float64(x)).sum(axis=1).max() * x.shape[1] * 2.0**-24


@pytest.mark.parametrize("static", [False, True], ids=["dynamic", "static"])
@pytest.mark.parametrize("rows,cols,blocks", [(1, 7, 1), (20, 13, 2), (8, 128, 1), (101, 31, 8)])
def test_float32(rows, cols, blocks, static):
    x = inputs(rows, cols, np.float32)
    sums, maxima = reduce_rows(x, blocks, static=static)
    assert_close(sums, to_float64(x).sum(axis=1), atol=bound_on_sums(x))
    assert np.array_equal(maxima, x.max(axis=1))


@pytest.mark.parametrize("rows,cols,blocks", [(20, 13, 2), (101, 31, 8)])
def test_int32_is_exact(rows, cols, blocks):
    x = inputs(rows, cols, np.int32)
    sums, maxima = reduce_rows(x, blocks)
    assert np.array_equal(sums, x.sum(axis=1))
    assert np.array_equal(maxima, x.max(axis=1))


def example():
    blocks = 8
    x = inputs(1003, 37, np.float32)
    sums, maxima = reduce_rows(x, blocks, tile_rows=16)
    return outcome(
        "reduce_rows",
        blocks,
        check(sums, to_float64(x).sum(axis=1), atol=bound_on_sums(x)),
        check(maxima, to_float64(x).max(axis=1)),
    )


if __name__ == "__main__":
    raise SystemExit(main(example))
