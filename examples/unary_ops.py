"""unary_ops: one kernel for every element-wise function, the function a compile-time value."""

import math

import asctile
import numpy as np
import pytest
from checking import assert_close, check, main, outcome, to_float64

REFERENCES = {
    asctile.abs: np.abs,
    asctile.ceil: np.ceil,
    asctile.cos: np.cos,
    asctile.cosh: np.cosh,
    asctile.erf: np.vectorize(math.erf, otypes=[np.float64]),
    asctile.exp: np.exp,
    asctile.exp2: np.exp2,
    asctile.floor: np.floor,
    asctile.log: np.log,
    asctile.log2: np.log2,
    asctile.negative: np.negative,
    asctile.relu: lambda x: np.maximum(x, 0),
    asctile.rsqrt: lambda x: 1 / np.sqrt(x),
    asctile.sin: np.sin,
    asctile.sinh: np.sinh,
    asctile.sqrt: np.sqrt,
    asctile.tan: np.tan,
    asctile.tanh: np.tanh,
}


@asctile.jit
def unary_kernel(
    x_ptr: asctile.GlobalAddress,
    out_ptr: asctile.GlobalAddress,
    size,
    op: asctile.ConstExpr,
    tile_size: asctile.ConstExpr[int],
):
    x_gm = asctile.global_tensor(x_ptr, [size])
    out_gm = asctile.global_tensor(out_ptr, [size])
    step = asctile.block_num() * tile_size
    for offset in range(asctile.block_idx() * tile_size, size, step, unroll_factor=2):
        x = asctile.copy_in(x_gm, [offset], [tile_size])
        asctile.copy_out(op(x), out_gm, [offset])


def unary(op, x, blocks, tile_size=64, static=False):
    out = np.empty_like(x)
    size = asctile.ConstExpr(x.size) if static else x.size
    unary_kernel[blocks](x, out, size, op, tile_size)
    return out


def inputs(op, size, dtype, seed=38):
    low, high = (0.1, 1.4) if op is asctile.tan else (1, 8)
    return np.random.default_rng(seed).uniform(low, high, size).astype(dtype)


def tolerance(op, x):
    """rtol, atol of the field: its float32 defaults, and two roundings in float16.

    exp2(x) is exp(x * ln 2): what rounding the product to float16 takes away is in the exponent.
    """
    if x.dtype == np.float32:
        return 1.3e-6, 1e-5
    lost = float(np.max(x)) * math.log(2) * 2**-11 if op is asctile.exp2 else 0
    return 2e-3 + lost, 1e-3


@pytest.mark.parametrize("static", [False, True], ids=["dynamic", "static"])
@pytest.mark.parametrize("dtype", [np.float16, np.float32])
@pytest.mark.parametrize("op", list(REFERENCES), ids=lambda op: op.__name__)
def test_unary(op, dtype, static):
    x = inputs(op, 160, dtype)
    rtol, atol = tolerance(op, x)
    want = REFERENCES[op](to_float64(x))
    assert_close(unary(op, x, 2, static=static), want, rtol=rtol, atol=atol)


def example():
    blocks = 4
    checks = []
    for op, function in REFERENCES.items():
        x = inputs(op, 2000, np.float32)
        checks.append(check(unary(op, x, blocks), function(to_float64(x))))
    return outcome("unary_ops", blocks, *checks)


if __name__ == "__main__":
    raise SystemExit(main(example))
