"""fused_multiply_add: out = x * y + alpha * z in one pass, alpha a typed run-time scalar."""

import asc
import asctile
import numpy as np
import pytest
from checking import assert_close, check, main, outcome, to_float64


@asctile.jit(vf_fusion=True)
def fused_multiply_add_kernel(
    x_ptr: asctile.GlobalAddress,
    y_ptr: asctile.GlobalAddress,
    z_ptr: asctile.GlobalAddress,
    out_ptr: asctile.GlobalAddress,
    size,
    alpha,
    tile_size: asctile.ConstExpr[int],
):
    x_gm = asctile.global_tensor(x_ptr, [size])
    y_gm = asctile.global_tensor(y_ptr, [size])
    z_gm = asctile.global_tensor(z_ptr, [size])
    out_gm = asctile.global_tensor(out_ptr, [size])
    first = asctile.block_idx() * tile_size
    for offset in range(first, size, asctile.block_num() * tile_size):
        x = asctile.copy_in(x_gm, [offset], [tile_size])
        y = asctile.copy_in(y_gm, [offset], [tile_size])
        z = asctile.copy_in(z_gm, [offset], [tile_size])
        asctile.copy_out(x * y + z * alpha, out_gm, [offset])


def fused_multiply_add(x, y, z, alpha, blocks, tile_size=256, static=False):
    out = np.empty_like(x)
    scalars = [x.size, alpha]
    if static:
        scalars = map(asctile.ConstExpr, scalars)
    fused_multiply_add_kernel[blocks](x, y, z, out, *scalars, tile_size)
    return out


def inputs(size, dtype, seed=1):
    rng = np.random.default_rng(seed)
    values = rng.uniform(0.5, 4.0, (3, size))
    return tuple(v.astype(dtype) for v in values)


def reference(x, y, z, alpha):
    return to_float64(x) * to_float64(y) + float(alpha) * to_float64(z)


@pytest.mark.parametrize("static", [False, True], ids=["dynamic", "static"])
@pytest.mark.parametrize("size", [17, 512, 3000])
@pytest.mark.parametrize("blocks", [1, 5])
def test_float32(blocks, size, static):
    x, y, z = inputs(size, np.float32)
    out = fused_multiply_add(x, y, z, 0.75, blocks, static=static)
    assert_close(out, reference(x, y, z, 0.75))


@pytest.mark.parametrize("alpha", [0.75, np.float16(0.75), np.float32(0.75)])
def test_float16_takes_python_and_typed_scalars(alpha):
    x, y, z = inputs(1000, np.float16)
    out = fused_multiply_add(x, y, z, alpha, 2)
    assert_close(out, reference(x, y, z, alpha), rtol=2e-3)


def test_int32_converts_a_float_scalar_toward_zero():
    rng = np.random.default_rng(2)
    x, y, z = (rng.integers(-1000, 1000, 777).astype(np.int32) for _ in range(3))
    out = fused_multiply_add(x, y, z, asc.ConstExpr(2.9), 2)
    assert np.array_equal(out, x * y + 2 * z)


def example():
    blocks = 8
    x, y, z = inputs(50_000, np.float32)
    out = fused_multiply_add(x, y, z, 0.75, blocks, tile_size=1024)
    return outcome("fused_multiply_add", blocks, check(out, reference(x, y, z, 0.75)))


if __name__ == "__main__":
    raise SystemExit(main(example))
