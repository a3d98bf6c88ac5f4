"""leaky_relu: the activation as a jit helper with a default slope, called from the kernel."""

import asc
import asc2
import ml_dtypes
import numpy as np
import pytest
from checking import assert_close, check, main, outcome, to_float64

DEFAULT_SLOPE = 0.01


@asc2.jit
def leaky_relu(x, negative_slope=DEFAULT_SLOPE):
    return asc2.where(x > 0, x, x * negative_slope)


@asc2.jit
def leaky_relu_kernel(
    x_ptr: asc.GlobalAddress,
    out_ptr: asc.GlobalAddress,
    size: asc.ConstExpr[int],
    tile_size: asc.ConstExpr[int],
):
    x_gm = asc2.global_tensor(x_ptr, [size])
    out_gm = asc2.global_tensor(out_ptr, [size])
    tiles = asc2.ceildiv(size, tile_size)
    for i in asc2.range(asc2.block_idx(), tiles, asc2.block_num()):
        x = asc2.copy_in(x_gm, [i * tile_size], [tile_size])
        asc2.copy_out(leaky_relu(x), out_gm, [i * tile_size])


@asc2.jit
def leaky_relu_slope_kernel(
    x_ptr: asc.GlobalAddress,
    out_ptr: asc.GlobalAddress,
    size: asc.ConstExpr[int],
    tile_size: asc.ConstExpr[int],
    slope: float,
):
    x_gm = asc2.global_tensor(x_ptr, [size])
    out_gm = asc2.global_tensor(out_ptr, [size])
    tiles = asc2.ceildiv(size, tile_size)
    for i in asc2.range(asc2.block_idx(), tiles, asc2.block_num()):
        x = asc2.copy_in(x_gm, [i * tile_size], [tile_size])
        y = leaky_relu(x, negative_slope=slope)
        asc2.copy_out(y, out_gm, [i * tile_size])


def inputs(size, dtype, seed=3):
    return np.random.default_rng(seed).normal(0, 5, size).astype(dtype)


def reference(x, slope=DEFAULT_SLOPE):
    x = to_float64(x)
    return np.where(x > 0, x, x * slope)


@pytest.mark.parametrize("size", [15, 256, 2049])
@pytest.mark.parametrize("blocks", [1, 4])
@pytest.mark.parametrize("dtype", [np.float16, ml_dtypes.bfloat16, np.float32])
def test_default_slope(dtype, blocks, size):
    x = inputs(size, dtype)
    out = np.empty_like(x)
    leaky_relu_kernel[blocks](x, out, size, 128)
    assert_close(out, reference(x))


@pytest.mark.parametrize("slope", [0.0, 0.25, 1.5])
@pytest.mark.parametrize("static", [False, True], ids=["dynamic", "static"])
def test_given_slope(slope, static):
    x = inputs(1000, np.float32)
    out = np.empty_like(x)
    leaky_relu_slope_kernel[2](x, out, x.size, 128, asc2.ConstExpr(slope) if static else slope)
    assert_close(out, reference(x, slope))


def example():
    blocks = 8
    x = inputs(40_001, np.float32)
    out = np.empty_like(x)
    leaky_relu_kernel[blocks](x, out, x.size, 2048)
    return outcome("leaky_relu", blocks, check(out, reference(x)))


if __name__ == "__main__":
    raise SystemExit(main(example))
