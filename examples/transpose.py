"""transpose: a matrix tile by tile, and a permutation of three or four axes."""

import asc
import asc2
import ml_dtypes
import numpy as np
import pytest
from checking import assert_close, check, main, outcome


@asc2.jit
def transpose_kernel(
    x_ptr: asc.GlobalAddress,
    out_ptr: asc.GlobalAddress,
    rows,
    cols,
    tile: asc.ConstExpr[int],
):
    x_gm = asc2.global_tensor(x_ptr, [rows, cols])
    out_gm = asc2.global_tensor(out_ptr, [cols, rows])
    tiles_across = asc2.ceildiv(cols, tile)
    tiles = asc2.ceildiv(rows, tile) * tiles_across
    for i in asc2.range(asc2.block_idx(), tiles, asc2.block_num()):
        row = i / tiles_across * tile
        col = i % tiles_across * tile
        x = asc2.copy_in(x_gm, [row, col], [tile, tile])
        used = [min(tile, cols - col), min(tile, rows - row)]
        asc2.copy_out(x.T, out_gm, [col, row], real_shape=used)


@asc2.jit
def permute_kernel(
    x_ptr: asc.GlobalAddress,
    out_ptr: asc.GlobalAddress,
    shape: asc.ConstExpr,
    permute: asc.ConstExpr[tuple],
):
    out_shape = []
    for axis in asc2.static_range(len(permute)):
        out_shape.append(shape[permute[axis]])
    x_gm = asc2.global_tensor(x_ptr, shape)
    out_gm = asc2.global_tensor(out_ptr, out_shape)
    origin = [0] * len(shape)
    x = asc2.copy_in(x_gm, origin, shape)
    asc2.copy_out(x.transpose(*permute), out_gm, origin)


def transpose(x, blocks, tile=32, static=False):
    rows, cols = x.shape
    out = np.empty((cols, rows), x.dtype)
    scalars = [rows, cols]
    if static:
        scalars = map(asc2.ConstExpr, scalars)
    transpose_kernel[blocks](x, out, *scalars, tile)
    return out


def inputs(shape, dtype, seed=16):
    return np.random.default_rng(seed).integers(-100, 100, shape).astype(dtype)


@pytest.mark.parametrize("static", [False, True], ids=["dynamic", "static"])
@pytest.mark.parametrize(
    "dtype", [np.int8, np.int16, np.int32, np.float16, ml_dtypes.bfloat16, np.float32]
)
@pytest.mark.parametrize("rows,cols,blocks", [(32, 32, 1), (1, 70, 1), (67, 77, 4)])
def test_transpose(rows, cols, blocks, dtype, static):
    x = inputs((rows, cols), dtype)
    assert_close(transpose(x, blocks, static=static), x.T)


@pytest.mark.parametrize(
    "shape,permute",
    [
        ((4, 6, 8), (1, 0, 2)),
        ((8, 6, 8), (2, 1, 0)),
        ((2, 16, 32), (0, 2, 1)),
        ((2, 3, 4, 8), (0, 2, 1, 3)),
        ((2, 3, 8, 16), (0, 1, 3, 2)),
    ],
)
def test_permute(shape, permute):
    x = inputs(shape, np.float32)
    out = np.empty(tuple(shape[axis] for axis in permute), x.dtype)
    permute_kernel[1](x, out, shape, permute)
    assert_close(out, x.transpose(permute))


def example():
    blocks = 8
    x = inputs((300, 170), np.int16)
    out = transpose(x, blocks)
    y = inputs((4, 16, 8), np.float32)
    permuted = np.empty((16, 4, 8), np.float32)
    permute_kernel[1](y, permuted, y.shape, (1, 0, 2))
    return outcome("transpose", blocks, check(out, x.T), check(permuted, y.transpose(1, 0, 2)))


if __name__ == "__main__":
    raise SystemExit(main(example))
