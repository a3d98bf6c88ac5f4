"""softmax: the fused operation over whole rows, columns padded to the tile.

The pad value is the lowest finite number: a row of -inf would make NaN of -inf - -inf.
"""

import asc
import asc2
import numpy as np
import pytest
from checking import assert_close, check, main, outcome, to_float64


@asc2.jit
def softmax_kernel(
    x_ptr: asc.GlobalAddress,
    out_ptr: asc.GlobalAddress,
    rows,
    cols,
    tile_rows: asc.ConstExpr[int],
    tile_cols: asc.ConstExpr[int],
    lowest: asc.ConstExpr[float],
):
    x_gm = asc2.global_tensor(x_ptr, [rows, cols])
    out_gm = asc2.global_tensor(out_ptr, [rows, cols])
    step = asc2.block_num() * tile_rows
    for row in asc2.range(asc2.block_idx() * tile_rows, rows, step):
        x = asc2.copy_in(x_gm, [row, 0], [tile_rows, tile_cols], pad_value=lowest)
        used = [min(tile_rows, rows - row), cols]
        asc2.copy_out(asc2.softmax(x), out_gm, [row, 0], real_shape=used)


def softmax(x, blocks, tile_rows=4, static=False):
    rows, cols = x.shape
    out = np.empty_like(x)
    scalars = [rows, cols]
    if static:
        scalars = map(asc2.ConstExpr, scalars)
    lowest = float(np.finfo(x.dtype).min)
    softmax_kernel[blocks](x, out, *scalars, tile_rows, asc2.ceildiv(cols, 16) * 16, lowest)
    return out


def inputs(rows, cols, dtype, seed=6):
    return np.random.default_rng(seed).normal(0, 4, (rows, cols)).astype(dtype)


def reference(x):
    x = to_float64(x)
    e = np.exp(x - x.max(axis=1, keepdims=True))
    return e / e.sum(axis=1, keepdims=True)


@pytest.mark.parametrize("static", [False, True], ids=["dynamic", "static"])
@pytest.mark.parametrize("dtype", [np.float16, np.float32])
@pytest.mark.parametrize("rows,cols,blocks", [(1, 16, 1), (5, 77, 2), (64, 256, 8), (9, 1, 4)])
def test_softmax(rows, cols, blocks, dtype, static):
    x = inputs(rows, cols, dtype)
    assert_close(softmax(x, blocks, static=static), reference(x))


def test_large_values_do_not_overflow():
    x = np.array([[1000.0, 999.0, -1000.0, 0.0]], np.float32)
    assert_close(softmax(x, 1), reference(x))


def example():
    blocks = 16
    x = inputs(128, 200, np.float32)
    out = softmax(x, blocks)
    return outcome("softmax", blocks, check(out, reference(x)))


if __name__ == "__main__":
    raise SystemExit(main(example))
