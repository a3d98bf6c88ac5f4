"""layer_norm: output, mean and reciprocal deviation of every row, in three input formats.

Tolerances by input format: 1e-5 float32, 1e-3 float16, 1e-2 bfloat16 (absolute and relative).
"""

import asc
import asc2
import ml_dtypes
import numpy as np
import pytest
from checking import assert_close, check, main, outcome, to_float64

EPSILON = 1e-5
TOLERANCE = {"float32": 1e-5, "float16": 1e-3, "bfloat16": 1e-2}


@asc2.jit
def layer_norm_kernel(
    x_ptr: asc.GlobalAddress,
    gamma_ptr: asc.GlobalAddress,
    beta_ptr: asc.GlobalAddress,
    out_ptr: asc.GlobalAddress,
    mean_ptr: asc.GlobalAddress,
    rstd_ptr: asc.GlobalAddress,
    rows: int,
    cols: asc.ConstExpr[int],
    tile_rows: asc.ConstExpr[int],
    output_rstd: asc.ConstExpr[bool],
):
    x_gm = asc2.global_tensor(x_ptr, [rows, cols])
    gamma_gm = asc2.global_tensor(gamma_ptr, [cols])
    beta_gm = asc2.global_tensor(beta_ptr, [cols])
    out_gm = asc2.global_tensor(out_ptr, [rows, cols])
    mean_gm = asc2.global_tensor(mean_ptr, [rows])
    rstd_gm = asc2.global_tensor(rstd_ptr, [rows])
    gamma = asc2.copy_in(gamma_gm, [0], [cols])
    beta = asc2.copy_in(beta_gm, [0], [cols])
    step = asc2.block_num() * tile_rows
    for row in asc2.range(asc2.block_idx() * tile_rows, rows, step):
        x = asc2.copy_in(x_gm, [row, 0], [tile_rows, cols])
        out, mean, rstd = asc2.layer_norm(x, gamma, beta, EPSILON, output_rstd=output_rstd)
        asc2.copy_out(out, out_gm, [row, 0], real_shape=[min(tile_rows, rows - row), cols])
        asc2.copy_out(mean, mean_gm, [row])
        asc2.copy_out(rstd, rstd_gm, [row])


def layer_norm(x, gamma, beta, blocks, tile_rows=8, output_rstd=True, static=False):
    rows, cols = x.shape
    out = np.empty_like(x)
    mean = np.empty(rows, np.float32)
    rstd = np.empty(rows, np.float32)
    row_count = asc2.ConstExpr(rows) if static else rows
    layer_norm_kernel[blocks](
        x, gamma, beta, out, mean, rstd, row_count, cols, tile_rows, output_rstd
    )
    return out, mean, rstd


def inputs(rows, cols, dtype, seed=10):
    rng = np.random.default_rng(seed)
    x = rng.normal(0.5, 2, (rows, cols)).astype(dtype)
    gamma = rng.uniform(0.5, 1.5, cols).astype(dtype)
    beta = rng.uniform(-1, 1, cols).astype(dtype)
    return x, gamma, beta


def reference(x, gamma, beta, output_rstd=True):
    x = to_float64(x)
    mean, variance = x.mean(axis=1), x.var(axis=1)
    rstd = 1 / np.sqrt(variance + EPSILON)
    out = (x - mean[:, None]) * rstd[:, None] * to_float64(gamma) + to_float64(beta)
    return out, mean, rstd if output_rstd else variance


@pytest.mark.parametrize("static", [False, True], ids=["dynamic", "static"])
@pytest.mark.parametrize("output_rstd", [True, False], ids=["rstd", "variance"])
@pytest.mark.parametrize("dtype", [np.float32, np.float16, ml_dtypes.bfloat16])
@pytest.mark.parametrize("rows,cols,blocks", [(1, 32, 1), (13, 64, 2), (40, 256, 4)])
def test_layer_norm(rows, cols, blocks, dtype, output_rstd, static):
    x, gamma, beta = inputs(rows, cols, dtype)
    results = layer_norm(x, gamma, beta, blocks, output_rstd=output_rstd, static=static)
    expected = reference(x, gamma, beta, output_rstd)
    tolerance = TOLERANCE[str(x.dtype)]
    for result, want in zip(results, expected, strict=True):
        assert_close(result, want, rtol=tolerance, atol=tolerance)


def example():
    blocks = 8
    checks = []
    for dtype in (np.float32, np.float16, ml_dtypes.bfloat16):
        x, gamma, beta = inputs(100, 128, dtype)
        tolerance = TOLERANCE[str(x.dtype)]
        results = layer_norm(x, gamma, beta, blocks)
        for result, want in zip(results, reference(x, gamma, beta), strict=True):
            checks.append(check(result, want, rtol=tolerance, atol=tolerance))
    return outcome("layer_norm", blocks, *checks)


if __name__ == "__main__":
    raise SystemExit(main(example))
