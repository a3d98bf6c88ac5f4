"""old_names: the first generation's spelling: tensor, load, store, num_tiles, tile_id, Tile.

Two kernels: a * x + y over tiles addressed by number, and a matrix product whose `matmul_acc`
takes the accumulator last.
"""

import asc
import asc2
import numpy as np
import pytest
from checking import assert_close, check, main, outcome, to_float64


@asc2.jit
def axpy_kernel(
    x_ptr: asc.GlobalAddress,
    y_ptr: asc.GlobalAddress,
    out_ptr: asc.GlobalAddress,
    size: int,
    alpha: float,
    tile_size: asc.ConstExpr[int],
):
    x_gm = asc2.tensor(x_ptr, [size])
    y_gm = asc2.tensor(y_ptr, [size])
    out_gm = asc2.tensor(out_ptr, [size])
    tiles = asc2.num_tiles(x_gm, 0, [tile_size])
    for i in asc2.range(asc2.block_idx(), tiles, asc2.block_num(), parallel=True):
        x = asc2.load(x_gm, [tile_size], tile_id=[i])
        y = asc2.load(y_gm, [tile_size], offsets=[i * tile_size])
        asc2.store(x * alpha + y, out_gm, tile_id=[i])


@asc2.jit
def old_matmul_kernel(
    a_ptr: asc.GlobalAddress,
    b_ptr: asc.GlobalAddress,
    c_ptr: asc.GlobalAddress,
    m: asc.ConstExpr[int],
    n: asc.ConstExpr[int],
    k: asc.ConstExpr[int],
    tile: asc.ConstExpr[int],
):
    a_gm = asc2.tensor(a_ptr, [m, k])
    b_gm = asc2.tensor(b_ptr, [k, n])
    c_gm = asc2.tensor(c_ptr, [m, n])
    tiles_n = asc2.num_tiles(c_gm, 1, [tile, tile])
    tiles = asc2.num_tiles(c_gm, 0, [tile, tile]) * tiles_n
    for i in asc2.range(asc2.block_idx(), tiles, asc2.block_num()):
        row = i / tiles_n
        col = i % tiles_n
        acc = asc2.zeros_acc([tile, tile], asc2.float32)
        for step in asc2.range(asc2.num_tiles(a_gm, 1, [tile, tile])):
            a = asc2.load(a_gm, [tile, tile], tile_id=[row, step], location=asc2.TileLocation.L0A)
            b = asc2.load(b_gm, [tile, tile], tile_id=[step, col], location=asc2.TileLocation.L0B)
            asc2.matmul_acc(a, b, acc)
        asc2.store(acc, c_gm, tile_id=[row, col])


def axpy(alpha, x, y, blocks, tile_size=64, static=False):
    out = np.empty_like(x)
    scalars = [x.size, alpha]
    if static:
        scalars = map(asc2.ConstExpr, scalars)
    axpy_kernel[blocks](x, y, out, *scalars, tile_size)
    return out


def old_matmul(a, b, blocks, tile=16):
    (m, k), n = a.shape, b.shape[1]
    c = np.empty((m, n), np.float32)
    old_matmul_kernel[blocks](a, b, c, m, n, k, tile)
    return c


def inputs(shapes, dtype, seed=35):
    rng = np.random.default_rng(seed)
    return tuple(rng.uniform(-2, 2, shape).astype(dtype) for shape in shapes)


@pytest.mark.parametrize("static", [False, True], ids=["dynamic", "static"])
@pytest.mark.parametrize("size,blocks", [(64, 1), (1000, 3), (5, 1)])
def test_axpy(size, blocks, static):
    x, y = inputs([(size,), (size,)], np.float32)
    out = axpy(1.5, x, y, blocks, static=static)
    assert_close(out, 1.5 * to_float64(x) + to_float64(y))


@pytest.mark.parametrize("dtype", [np.float16, np.float32])
@pytest.mark.parametrize("m,n,k,blocks", [(16, 16, 16, 1), (48, 32, 64, 4)])
def test_old_matmul(m, n, k, blocks, dtype):
    a, b = inputs([(m, k), (k, n)], dtype)
    want = to_float64(a) @ to_float64(b)
    assert_close(old_matmul(a, b, blocks), want, rtol=1e-3, atol=1e-4)


def example():
    blocks = 8
    x, y = inputs([(30_000,), (30_000,)], np.float32)
    a, b = inputs([(64, 96), (96, 80)], np.float16)
    return outcome(
        "old_names",
        blocks,
        check(axpy(1.5, x, y, blocks, tile_size=512), 1.5 * to_float64(x) + to_float64(y)),
        check(old_matmul(a, b, blocks), to_float64(a) @ to_float64(b), rtol=1e-3, atol=1e-4),
    )


if __name__ == "__main__":
    raise SystemExit(main(example))
