"""matmul: output tiles dealt over blocks, K walked through L1 and then L0A/L0B into one L0C tile.

M and N are arbitrary: loads and stores are clipped at the edges of the tensors. K is walked in
whole tiles; what remains of it is a last, shorter step whose size is known at compile time.
"""

import asc
import asc2
import ml_dtypes
import numpy as np
import pytest
from checking import assert_close, check, main, outcome, to_float64

L0A = asc2.TensorLocation.L0A
L0B = asc2.TensorLocation.L0B
L1 = asc2.TensorLocation.L1


@asc2.jit(static_alloc=True, reuse_alloc=1)
def matmul_kernel(
    a_ptr: asc.GlobalAddress,
    b_ptr: asc.GlobalAddress,
    c_ptr: asc.GlobalAddress,
    m,
    n,
    k: asc.ConstExpr[int],
    tile_m: asc.ConstExpr[int],
    tile_n: asc.ConstExpr[int],
    tile_k: asc.ConstExpr[int],
    panel_k: asc.ConstExpr[int],
):
    a_gm = asc2.global_tensor(a_ptr, [m, k])
    b_gm = asc2.global_tensor(b_ptr, [k, n])
    c_gm = asc2.global_tensor(c_ptr, [m, n])
    tiles_n = asc2.ceildiv(n, tile_n)
    tiles = asc2.ceildiv(m, tile_m) * tiles_n
    whole_k = k // panel_k * panel_k
    for tile in asc2.range(asc2.block_idx(), tiles, asc2.block_num()):
        row = tile / tiles_n * tile_m
        col = tile % tiles_n * tile_n
        acc = asc2.zeros_acc([tile_m, tile_n], asc2.float32)
        for panel in asc2.range(0, whole_k, panel_k):
            a_l1 = asc2.copy_in(a_gm, [row, panel], [tile_m, panel_k], L1)
            b_l1 = asc2.copy_in(b_gm, [panel, col], [panel_k, tile_n], L1)
            for step in asc2.range(0, panel_k, tile_k, unroll_factor=2):
                a_l0 = asc2.copy(a_l1, [0, step], [tile_m, tile_k], L0A)
                b_l0 = asc2.copy(b_l1, [step, 0], [tile_k, tile_n], L0B)
                asc2.matmul_acc(acc, a_l0, b_l0)
        if k > whole_k:
            a_tail = asc2.copy_in(a_gm, [row, whole_k], [tile_m, k - whole_k], L0A)
            b_tail = asc2.copy_in(b_gm, [whole_k, col], [k - whole_k, tile_n], L0B)
            asc2.matmul_acc(acc, a_tail, b_tail)
        asc2.copy_out(acc, c_gm, [row, col])


def matmul(a, b, blocks, tile=(32, 32, 16), panel_k=64, static=False):
    (m, k), n = a.shape, b.shape[1]
    c = np.empty((m, n), np.float32)
    scalars = [m, n]
    if static:
        scalars = map(asc2.ConstExpr, scalars)
    matmul_kernel[blocks](a, b, c, *scalars, k, *tile, panel_k)
    return c


def inputs(m, n, k, dtype, seed=27):
    rng = np.random.default_rng(seed)
    return rng.uniform(-1, 1, (m, k)).astype(dtype), rng.uniform(-1, 1, (k, n)).astype(dtype)


def reference(a, b):
    return to_float64(a) @ to_float64(b)


@pytest.mark.parametrize("static", [False, True], ids=["dynamic", "static"])
@pytest.mark.parametrize("dtype", [np.float16, ml_dtypes.bfloat16, np.float32])
@pytest.mark.parametrize(
    "m,n,k,blocks",
    [(32, 32, 64, 1), (1, 11, 64, 1), (67, 47, 128, 4), (13, 77, 77, 2), (31, 21, 19, 3)],
)
def test_matmul(m, n, k, blocks, dtype, static):
    a, b = inputs(m, n, k, dtype)
    assert_close(matmul(a, b, blocks, static=static), reference(a, b), rtol=1e-3, atol=1e-4)


def test_matmul_of_small_integers_is_exact():
    rng = np.random.default_rng(28)
    a = rng.integers(-8, 8, (40, 100)).astype(np.float16)
    b = rng.integers(-8, 8, (100, 50)).astype(np.float16)
    assert np.array_equal(matmul(a, b, 4), reference(a, b))


def example():
    blocks = 8
    a, b = inputs(200, 150, 300, np.float16)
    c = matmul(a, b, blocks, tile=(64, 64, 32), panel_k=128)
    return outcome("matmul", blocks, check(c, reference(a, b), rtol=1e-3, atol=1e-4))


if __name__ == "__main__":
    raise SystemExit(main(example))
