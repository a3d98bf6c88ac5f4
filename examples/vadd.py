"""vadd: z = x + y over any number of elements, split over blocks and tiles; the tail is ragged."""

import asc
import asc2
import ml_dtypes
import numpy as np
import pytest
from checking import assert_close, check, main, outcome, to_float64


@asc2.jit
def vadd_kernel(
    x_ptr: asc.GlobalAddress,
    y_ptr: asc.GlobalAddress,
    z_ptr: asc.GlobalAddress,
    size: int,
    tile_size: asc.ConstExpr[int],
    tiles_per_block: asc.ConstExpr[int],
):
    x_gm = asc2.global_tensor(x_ptr, [size])
    y_gm = asc2.global_tensor(y_ptr, [size])
    z_gm = asc2.global_tensor(z_ptr, [size])
    base = asc2.block_idx() * tiles_per_block * tile_size
    for i in asc2.range(tiles_per_block, unroll_factor=2):
        offset = base + i * tile_size
        x = asc2.copy_in(x_gm, [offset], [tile_size])
        y = asc2.copy_in(y_gm, [offset], [tile_size])
        asc2.copy_out(x + y, z_gm, [offset])


def vadd(x, y, blocks, tile_size=128, static=False):
    z = np.empty_like(x)
    tiles_per_block = asc2.ceildiv(asc2.ceildiv(x.size, tile_size), blocks)
    scalars = [x.size]
    if static:
        scalars = map(asc2.ConstExpr, scalars)
    vadd_kernel[blocks](x, y, z, *scalars, tile_size, tiles_per_block)
    return z


def inputs(size, dtype, seed=0):
    rng = np.random.default_rng(seed)
    values = rng.uniform(1, 100, (2, size))
    return values[0].astype(dtype), values[1].astype(dtype)


@pytest.mark.parametrize("static", [False, True], ids=["dynamic", "static"])
@pytest.mark.parametrize("blocks", [1, 3, 16])
@pytest.mark.parametrize("size", [1, 7, 128, 1000, 4097])
@pytest.mark.parametrize("dtype", [np.int16, np.int32, np.float16, ml_dtypes.bfloat16, np.float32])
def test_vadd(dtype, size, blocks, static):
    x, y = inputs(size, dtype)
    assert_close(vadd(x, y, blocks, static=static), to_float64(x) + to_float64(y))


def test_vadd_leaves_inputs_alone():
    x, y = inputs(1000, np.float32)
    x_before, y_before = x.copy(), y.copy()
    vadd(x, y, 4)
    assert np.array_equal(x, x_before)
    assert np.array_equal(y, y_before)


def test_vadd_torch():
    torch = pytest.importorskip("torch")
    generator = torch.Generator().manual_seed(0)
    x = torch.rand(5000, generator=generator)
    y = torch.rand(5000, generator=generator)
    z = torch.empty_like(x)
    vadd_kernel[8](x, y, z, x.numel(), 256, asc2.ceildiv(x.numel(), 8 * 256))
    torch.testing.assert_close(z, x + y)


def example():
    blocks = 16
    x, y = inputs(100_003, np.float32)
    z = vadd(x, y, blocks, tile_size=1024)
    return outcome("vadd", blocks, check(z, to_float64(x) + to_float64(y)))


if __name__ == "__main__":
    raise SystemExit(main(example))
