"""addcdiv: out = x + value * a / b; the division of bfloat16 goes through float32."""

import asc
import asc2
import ml_dtypes
import numpy as np
import pytest
from checking import assert_close, check, main, outcome, to_float64


@asc2.jit
def addcdiv_kernel(
    x_ptr: asc.GlobalAddress,
    a_ptr: asc.GlobalAddress,
    b_ptr: asc.GlobalAddress,
    out_ptr: asc.GlobalAddress,
    value,
    size,
    tile_size: asc.ConstExpr[int],
):
    x_gm = asc2.global_tensor(x_ptr, [size])
    a_gm = asc2.global_tensor(a_ptr, [size])
    b_gm = asc2.global_tensor(b_ptr, [size])
    out_gm = asc2.global_tensor(out_ptr, [size])
    step = asc2.block_num() * tile_size
    for offset in asc2.range(asc2.block_idx() * tile_size, size, step, unroll_factor=2):
        x = asc2.copy_in(x_gm, [offset], [tile_size])
        a = asc2.copy_in(a_gm, [offset], [tile_size])
        b = asc2.copy_in(b_gm, [offset], [tile_size], pad_value=1.0)
        if x.dtype == asc2.bfloat16:
            quotient = a.to(asc2.float32) / b.to(asc2.float32)
            wide = x.to(asc2.float32) + asc2.mul(value, quotient)
            asc2.copy_out(wide.to(asc2.bfloat16), out_gm, [offset])
        else:
            asc2.copy_out(x + asc2.mul(value, a / b), out_gm, [offset])


def addcdiv(x, a, b, value, blocks, tile_size=256, static=False):
    out = np.empty_like(x)
    scalars = [value, x.size]
    if static:
        scalars = map(asc2.ConstExpr, scalars)
    addcdiv_kernel[blocks](x, a, b, out, *scalars, tile_size)
    return out


def inputs(size, dtype, seed=12):
    rng = np.random.default_rng(seed)
    return tuple(v.astype(dtype) for v in rng.uniform(1, 10, (3, size)))


def reference(x, a, b, value):
    return to_float64(x) + float(value) * to_float64(a) / to_float64(b)


@pytest.mark.parametrize("static", [False, True], ids=["dynamic", "static"])
@pytest.mark.parametrize("dtype", [np.float16, ml_dtypes.bfloat16, np.float32])
@pytest.mark.parametrize("size,blocks", [(1, 1), (1000, 3), (5001, 16)])
def test_addcdiv(size, blocks, dtype, static):
    x, a, b = inputs(size, dtype)
    out = addcdiv(x, a, b, 0.5, blocks, static=static)
    assert_close(out, reference(x, a, b, 0.5), rtol=2e-3 if dtype == np.float16 else None)


def test_typed_scalar():
    x, a, b = inputs(500, np.float16)
    value = np.float16(0.3)
    assert_close(addcdiv(x, a, b, value, 2), reference(x, a, b, value), rtol=2e-3)


def test_all_cores():
    x, a, b = inputs(100_000, np.float32)
    assert_close(addcdiv(x, a, b, 0.5, None), reference(x, a, b, 0.5))


def example():
    blocks = 8
    x, a, b = inputs(30_001, np.float32)
    out = addcdiv(x, a, b, 0.5, blocks, tile_size=1024)
    return outcome("addcdiv", blocks, check(out, reference(x, a, b, 0.5)))


if __name__ == "__main__":
    raise SystemExit(main(example))
