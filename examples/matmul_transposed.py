"""matmul_transposed: operands stored transposed, turned on the way into L0A and L0B."""

import asctile
import numpy as np
import pytest
from checking import assert_close, check, main, outcome, to_float64


@asctile.jit
def matmul_transposed_kernel(
    a_ptr: asctile.GlobalAddress,
    b_ptr: asctile.GlobalAddress,
    c_ptr: asctile.GlobalAddress,
    m: asctile.ConstExpr[int],
    n: asctile.ConstExpr[int],
    k: asctile.ConstExpr[int],
    transpose_a: asctile.ConstExpr[bool],
    transpose_b: asctile.ConstExpr[bool],
    tile_m: asctile.ConstExpr[int],
    tile_n: asctile.ConstExpr[int],
):
    if transpose_a:
        a_gm = asctile.global_tensor(a_ptr, [k, m])
    else:
        a_gm = asctile.global_tensor(a_ptr, [m, k])
    if transpose_b:
        b_gm = asctile.global_tensor(b_ptr, [n, k])
    else:
        b_gm = asctile.global_tensor(b_ptr, [k, n])
    c_gm = asctile.global_tensor(c_ptr, [m, n])
    tiles_n = asctile.ceildiv(n, tile_n)
    tiles = asctile.ceildiv(m, tile_m) * tiles_n
    for tile in asctile.range(asctile.block_idx(), tiles, asctile.block_num()):
        row = tile / tiles_n * tile_m
        col = tile % tiles_n * tile_n
        if transpose_a:
            a = asctile.copy_in(a_gm, [0, row], [k, tile_m], "L0A").T
        else:
            a = asctile.copy_in(a_gm, [row, 0], [tile_m, k], "L0A")
        if transpose_b:
            b_l1 = asctile.copy_in(b_gm, [col, 0], [tile_n, k], asctile.TensorLocation.L1)
            b = asctile.copy(b_l1.transpose(), location=asctile.TensorLocation.L0B)
        else:
            b = asctile.copy_in(b_gm, [0, col], [k, tile_n], "L0B")
        asctile.copy_out(a @ b, c_gm, [row, col])


def matmul_transposed(a, b, blocks, transpose_a, transpose_b):
    """`a` and `b` as stored: transposed when their flag is set."""
    k, m = a.shape if transpose_a else a.shape[::-1]
    n = b.shape[0] if transpose_b else b.shape[1]
    c = np.empty((m, n), np.float32)
    matmul_transposed_kernel[blocks](a, b, c, m, n, k, transpose_a, transpose_b, 32, 32)
    return c


def inputs(m, n, k, transpose_a, transpose_b, dtype, seed=31):
    rng = np.random.default_rng(seed)
    a = rng.uniform(-1, 1, (k, m) if transpose_a else (m, k)).astype(dtype)
    b = rng.uniform(-1, 1, (n, k) if transpose_b else (k, n)).astype(dtype)
    return a, b


def reference(a, b, transpose_a, transpose_b):
    a, b = to_float64(a), to_float64(b)
    return (a.T if transpose_a else a) @ (b.T if transpose_b else b)


@pytest.mark.parametrize("transpose_a", [False, True], ids=["a", "a_T"])
@pytest.mark.parametrize("transpose_b", [False, True], ids=["b", "b_T"])
@pytest.mark.parametrize("dtype", [np.float16, np.float32])
@pytest.mark.parametrize("m,n,k,blocks", [(32, 32, 32, 1), (47, 67, 64, 4), (13, 31, 48, 2)])
def test_matmul_transposed(m, n, k, blocks, dtype, transpose_a, transpose_b):
    a, b = inputs(m, n, k, transpose_a, transpose_b, dtype)
    c = matmul_transposed(a, b, blocks, transpose_a, transpose_b)
    assert_close(c, reference(a, b, transpose_a, transpose_b), rtol=1e-3, atol=1e-4)


def example():
    blocks = 4
    checks = []
    for transpose_a, transpose_b in ((True, False), (False, True), (True, True)):
        a, b = inputs(90, 100, 64, transpose_a, transpose_b, np.float16)
        c = matmul_transposed(a, b, blocks, transpose_a, transpose_b)
        want = reference(a, b, transpose_a, transpose_b)
        checks.append(check(c, want, rtol=1e-3, atol=1e-4))
    return outcome("matmul_transposed", blocks, *checks)


if __name__ == "__main__":
    raise SystemExit(main(example))
