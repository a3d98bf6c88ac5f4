"""matmul_relu: relu and the conversion to float16 or bfloat16 happen on the way out of L0C."""

import asc
import asc2
import ml_dtypes
import numpy as np
import pytest
from checking import assert_close, check, main, outcome, to_float64


@asc2.jit
def matmul_relu_kernel(
    a_ptr: asc.GlobalAddress,
    b_ptr: asc.GlobalAddress,
    c_ptr: asc.GlobalAddress,
    m,
    n,
    k: asc.ConstExpr[int],
    tile: asc.ConstExpr[int],
    apply_relu: asc.ConstExpr[bool],
):
    a_gm = asc2.global_tensor(a_ptr, [m, k])
    b_gm = asc2.global_tensor(b_ptr, [k, n])
    c_gm = asc2.global_tensor(c_ptr, [m, n])
    tiles_n = asc2.ceildiv(n, tile)
    tiles = asc2.ceildiv(m, tile) * tiles_n
    for i in asc2.range(asc2.block_idx(), tiles, asc2.block_num()):
        row = i / tiles_n * tile
        col = i % tiles_n * tile
        a = asc2.copy_in(a_gm, [row, 0], [tile, k], asc2.TensorLocation.L0A)
        b = asc2.copy_in(b_gm, [0, col], [k, tile], asc2.TensorLocation.L0B)
        c = a @ b
        if apply_relu:
            c = asc2.relu(c)
        asc2.copy_out(c.to(c_ptr.dtype), c_gm, [row, col])


def matmul_relu(a, b, dtype, blocks, apply_relu=True, static=False):
    (m, k), n = a.shape, b.shape[1]
    c = np.empty((m, n), dtype)
    scalars = [m, n]
    if static:
        scalars = map(asc2.ConstExpr, scalars)
    matmul_relu_kernel[blocks](a, b, c, *scalars, k, 32, apply_relu)
    return c


def inputs(m, n, k, dtype, seed=32):
    rng = np.random.default_rng(seed)
    return rng.uniform(-1, 1, (m, k)).astype(dtype), rng.uniform(-1, 1, (k, n)).astype(dtype)


def reference(a, b, apply_relu=True):
    c = to_float64(a) @ to_float64(b)
    return np.maximum(c, 0) if apply_relu else c


@pytest.mark.parametrize("static", [False, True], ids=["dynamic", "static"])
@pytest.mark.parametrize("apply_relu", [True, False], ids=["relu", "plain"])
@pytest.mark.parametrize("dtype", [np.float16, ml_dtypes.bfloat16, np.float32])
@pytest.mark.parametrize("m,n,k,blocks", [(32, 32, 32, 1), (47, 67, 64, 4), (1, 13, 48, 1)])
def test_matmul_relu(m, n, k, blocks, dtype, apply_relu, static):
    a, b = inputs(m, n, k, np.float16)
    c = matmul_relu(a, b, dtype, blocks, apply_relu, static)
    atol = 1e-4 if dtype == np.float32 else 1e-3
    assert_close(c, reference(a, b, apply_relu), atol=atol)


def test_matmul_relu_torch():
    torch = pytest.importorskip("torch")
    generator = torch.Generator().manual_seed(0)
    a = torch.rand((40, 64), generator=generator).sub_(0.5).to(torch.bfloat16)
    b = torch.rand((64, 50), generator=generator).sub_(0.5).to(torch.bfloat16)
    c = torch.empty((40, 50), dtype=torch.bfloat16)
    matmul_relu_kernel[2](a, b, c, 40, 50, 64, 32, True)
    expected = torch.relu(a.double() @ b.double()).to(torch.bfloat16)
    torch.testing.assert_close(c, expected, rtol=1.6e-2, atol=1e-3)


def example():
    blocks = 8
    a, b = inputs(150, 130, 96, np.float16)
    c = matmul_relu(a, b, np.float16, blocks)
    return outcome("matmul_relu", blocks, check(c, reference(a, b), atol=1e-3))


if __name__ == "__main__":
    raise SystemExit(main(example))
