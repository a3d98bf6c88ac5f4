"""reduce_columns: sum and maximum of every column, carried from row chunk to row chunk."""

import asctile
import numpy as np
import pytest
from checking import assert_close, check, main, outcome, to_float64


@asctile.jit
def reduce_columns_kernel(
    x_ptr: asctile.GlobalAddress,
    sum_ptr: asctile.GlobalAddress,
    max_ptr: asctile.GlobalAddress,
    rows,
    cols,
    tile_rows: asctile.ConstExpr[int],
    tile_cols: asctile.ConstExpr[int],
):
    x_gm = asctile.global_tensor(x_ptr, [rows, cols])
    sum_gm = asctile.global_tensor(sum_ptr, [cols])
    max_gm = asctile.global_tensor(max_ptr, [cols])
    step = asctile.block_num() * tile_cols
    for col in asctile.range(asctile.block_idx() * tile_cols, cols, step):
        total = asctile.zeros([tile_cols], asctile.float32)
        top = asctile.full([tile_cols], float("-inf"))
        for row in asctile.range(0, rows, tile_rows):
            shape = [tile_rows, tile_cols]
            x = asctile.copy_in(x_gm, [row, col], shape, pad_value=0.0)
            total = total + asctile.reduce_sum(x, 0)
            y = asctile.copy_in(x_gm, [row, col], shape, pad_value=float("-inf"))
            top = max(top, asctile.reduce_max(y, 0))
        asctile.copy_out(total, sum_gm, [col])
        asctile.copy_out(top, max_gm, [col])


def reduce_columns(x, blocks, tile_rows=16, tile_cols=32, static=False):
    rows, cols = x.shape
    sums, maxima = np.empty(cols, np.float32), np.empty(cols, np.float32)
    scalars = [rows, cols]
    if static:
        scalars = map(asctile.ConstExpr, scalars)
    reduce_columns_kernel[blocks](x, sums, maxima, *scalars, tile_rows, tile_cols)
    return sums, maxima


def inputs(rows, cols, seed=15):
    return np.random.default_rng(seed).normal(0, 3, (rows, cols)).astype(np.float32)


@pytest.mark.parametrize("static", [False, True], ids=["dynamic", "static"])
@pytest.mark.parametrize("rows,cols,blocks", [(1, 8, 1), (16, 32, 1), (67, 77, 2), (200, 300, 8)])
def test_reduce_columns(rows, cols, blocks, static):
    x = inputs(rows, cols)
    sums, maxima = reduce_columns(x, blocks, static=static)
    assert_close(sums, to_float64(x).sum(axis=0), rtol=1e-5, atol=1e-4)
    assert np.array_equal(maxima, x.max(axis=0))


def example():
    blocks = 8
    x = inputs(300, 250)
    sums, maxima = reduce_columns(x, blocks)
    return outcome(
        "reduce_columns",
        blocks,
        check(sums, to_float64(x).sum(axis=0), rtol=1e-5, atol=1e-4),
        check(maxima, to_float64(x).max(axis=0)),
    )


if __name__ == "__main__":
    raise SystemExit(main(example))
