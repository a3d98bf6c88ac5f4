"""Matrix products through the language: the cube's groups, the bias first, fused products (N14).

Also HF32 operands (N14.2) and the conversions on the way out (N15).

With one element along K a product is a fused multiply-add, a * b + bias rounded once, in npu.
"""

import functools

import numpy as np
import pytest
from ascemu.dropin import asctile
from numerics import vectors
from numerics.formats import FLOAT32, FORMATS, Format, exact_of_patterns, rounded_to_format
from numerics.ledger import prove
from numerics.multiprecision import correctly_rounded
from numerics.products import multiplied
from numerics.streams import under
from numerics.targets import A2, A5, IEEE, TARGETS, Target, flushed_operand
from op_launch import dtype_of

SIZE = 64
BLOCKS = 11
ORACLE = "exact products and group sums by MPFR, one rounding a group"


@asctile.jit(always_compile=True)
def _product(multiply, m: asctile.ConstExpr, k: asctile.ConstExpr, n: asctile.ConstExpr, a_ptr,
             b_ptr, bias_ptr, out_ptr):  # fmt: skip
    block, blocks = asctile.block_idx(), asctile.block_num()
    a = asctile.copy_in(asctile.global_tensor(a_ptr, [blocks * m, k]), [block * m, 0], [m, k])
    b = asctile.copy_in(asctile.global_tensor(b_ptr, [blocks * k, n]), [block * k, 0], [k, n])
    bias = asctile.copy_in(asctile.global_tensor(bias_ptr, [blocks * n]), [block * n], [n])
    out = asctile.global_tensor(out_ptr, [blocks * m, n])
    asctile.copy_out(multiply(a, b, bias), out, [block * m, 0])


def product(target, form, a, b, bias, multiply=asctile.matmul, result=FLOAT32):
    """bias + a @ b for each block: patterns [blocks, m, k], [blocks, k, n], [blocks, n].

    `multiply` and the dtype of its `result` may be others.
    """
    blocks, m, k = a.shape
    n = b.shape[2]
    out = np.zeros((blocks * m, n), result.dtype)
    function = asctile.ConstExpr(multiply)
    a, b = (np.ascontiguousarray(x).view(form.dtype) for x in (a, b))
    with under(target):
        _product[blocks](
            function,
            m,
            k,
            n,
            a.reshape(-1, k),
            b.reshape(-1, n),
            bias.view(np.float32).ravel(),
            out,
        )
    return out.view(result.pattern).reshape(blocks, m, n)


def by_target(function):
    return pytest.mark.parametrize("target", TARGETS, ids=lambda target: target.name)(function)


def prove_parts(got, expected, **entry):
    """`prove` over the patterns of several products; a witness is its place among them."""
    got, expected = np.concatenate(got), np.concatenate(expected)
    prove(got, expected, (np.arange(len(got)),), set="vectors", oracle=ORACLE, **entry)


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
    prove_parts(
        got,
        expected,
        op="matmul",
        dtype=dtype,
        result="float32",
        mode="groups",
        target=target.name,
        clause="N14.1 N2.2",
    )


@asctile.jit(always_compile=True)
def _accumulated(m: asctile.ConstExpr, k: asctile.ConstExpr, n: asctile.ConstExpr, a_ptr, b_ptr,
                 bias_ptr, out_ptr):  # fmt: skip
    a = asctile.global_tensor(a_ptr, [m, 3 * k])
    b = asctile.global_tensor(b_ptr, [3 * k, n])
    bias = asctile.copy_in(asctile.global_tensor(bias_ptr, [n]), [0], [n], "BT")
    acc = asctile.zeros_acc([m, n], asctile.float32, bias=bias)
    for i in range(3):
        left = asctile.copy_in(a, [0, i * k], [m, k], "L1")
        right = asctile.copy_in(b, [i * k, 0], [k, n], "L1")
        asctile.matmul_acc(acc, left, right)
    asctile.copy_out(acc, asctile.global_tensor(out_ptr, [m, n]), [0, 0])


