"""masked_lanes: vector work on some lanes of every 256-byte repeat, a given value in the others."""

import asctile
import numpy as np
import pytest
from checking import assert_close, check, main, outcome, to_float64

LANES = {"float16": 128, "float32": 64}


@asctile.jit
def masked_count_kernel(
    x_ptr: asctile.GlobalAddress,
    out_ptr: asctile.GlobalAddress,
    size: asctile.ConstExpr[int],
    count: asctile.ConstExpr[int],
    other,
):
    x_gm = asctile.global_tensor(x_ptr, [size])
    out_gm = asctile.global_tensor(out_ptr, [size])
    x = asctile.copy_in(x_gm, [0], [size])
    with asctile.mask(count=count, other=other):
        asctile.copy_out(x + x, out_gm, [0])


@asctile.jit
def masked_bits_kernel(
    x_ptr: asctile.GlobalAddress,
    out_ptr: asctile.GlobalAddress,
    size: asctile.ConstExpr[int],
    bits: asctile.ConstExpr,
    other: asctile.ConstExpr[int],
):
    x_gm = asctile.global_tensor(x_ptr, [size])
    out_gm = asctile.global_tensor(out_ptr, [size])
    x = asctile.copy_in(x_gm, [0], [size])
    with asctile.mask(bits=bits, other=other):
        asctile.copy_out(asctile.exp(x), out_gm, [0])


def masked_count(x, count, other):
    out = np.empty_like(x)
    masked_count_kernel[1](x, out, x.size, count, other)
    return out


def masked_bits(x, bits, other):
    out = np.empty_like(x)
    masked_bits_kernel[1](x, out, x.size, bits, other)
    return out


def inputs(size, dtype, seed=37):
    return np.random.default_rng(seed).uniform(-2, 2, size).astype(dtype)


def lane(x):
    return np.arange(x.size) % LANES[str(x.dtype)]


def count_reference(x, count, other):
    return np.where(lane(x) < count, 2 * to_float64(x), other)


def bits_reference(x, bits, other):
    pattern = bits[0] << 64 | bits[1]
    active = np.array([pattern >> int(i) & 1 for i in lane(x)], bool)
    return np.where(active, np.exp(to_float64(x)), other)


@pytest.mark.parametrize("static", [False, True], ids=["dynamic", "static"])
@pytest.mark.parametrize("dtype", [np.float16, np.float32])
@pytest.mark.parametrize("count", [1, 23, 64])
def test_count(count, dtype, static):
    x = inputs(256, dtype)
    out = masked_count(x, count, asctile.ConstExpr(7.0) if static else 7.0)
    assert_close(out, count_reference(x, count, 7.0))


@pytest.mark.parametrize("dtype", [np.float16, np.float32])
@pytest.mark.parametrize("bits", [(0, 0b1011), (0x8000000000000001, 0x5555555555555555)])
def test_bits(bits, dtype):
    x = inputs(256, dtype)
    assert_close(masked_bits(x, bits, -1), bits_reference(x, bits, -1))


def example():
    x, y = inputs(4096, np.float32), inputs(4096, np.float16)
    bits = (0xFF, 0x5555555555555555)
    return outcome(
        "masked_lanes",
        1,
        check(masked_count(x, 23, 7.0), count_reference(x, 23, 7.0)),
        check(masked_bits(y, bits, -1), bits_reference(y, bits, -1)),
    )


if __name__ == "__main__":
    raise SystemExit(main(example))
