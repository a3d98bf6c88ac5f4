"""swiglu: silu(gate) * up, gate and up being the two halves of every row of one matrix."""

import asc
import asc2
import ml_dtypes
import numpy as np
import pytest
from checking import assert_close, check, main, outcome, to_float64


@asc2.jit
def silu(x):
    return x / (1.0 + asc2.exp(-x))


@asc2.jit
def swiglu_kernel(
    x_ptr: asc.GlobalAddress,
    out_ptr: asc.GlobalAddress,
    rows: int,
    half: int,
    tile_rows: asc.ConstExpr[int],
    tile_cols: asc.ConstExpr[int],
):
    x_gm = asc2.global_tensor(x_ptr, [rows, half * 2])
    out_gm = asc2.global_tensor(out_ptr, [rows, half])
    step = asc2.block_num() * tile_rows
    for row in asc2.range(asc2.block_idx() * tile_rows, rows, step):
        for col in asc2.range(0, half, tile_cols):
            gate = asc2.copy_in(x_gm, [row, col], [tile_rows, tile_cols])
            up = asc2.copy_in(x_gm, [row, half + col], [tile_rows, tile_cols])
            y = silu(gate.to(asc2.float32)) * up.to(asc2.float32)
            used = [min(tile_rows, rows - row), min(tile_cols, half - col)]
            asc2.copy_out(y.to(x_ptr.dtype), out_gm, [row, col], real_shape=used)


def swiglu(x, blocks, tile_rows=4, tile_cols=64, static=False):
    rows, half = x.shape[0], x.shape[1] // 2
    out = np.empty((rows, half), x.dtype)
    scalars = [rows, half]
    if static:
        scalars = map(asc2.ConstExpr, scalars)
    swiglu_kernel[blocks](x, out, *scalars, tile_rows, tile_cols)
    return out


def inputs(rows, half, dtype, seed=5):
    return np.random.default_rng(seed).normal(0, 2, (rows, 2 * half)).astype(dtype)


def reference(x):
    gate, up = np.split(to_float64(x), 2, axis=1)
    return gate / (1 + np.exp(-gate)) * up


@pytest.mark.parametrize("static", [False, True], ids=["dynamic", "static"])
@pytest.mark.parametrize("dtype", [np.float16, ml_dtypes.bfloat16, np.float32])
@pytest.mark.parametrize("rows,half,blocks", [(1, 64, 1), (7, 100, 2), (33, 128, 8)])
def test_swiglu(rows, half, blocks, dtype, static):
    x = inputs(rows, half, dtype)
    assert_close(swiglu(x, blocks, static=static), reference(x))


def example():
    blocks = 8
    x = inputs(100, 300, np.float16)
    out = swiglu(x, blocks, tile_cols=128)
    return outcome("swiglu", blocks, check(out, reference(x)))


if __name__ == "__main__":
    raise SystemExit(main(example))
