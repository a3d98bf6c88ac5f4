"""Matrix products through the language: the cube's groups, the bias first, fused products (N14).

With one element along K a product is a fused multiply-add, a * b + bias rounded once, in npu.
"""

import numpy as np
import pytest
from ascemu.dropin import asctile
from numerics import vectors
from numerics.formats import FLOAT32, FORMATS
from numerics.ledger import prove
from numerics.multiprecision import correctly_rounded
from numerics.products import multiplied
from numerics.streams import under
from numerics.targets import A2, A5, IEEE, TARGETS, Target

SIZE = 64
BLOCKS = 11
ORACLE = "exact products and group sums by MPFR, one rounding a group"


@asctile.jit(always_compile=True)
def _product(m: asctile.ConstExpr, k: asctile.ConstExpr, n: asctile.ConstExpr, a_ptr, b_ptr,
             bias_ptr, out_ptr):  # fmt: skip
    block, blocks = asctile.block_idx(), asctile.block_num()
    a = asctile.copy_in(asctile.global_tensor(a_ptr, [blocks * m, k]), [block * m, 0], [m, k])
    b = asctile.copy_in(asctile.global_tensor(b_ptr, [blocks * k, n]), [block * k, 0], [k, n])
    bias = asctile.copy_in(asctile.global_tensor(bias_ptr, [blocks * n]), [block * n], [n])
    out = asctile.global_tensor(out_ptr, [blocks * m, n])
    asctile.copy_out(asctile.matmul(a, b, bias), out, [block * m, 0])


def product(target, form, a, b, bias):
    """bias + a @ b for each block: patterns [blocks, m, k], [blocks, k, n], [blocks, n]."""
    blocks, m, k = a.shape
    n = b.shape[2]
    out = np.zeros((blocks * m, n), np.float32)
    a, b = (np.ascontiguousarray(x).view(form.dtype) for x in (a, b))
    with under(target):
        _product[blocks](
            m, k, n, a.reshape(-1, k), b.reshape(-1, n), bias.view(np.float32).ravel(), out
        )
    return out.view(np.uint32).reshape(blocks, m, n)


def by_target(function):
    return pytest.mark.parametrize("target", TARGETS, ids=lambda target: target.name)(function)


def single_products(form):
    """Factors and addends; many products nearly cancel the addend, or lie far from it in size."""
    rng = vectors.generator(form.name, "fma")
    a = vectors.random_patterns(form, rng, BLOCKS * SIZE).reshape(BLOCKS, SIZE)
    b = vectors.random_patterns(form, rng, BLOCKS * SIZE).reshape(BLOCKS, SIZE)
    edges = vectors.boundary(form)
    a[0], b[0] = rng.choice(edges, SIZE), rng.choice(edges, SIZE)
    a[:, 1:40] = a[:, :1] ^ rng.integers(0, 8, (BLOCKS, 39)).astype(form.pattern)
    near = correctly_rounded(form, "mul", np.repeat(a[:, 0], SIZE), b.ravel(), result=FLOAT32)
    bias = near ^ np.uint32(FLOAT32.sign) ^ rng.integers(0, 4, near.shape).astype(np.uint32)
    other = vectors.random_patterns(FLOAT32, rng, len(bias))
    bias = np.where(rng.random(len(bias)) < 0.7, bias, other).reshape(BLOCKS, SIZE)
    return a[:, :, None], b[:, None, :], bias


@pytest.mark.parametrize("dtype", FORMATS)
@by_target
def test_fused_products(target: Target, dtype):
    form = FORMATS[dtype]
    a, b, bias = single_products(form)
    x, y, z = (v.ravel() for v in np.broadcast_arrays(a, b, bias[:, None, :]))
    if target is IEEE:
        rounded = correctly_rounded(form, "mul", x, y, result=FLOAT32)
        expected, op = correctly_rounded(FLOAT32, "add", rounded, z), "matmul"
    else:
        expected, op = correctly_rounded(form, "fma", x, y, z, result=FLOAT32), "fma"
    got = product(target, form, a, b, bias).ravel()
    prove(
        got,
        target.settled(FLOAT32, expected),
        (x, y, z),
        set="vectors",
        op=op,
        dtype=dtype,
        result="float32",
        mode="one element along K",
        target=target.name,
        clause="N14.1",
        oracle="MPFR, one operation a result",
    )


def matrices(form, k):
    """Four blocks of 8 x k by k x 8: mixed sizes, wide spreads, cancellation, special values."""
    rng = vectors.generator(form.name, k, "matrices")
    blocks = 4
    spread = np.array([3, 10, 14, 3])[:, None, None]

    def numbers(*shape):
        scale = np.exp2(np.round(rng.uniform(-1, 1, shape) * spread))
        return (rng.standard_normal(shape) * scale).astype(form.dtype)

    a, b = numbers(blocks, 8, k), numbers(blocks, k, 8)
    half = k // 2
    a[1, :, half : 2 * half], b[1, half : 2 * half] = a[1, :, :half], -b[1, :half]
    a, b = a.view(form.pattern), b.view(form.pattern)
    edges = vectors.boundary(form)
    a[3, 0] = rng.choice(edges[~form.is_nan(edges)], k)
    a[3, 1, 0] = form.infinity | 1
    bias = (rng.standard_normal((blocks, 8)) * 100).astype(np.float32).view(np.uint32)
    return a, b, bias


@pytest.mark.parametrize("dtype", FORMATS)
@by_target
def test_groups(target: Target, dtype):
    form = FORMATS[dtype]
    got, expected = [], []
    for k in (1, 2, 3, 4, 5, 8, 9, 15, 16, 17, 31, 32, 33, 64, 65, 100):
        a, b, bias = matrices(form, k)
        got.append(product(target, form, a, b, bias).ravel())
        for block in range(len(a)):
            start = np.broadcast_to(bias[block], (8, 8)).copy()
            expected.append(multiplied(target, form, a[block], b[block], start).ravel())
    got, expected = np.concatenate(got), np.concatenate(expected)
    prove(
        got,
        expected,
        (np.arange(len(got)),),
        set="vectors",
        op="matmul",
        dtype=dtype,
        result="float32",
        mode="groups",
        target=target.name,
        clause="N14.1 N2",
        oracle=ORACLE,
    )


def test_the_groups_are_told_apart():
    """The rule of halves and that of float32 give other bits for the same numbers, and ieee too."""
    a, b, bias = matrices(FORMATS["bfloat16"], 64)
    wide = [(x.astype(np.uint32) << 16) for x in (a, b)]
    results = []
    for target, form, x, y in (
        (A5, FORMATS["bfloat16"], a, b),
        (A2, FLOAT32, *wide),
        (IEEE, FLOAT32, *wide),
    ):
        start = np.broadcast_to(bias[0], (8, 8)).copy()
        results.append(multiplied(target, form, x[0], y[0], start))
    for i, one in enumerate(results):
        assert all((one != other).sum() > 10 for other in results[:i])
