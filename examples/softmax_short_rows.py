"""softmax_short_rows: rows of a few elements, transposed so that the reduction runs down columns.

A vector unit reduces a 10-element row badly. Many short rows are loaded as one tile and turned,
so that every step of the reduction works on a full row of independent lanes. The pad value is
finite: a row of -inf would make NaN of -inf - -inf.
"""

import asctile
import numpy as np
import pytest
from checking import assert_close, check, main, outcome, to_float64

LOWEST = float(np.finfo(np.float32).min)


@asctile.jit
def softmax_columns(x):
    top = asctile.reduce_max(x, 0, keep_dims=True)
    e = asctile.exp(x - top)
    return e / asctile.reduce_sum(e, 0, keep_dims=True)


@asctile.jit
def softmax_short_rows_kernel(
    x_ptr: asctile.GlobalAddress,
    out_ptr: asctile.GlobalAddress,
    rows: int,
    cols: int,
    tile_rows: asctile.ConstExpr[int],
    tile_cols: asctile.ConstExpr[int],
):
    x_gm = asctile.global_tensor(x_ptr, [rows, cols])
    out_gm = asctile.global_tensor(out_ptr, [rows, cols])
    tiles = asctile.ceildiv(rows, tile_rows)
    for tile in asctile.range(asctile.block_idx(), tiles, asctile.block_num()):
        row = tile * tile_rows
        x = asctile.copy_in(x_gm, [row, 0], [tile_rows, tile_cols], pad_value=LOWEST)
        turned = softmax_columns(x.T)
        used = [min(tile_rows, rows - row), cols]
        asctile.copy_out(turned.transpose(), out_gm, [row, 0], real_shape=used)


def softmax_short_rows(x, blocks, tile_rows=64, static=False):
    rows, cols = x.shape
    out = np.empty_like(x)
    scalars = [rows, cols]
    if static:
        scalars = map(asctile.ConstExpr, scalars)
    tile_cols = asctile.ceildiv(cols, 16) * 16
    softmax_short_rows_kernel[blocks](x, out, *scalars, tile_rows, tile_cols)
    return out


def inputs(rows, cols, seed=7):
    return np.random.default_rng(seed).normal(0, 3, (rows, cols)).astype(np.float32)


def reference(x):
    x = to_float64(x)
    e = np.exp(x - x.max(axis=1, keepdims=True))
    return e / e.sum(axis=1, keepdims=True)


@pytest.mark.parametrize("static", [False, True], ids=["dynamic", "static"])
@pytest.mark.parametrize("cols", [2, 10, 16, 19])
@pytest.mark.parametrize("rows,blocks", [(64, 1), (100, 2), (1000, 8)])
def test_softmax_short_rows(rows, blocks, cols, static):
    x = inputs(rows, cols)
    assert_close(softmax_short_rows(x, blocks, static=static), reference(x))


def example():
    blocks = 8
    x = inputs(2500, 10)
    out = softmax_short_rows(x, blocks)
    return outcome("softmax_short_rows", blocks, check(out, reference(x)))


if __name__ == "__main__":
    raise SystemExit(main(example))
