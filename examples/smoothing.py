"""smoothing: sweeps of a three-point filter along rows that every sweep reads back from memory.

A sweep reads what the one before stored, shifted by an element to either side: the loop over the
sweeps says gm_barrier=True, or the device may load before the stores have arrived. A row has a
fixed element at each end; the sweeps go back and forth between two halves of one work array, whose
rows are padded to whole tiles, so that no block loads what another one stores.
"""

import asc2
import numpy as np
import pytest
from checking import assert_close, check, main, outcome, to_float64


@asc2.jit
def smoothing_kernel(
    work_ptr: asc2.GlobalAddress,
    rows: int,
    cols: int,
    sweeps: int,
    tile_size: asc2.ConstExpr[int],
):
    stride = asc2.ceildiv(cols, tile_size) * tile_size + 2
    half = rows * stride
    work_gm = asc2.global_tensor(work_ptr, [2 * half])
    for sweep in asc2.range(sweeps, gm_barrier=True):
        old = (sweep % 2) * half
        new = half - old
        for row in asc2.range(asc2.block_idx(), rows, asc2.block_num()):
            for col in asc2.range(0, cols, tile_size):
                start = row * stride + col
                left = asc2.copy_in(work_gm, [old + start], [tile_size])
                middle = asc2.copy_in(work_gm, [old + start + 1], [tile_size])
                right = asc2.copy_in(work_gm, [old + start + 2], [tile_size])
                smooth = 0.25 * left + 0.5 * middle + 0.25 * right
                used = [min(tile_size, cols - col)]
                asc2.copy_out(smooth, work_gm, [new + start + 1], real_shape=used)


def smoothing(x, sweeps, blocks, tile_size=64, static=False):
    rows, cols = x.shape[0], x.shape[1] - 2
    work = np.pad(np.stack([x, x]), ((0, 0), (0, 0), (0, -cols % tile_size)))
    scalars = [rows, cols, sweeps]
    if static:
        scalars = map(asc2.ConstExpr, scalars)
    smoothing_kernel[blocks](work, *scalars, tile_size)
    return work[sweeps % 2, :, : cols + 2]


def inputs(rows, cols, dtype, seed=32):
    return np.random.default_rng(seed).uniform(1, 2, (rows, cols + 2)).astype(dtype)


def reference(x, sweeps):
    x = to_float64(x)
    for _ in range(sweeps):
        x[:, 1:-1] = 0.25 * x[:, :-2] + 0.5 * x[:, 1:-1] + 0.25 * x[:, 2:]
    return x


@pytest.mark.parametrize("static", [False, True], ids=["dynamic", "static"])
@pytest.mark.parametrize("dtype", [np.float16, np.float32])
@pytest.mark.parametrize("rows,cols,sweeps,blocks", [(1, 5, 1, 1), (4, 130, 3, 2), (7, 64, 6, 8)])
def test_smoothing(rows, cols, sweeps, blocks, dtype, static):
    x = inputs(rows, cols, dtype)
    rtol = 4e-3 if dtype == np.float16 else None  # each sweep rounds five times
    assert_close(smoothing(x, sweeps, blocks, static=static), reference(x, sweeps), rtol=rtol)


def test_no_sweep_changes_nothing():
    x = inputs(2, 40, np.float32)
    assert np.array_equal(smoothing(x, 0, 2), x)


def example():
    blocks = 8
    x = inputs(24, 500, np.float32)
    return outcome("smoothing", blocks, check(smoothing(x, 9, blocks), reference(x, 9)))


if __name__ == "__main__":
    raise SystemExit(main(example))