@pytest.mark.parametrize("dtype", FORMATS)
@by_target
def test_accumulation_over_tiles(target: Target, dtype):
    """Three tiles along K onto a bias: each starts its groups anew, from what is there."""
    form, got, expected = FORMATS[dtype], [], []
    for k in (1, 4, 6, 16, 22):
        a, b, bias = matrices(form, 3 * k)
        for block in range(len(a)):
            out = np.zeros((8, 8), np.float32)
            arrays = [np.ascontiguousarray(x[block]).view(form.dtype) for x in (a, b)]
            with under(target):
                _accumulated[1](8, k, 8, *arrays, bias[block].view(np.float32), out)
            total = np.broadcast_to(bias[block], (8, 8)).copy()
            for i in range(0, 3 * k, k):
                pair = a[block][:, i : i + k], b[block][i : i + k]
                total = multiplied(target, form, *pair, total)
            got.append(out.view(np.uint32).ravel())
            expected.append(total.ravel())
    prove_parts(
        got,
        expected,
        op="matmul_acc",
        dtype="float32",
        mode=f"tiles of {dtype}",
        target=target.name,
        clause="N14.1 N2.2",
    )


def hf32(x):
    """What HF32 keeps: the low 12 bits are rounded away, subnormals are a zero of their sign."""
    exact = exact_of_patterns(FLOAT32, x)
    narrow = Format("hf32", 12, 8, None, np.dtype(np.uint32))
    kept = rounded_to_format(narrow, exact, "Rint", narrow.infinity | 1) << np.uint32(12)
    return flushed_operand(FLOAT32, np.where(FLOAT32.is_subnormal(x), x, kept).astype(np.uint32))


@by_target
def test_hf32(target: Target):
    got, expected = [], []
    for k in (1, 3, 4, 5, 17, 64):
        a, b, bias = matrices(FLOAT32, k)
        multiply = functools.partial(asctile.matmul, hf32=True)
        got.append(product(target, FLOAT32, a, b, bias, multiply).ravel())
        for block in range(len(a)):
            start = np.broadcast_to(bias[block], (8, 8)).copy()
            pair = hf32(a[block]), hf32(b[block])
            expected.append(multiplied(target, FLOAT32, *pair, start).ravel())
    prove_parts(
        got,
        expected,
        op="matmul",
        dtype="float32",
        mode="hf32",
        target=target.name,
        clause="N14.2",
    )


@pytest.mark.parametrize("relu", [False, True], ids=["plain", "relu"])
@pytest.mark.parametrize("dtype", ["float16", "bfloat16"])
@by_target
def test_fixpipe(target: Target, dtype, relu):
    """Products of one element along K, converted on the way out of L0C; the relu comes first."""
    form, goal = FORMATS[dtype], dtype_of(dtype)
    a, b, bias = single_products(form)

    def multiply(*tiles):
        result = asctile.matmul(*tiles)
        return asctile.cast(asctile.relu(result) if relu else result, goal)

    total = product(target, form, a, b, bias)
    if relu:
        negative = (total.astype(np.int64) & FLOAT32.sign) != 0
        total = np.where(negative & ~FLOAT32.is_nan(total), 0, total).astype(np.uint32)
    exact = exact_of_patterns(FLOAT32, total.ravel())
    expected = target.settled(form, rounded_to_format(form, exact, "Rint", form.infinity + 1))
    got = product(target, form, a, b, bias, multiply, form).ravel()
    prove(
        got,
        expected,
        (total.ravel(),),
        set="vectors",
        op="matmul",
        dtype=dtype,
        result=dtype,
        mode="fixpipe, relu" if relu else "fixpipe",
        target=target.name,
        clause="N15.1 N4.2",
        oracle="integer arithmetic on the exact value",
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
