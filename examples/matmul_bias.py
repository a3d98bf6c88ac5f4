"""matmul_bias: a bias row in the bias table (BT), given to matmul or as the start of zeros_acc.

The last bias load reaches past the end of the bias; only columns that are clipped on the way out
see what it reads there.
"""

import asctile
import numpy as np
import pytest
from checking import assert_close, check, main, outcome, to_float64


@asctile.jit
def matmul_bias_kernel(
    a_ptr: asctile.GlobalAddress,
    b_ptr: asctile.GlobalAddress,
    bias_ptr: asctile.GlobalAddress,
    c_ptr: asctile.GlobalAddress,
    m,
    n,
    k: asctile.ConstExpr[int],
    tile_m: asctile.ConstExpr[int],
    tile_n: asctile.ConstExpr[int],
    tile_k: asctile.ConstExpr[int],
):
    a_gm = asctile.global_tensor(a_ptr, [m, k])
    b_gm = asctile.global_tensor(b_ptr, [k, n])
    bias_gm = asctile.global_tensor(bias_ptr, [n])
    c_gm = asctile.global_tensor(c_ptr, [m, n])
    tiles_n = asctile.ceildiv(n, tile_n)
    tiles = asctile.ceildiv(m, tile_m) * tiles_n
    for tile in range(asctile.block_idx(), tiles, asctile.block_num()):
        row = tile / tiles_n * tile_m
        col = tile % tiles_n * tile_n
        bias = asctile.copy_in(bias_gm, [col], [tile_n], asctile.TensorLocation.BT)
        if tile_k == k:
            a = asctile.copy_in(a_gm, [row, 0], [tile_m, k], "L0A")
            b = asctile.copy_in(b_gm, [0, col], [k, tile_n], "L0B")
            asctile.copy_out(asctile.matmul(a, b, bias), c_gm, [row, col])
        else:
            acc = asctile.zeros_acc([tile_m, tile_n], asctile.float32, bias=bias)
            for step in range(0, k, tile_k):
                a = asctile.copy_in(a_gm, [row, step], [tile_m, tile_k])
                b = asctile.copy_in(b_gm, [step, col], [tile_k, tile_n])
                asctile.matmul_acc(acc, a, b)
            asctile.copy_out(acc, c_gm, [row, col])


def matmul_bias(a, b, bias, blocks, tile_k, static=False):
    (m, k), n = a.shape, b.shape[1]
    c = np.empty((m, n), np.float32)
    scalars = [m, n]
    if static:
        scalars = map(asctile.ConstExpr, scalars)
    matmul_bias_kernel[blocks](a, b, bias, c, *scalars, k, 16, 32, tile_k)
    return c


def inputs(m, n, k, dtype, seed=29):
    rng = np.random.default_rng(seed)
    shapes = ((m, k), (k, n), (n,))
    return tuple(rng.uniform(-1, 1, shape).astype(dtype) for shape in shapes)


def reference(a, b, bias):
    return to_float64(a) @ to_float64(b) + to_float64(bias)


@pytest.mark.parametrize("static", [False, True], ids=["dynamic", "static"])
@pytest.mark.parametrize("dtype", [np.float16, np.float32])
@pytest.mark.parametrize("whole_k", [True, False], ids=["matmul", "zeros_acc"])
@pytest.mark.parametrize("m,n,k,blocks", [(16, 32, 32, 1), (21, 47, 64, 2), (50, 100, 96, 4)])
def test_matmul_bias(m, n, k, blocks, whole_k, dtype, static):
    a, b, bias = inputs(m, n, k, dtype)
    c = matmul_bias(a, b, bias, blocks, k if whole_k else 16, static)
    assert_close(c, reference(a, b, bias), rtol=1e-3, atol=1e-4)


def example():
    blocks = 8
    a, b, bias = inputs(100, 150, 64, np.float16)
    want = reference(a, b, bias)
    whole = matmul_bias(a, b, bias, blocks, 64)
    stepped = matmul_bias(a, b, bias, blocks, 16)
    return outcome(
        "matmul_bias",
        blocks,
        check(whole, want, rtol=1e-3, atol=1e-4),
        check(stepped, want, rtol=1e-3, atol=1e-4),
    )


if __name__ == "__main__":
    raise SystemExit(main(example))
