"""rms_norm: the fused operation, and the same written out in a jit helper over scalars."""

import asctile
import numpy as np
import pytest
from checking import assert_close, check, main, outcome, to_float64

EPSILON = 1e-5


@asctile.jit
def rms_norm_row(x, gamma, epsilon=EPSILON):
    mean_square = asctile.reduce_sum(x * x) / x.size
    return x * (1.0 / asctile.sqrt(mean_square + epsilon)) * gamma


@asctile.jit
def rms_norm_written_out_kernel(
    x_ptr: asctile.GlobalAddress,
    gamma_ptr: asctile.GlobalAddress,
    out_ptr: asctile.GlobalAddress,
    rows: int,
    cols: asctile.ConstExpr[int],
):
    x_gm = asctile.global_tensor(x_ptr, [rows, cols])
    gamma_gm = asctile.global_tensor(gamma_ptr, [cols])
    out_gm = asctile.global_tensor(out_ptr, [rows, cols])
    gamma = asctile.copy_in(gamma_gm, [0], [cols]).to(asctile.float32)
    for row in asctile.range(asctile.block_idx(), rows, asctile.block_num()):
        x = asctile.copy_in(x_gm, [row, 0], [cols])
        y = rms_norm_row(x.to(asctile.float32), gamma)
        asctile.copy_out(y.to(x.dtype), out_gm, [row, 0])


@asctile.jit
def rms_norm_fused_kernel(
    x_ptr: asctile.GlobalAddress,
    gamma_ptr: asctile.GlobalAddress,
    out_ptr: asctile.GlobalAddress,
    rows: int,
    cols: asctile.ConstExpr[int],
    tile_rows: asctile.ConstExpr[int] = 4,
):
    x_gm = asctile.global_tensor(x_ptr, [rows, cols])
    gamma_gm = asctile.global_tensor(gamma_ptr, [cols])
    out_gm = asctile.global_tensor(out_ptr, [rows, cols])
    gamma = asctile.copy_in(gamma_gm, [0], [cols])
    step = asctile.block_num() * tile_rows
    for row in asctile.range(asctile.block_idx() * tile_rows, rows, step):
        x = asctile.copy_in(x_gm, [row, 0], [tile_rows, cols])
        y = asctile.rms_norm(x, gamma, EPSILON)
        asctile.copy_out(y, out_gm, [row, 0], real_shape=[min(tile_rows, rows - row), cols])


def rms_norm(x, gamma, blocks, fused, static=False):
    rows, cols = x.shape
    out = np.empty_like(x)
    row_count = asctile.ConstExpr(rows) if static else rows
    if fused:
        rms_norm_fused_kernel[blocks](x, gamma, out, row_count, cols, tile_rows=4)
    else:
        rms_norm_written_out_kernel[blocks](x, gamma, out, row_count, cols)
    return out


def inputs(rows, cols, dtype, seed=9):
    rng = np.random.default_rng(seed)
    return rng.normal(0, 2, (rows, cols)).astype(dtype), rng.uniform(0.5, 1.5, cols).astype(dtype)


def reference(x, gamma):
    x = to_float64(x)
    return x / np.sqrt((x * x).mean(axis=1, keepdims=True) + EPSILON) * to_float64(gamma)


@pytest.mark.parametrize("static", [False, True], ids=["dynamic", "static"])
@pytest.mark.parametrize("fused", [True, False], ids=["fused", "written_out"])
@pytest.mark.parametrize("dtype", [np.float16, np.float32])
@pytest.mark.parametrize("rows,cols,blocks", [(1, 32, 1), (7, 64, 2), (50, 256, 8)])
def test_rms_norm(rows, cols, blocks, dtype, fused, static):
    x, gamma = inputs(rows, cols, dtype)
    assert_close(rms_norm(x, gamma, blocks, fused, static), reference(x, gamma))


def example():
    blocks = 8
    x, gamma = inputs(100, 512, np.float32)
    fused = rms_norm(x, gamma, blocks, fused=True)
    written_out = rms_norm(x, gamma, blocks, fused=False)
    want = reference(x, gamma)
    return outcome("rms_norm", blocks, check(fused, want), check(written_out, want))


if __name__ == "__main__":
    raise SystemExit(main(example))
