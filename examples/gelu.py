"""gelu: the exact form with erf and the tanh approximation, chosen at compile time by a string."""

import math

import asctile
import numpy as np
import pytest
from checking import assert_close, check, main, outcome, to_float64

SQRT_HALF = math.sqrt(0.5)
CUBIC = 0.044715
PI = math.pi


@asctile.jit(vf_fusion=True)
def gelu_kernel(
    x_ptr: asctile.GlobalAddress,
    out_ptr: asctile.GlobalAddress,
    size: int,
    tile_size: asctile.ConstExpr[int],
    approximate: asctile.ConstExpr[str],
):
    x_gm = asctile.global_tensor(x_ptr, [size])
    out_gm = asctile.global_tensor(out_ptr, [size])
    for i in asctile.range(
        asctile.block_idx(), asctile.ceildiv(size, tile_size), asctile.block_num()
    ):
        x = asctile.copy_in(x_gm, [i * tile_size], [tile_size])
        if x.dtype == asctile.float32:
            wide = x
        else:
            wide = x.to(asctile.float32)
        if approximate == "tanh":
            inner = (wide + CUBIC * wide * wide * wide) * asctile.sqrt(2 / PI)
            y = 0.5 * wide * (1.0 + asctile.tanh(inner))
        else:
            y = 0.5 * wide * (1.0 + asctile.erf(wide * SQRT_HALF))
        asctile.copy_out(y.to(x.dtype), out_gm, [i * tile_size])


def gelu(x, approximate, blocks, tile_size=256, static=False):
    out = np.empty_like(x)
    size = asctile.ConstExpr(x.size) if static else x.size
    gelu_kernel[blocks](x, out, size, tile_size, approximate)
    return out


def reference(x, approximate):
    x = to_float64(x)
    if approximate == "tanh":
        return 0.5 * x * (1 + np.tanh(math.sqrt(2 / math.pi) * (x + CUBIC * x**3)))
    return 0.5 * x * (1 + np.vectorize(math.erf)(x * SQRT_HALF))


def inputs(size, dtype, seed=4):
    return np.random.default_rng(seed).normal(0, 1, size).astype(dtype)


@pytest.mark.parametrize("static", [False, True], ids=["dynamic", "static"])
@pytest.mark.parametrize("approximate", ["none", "tanh"])
@pytest.mark.parametrize("dtype", [np.float16, np.float32])
@pytest.mark.parametrize("size,blocks", [(19, 1), (1000, 3), (4096, 8)])
def test_gelu(size, blocks, dtype, approximate, static):
    x = inputs(size, dtype)
    assert_close(gelu(x, approximate, blocks, static=static), reference(x, approximate))


@pytest.mark.parametrize("approximate", ["none", "tanh"])
def test_gelu_torch(approximate):
    torch = pytest.importorskip("torch")
    x = torch.from_numpy(inputs(3000, np.float32))
    out = torch.empty_like(x)
    gelu_kernel[4](x, out, x.numel(), 256, approximate)
    expected = torch.nn.functional.gelu(x.double(), approximate=approximate).float()
    torch.testing.assert_close(out, expected)


def example():
    blocks = 8
    x = inputs(30_000, np.float32)
    exact = gelu(x, "none", blocks, tile_size=1024)
    approximated = gelu(x, "tanh", blocks, tile_size=1024)
    return outcome(
        "gelu",
        blocks,
        check(exact, reference(x, "none")),
        check(approximated, reference(x, "tanh")),
    )


if __name__ == "__main__":
    raise SystemExit(main(example))
