"""matmul_hf32: float32 operands rounded to the 11-bit HF32 format before they are multiplied."""

import asctile
import numpy as np
import pytest
from checking import assert_close, check, main, outcome, to_float64


@asctile.jit
def matmul_hf32_kernel(
    a_ptr: asctile.GlobalAddress,
    b_ptr: asctile.GlobalAddress,
    c_ptr: asctile.GlobalAddress,
    m: asctile.ConstExpr[int],
    n: asctile.ConstExpr[int],
    k: asctile.ConstExpr[int],
    tile_m: asctile.ConstExpr[int],
    hf32: asctile.ConstExpr[bool],
):
    a_gm = asctile.global_tensor(a_ptr, [m, k])
    b_gm = asctile.global_tensor(b_ptr, [k, n])
    c_gm = asctile.global_tensor(c_ptr, [m, n])
    b = asctile.copy_in(b_gm, [0, 0], [k, n], asctile.TensorLocation.L0B)
    step = asctile.block_num() * tile_m
    for row in asctile.range(asctile.block_idx() * tile_m, m, step):
        a = asctile.copy_in(a_gm, [row, 0], [tile_m, k], asctile.TensorLocation.L0A)
        asctile.copy_out(asctile.matmul(a, b, hf32=hf32), c_gm, [row, 0])


def matmul_hf32(a, b, blocks, hf32=True):
    (m, k), n = a.shape, b.shape[1]
    c = np.empty((m, n), np.float32)
    matmul_hf32_kernel[blocks](a, b, c, m, n, k, 16, hf32)
    return c


def inputs(m, n, k, seed=30):
    rng = np.random.default_rng(seed)
    a = rng.uniform(0, 1, (m, k)).astype(np.float32)
    return a, rng.uniform(0, 1, (k, n)).astype(np.float32)


def reference(a, b):
    return to_float64(a) @ to_float64(b)


@pytest.mark.parametrize("m,n,k,blocks", [(16, 16, 16, 1), (11, 19, 41, 1), (67, 48, 64, 4)])
def test_matmul_hf32(m, n, k, blocks):
    a, b = inputs(m, n, k)
    assert_close(matmul_hf32(a, b, blocks), reference(a, b), rtol=1e-3)


def test_hf32_is_coarser_than_float32():
    a, b = inputs(32, 32, 64)
    want = reference(a, b)
    coarse = np.abs(matmul_hf32(a, b, 2, hf32=True) - want).max()
    fine = np.abs(matmul_hf32(a, b, 2, hf32=False) - want).max()
    assert fine < coarse


def test_eleven_bits_survive():
    a = np.diag(np.array([2047.0, 1.0 + 2.0**-10, 3.0, 4.0], np.float32))
    b = np.eye(4, dtype=np.float32)
    assert np.array_equal(matmul_hf32(a, b, 1), a)


def example():
    blocks = 4
    a, b = inputs(64, 80, 100)
    c = matmul_hf32(a, b, blocks)
    return outcome("matmul_hf32", blocks, check(c, reference(a, b), rtol=1e-3))


if __name__ == "__main__":
    raise SystemExit(main(example))
