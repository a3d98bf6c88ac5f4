"""Sums, products and extremes in the order of the contract, through the language (N12).

One vector is one sum of a row. The rows are built so that the order shows: sizes around every class
of the clauses, numbers of mixed size and sign that round at most additions.
"""

import numpy as np
import pytest
from ascemu.dropin import asctile
from numerics.formats import FLOAT16, FLOAT32, FORMATS, doubles_of, patterns_of_doubles
from numerics.ledger import prove
from numerics.streams import under
from numerics.sums import Element, along_first, along_last, tree, whole_sum
from numerics.targets import A2, A5, IEEE, TARGETS, Target
from numerics.vectors import boundary, generator
from op_launch import LEGAL, NUMPY

ROWS = 16
WHOLE_SIZES = [1, 2, 63, 64, 65, 127, 128, 129, 192, 193, 256, 257, 300, 384, 385, 512, 513, 1000]
WHOLE_SIZES += [2048, 4095, 4097]
LAST_SIZES = [2, 3, 7, 8, 9, 16, 17, 24, 25, 31, 32, 33, 63, 64, 65, 100, 127, 128, 129, 200, 511]
LAST_SIZES += [512, 513, 1000]
FIRST_SIZES = [2, 3, 4, 5, 7, 8, 9, 15, 16, 17, 33, 64, 65]
ORACLE = "the clause's order, one rounding a node"


def rows_of(form, count, *key):
    """ROWS rows of numbers whose sum depends on the order; the last ones hold special values."""
    rng = generator(form.name, count, *key)
    scale = np.exp2(rng.integers(-6, 7, (ROWS, count)))
    numbers = rng.standard_normal((ROWS, count)) * scale
    if form is FLOAT16:
        numbers[1] *= 2.0**9
        numbers[2] *= 2.0**-20
    with np.errstate(over="ignore"):
        patterns = numbers.astype(form.dtype).view(form.pattern)
    edges = boundary(form)
    patterns[3] = rng.choice(edges[~form.is_nan(edges)], count)
    patterns[4] = rng.choice(edges, count)
    patterns[5] = form.sign
    return patterns


@asctile.jit(always_compile=True)
def _whole(reduce, count: asctile.ConstExpr, x_ptr, out_ptr):
    x = asctile.global_tensor(x_ptr, [asctile.block_num(), count])
    row = asctile.copy_in(x, [asctile.block_idx(), 0], [1, count])
    out = asctile.global_tensor(out_ptr, [asctile.block_num()])
    asctile.copy_out(reduce(row), out, [asctile.block_idx()])


def whole(target, reduce, x):
    """The scalar of each row."""
    out = np.zeros(len(x), x.dtype)
    with under(target):
        _whole[len(x)](asctile.ConstExpr(reduce), x.shape[1], x, out)
    return out


@asctile.jit(always_compile=True)
def _axis(reduce, shape: asctile.ConstExpr, size: asctile.ConstExpr, x_ptr, out_ptr):
    x = asctile.copy_in(asctile.global_tensor(x_ptr, shape), [0] * len(shape), shape)
    out = asctile.global_tensor(out_ptr, size)
    asctile.copy_out(reduce(x), out, [0] * len(size))


def over_axes(target, op, x, *axes):
    """The reduction with the axes kept."""
    size = [1 if i in axes else n for i, n in enumerate(x.shape)]
    out = np.zeros(size, x.dtype)
    reduce = getattr(asctile, op)
    with under(target):
        _axis[1](
            asctile.ConstExpr(lambda tile: reduce(tile, *axes, keep_dims=True)),
            list(x.shape),
            size,
            x,
            out,
        )
    return out


def expected_patterns(target, form, values):
    return target.settled(form, patterns_of_doubles(form, values, form.infinity + 1))


def record(op, dtype, target, mode, clause):
    return {
        "set": "vectors",
        "op": op,
        "dtype": dtype,
        "target": target.name,
        "mode": mode,
        "clause": clause,
        "oracle": ORACLE,
    }


def by_target(function):
    return pytest.mark.parametrize("target", TARGETS, ids=lambda target: target.name)(function)


def proven(settling, form, parts, **entry):
    """All pieces (got, expected) as one proof; `settling` is the target."""
    got = np.concatenate([x.ravel().view(form.pattern) for x, _ in parts])
    expected = np.concatenate([expected_patterns(settling, form, x.ravel()) for _, x in parts])
    prove(got, expected, (np.arange(len(got)),), **entry)


@pytest.mark.parametrize("dtype", ["float16", "float32"])
@by_target
def test_whole_sums(target: Target, dtype):
    form = FORMATS[dtype]
    element, parts = Element(target, form), []
    with np.errstate(all="ignore"):
        for count in WHOLE_SIZES:
            x = rows_of(form, count, "whole")
            got = whole(target, asctile.reduce_sum, x.view(form.dtype))
            parts.append((got, whole_sum(element, doubles_of(form, x))))
    proven(target, form, parts, **record("reduce_sum", dtype, target, "whole", "N12.1"))


@pytest.mark.parametrize("axis", ["last", "first"])
@pytest.mark.parametrize("op", ["reduce_sum", "reduce_prod"])
@by_target
def test_axis_sums(target: Target, op, axis):
    element, parts = Element(target, FLOAT32), []
    node, missing = (element.add, 0.0) if op == "reduce_sum" else (element.mul, 1.0)
    with np.errstate(all="ignore"):
        for count in LAST_SIZES if axis == "last" else FIRST_SIZES:
            x = rows_of(FLOAT32, count, op, axis)
            if op == "reduce_prod":
                x[0] = (np.exp2(doubles_of(FLOAT32, x[0]) / 999)).astype(np.float32).view(np.uint32)
            rows = doubles_of(FLOAT32, x)
            if axis == "last":
                expected = along_last(target, node, rows, missing)
                got = over_axes(target, op, x.view(np.float32), 1)
            else:
                expected = along_first(target, node, rows, missing)
                got = over_axes(target, op, np.ascontiguousarray(x.T).view(np.float32), 0)
            parts.append((got, expected))
    clause = "N12.6" if op == "reduce_prod" else "N12.2" if axis == "last" else "N12.3"
    proven(target, FLOAT32, parts, **record(op, "float32", target, f"{axis} axis", clause))


@by_target
def test_an_axis_of_one_element_is_no_sum(target: Target):
    """The language drops it (LANG 11.5): bits move, signalling NaNs and -0 too (N2.3)."""
    x = np.array([[0x7F800001, 0xFFC00001, 0x80000000, 1]], np.uint32)
    for shape, axis in (([1, 4], 0), ([4, 1], 1)):
        got = over_axes(target, "reduce_sum", x.reshape(shape).view(np.float32), axis)
        assert (got.view(np.uint32).ravel() == x.ravel()).all()


@by_target
def test_sums_over_several_axes(target: Target):
    """The innermost first (N12.4); ieee: row-major, ascending."""
    element, parts = Element(target, FLOAT32), []
    with np.errstate(all="ignore"):
        for shape in ([3, 5, 7], [4, 9, 65], [2, 3, 130], [17, 2, 33]):
            x = rows_of(FLOAT32, int(np.prod(shape)), "several")[0].reshape(shape)
            v = doubles_of(FLOAT32, x)
            for axes in ((0, 1), (0, 2), (1, 2)):
                got = over_axes(target, "reduce_sum", x.view(np.float32), *axes)
                parts.append((got, several(target, element.add, v, axes)))
    entry = record("reduce_sum", "float32", target, "several axes", "N12.4")
    proven(target, FLOAT32, parts, **entry)


def several(target, node, v, axes):
    if not target.npu:
        kept = [i for i in range(3) if i not in axes]
        return along_last(
            target, node, v.transpose(*kept, *axes).reshape(v.shape[kept[0]], -1), 0.0
        )
    for axis in sorted(axes, reverse=True):
        fold = along_last if axis == 2 else along_first
        v = np.expand_dims(fold(target, node, np.moveaxis(v, axis, -1), 0.0), axis)
    return v


@pytest.mark.parametrize("name", ["reduce_max", "reduce_min"])
@pytest.mark.parametrize("dtype", LEGAL["reduce_max"])
@by_target
def test_extremes(target: Target, dtype, name):
    """NaN wins, +0 is above -0, whatever the order (N12.5)."""
    sign = 1 if name == "reduce_max" else -1
    if dtype in FORMATS:
        form, parts = FORMATS[dtype], []
        for count in (1, 7, 64, 129, 1000):
            x = rows_of(form, count, name)
            bits = x.astype(np.int64)
            order = sign * np.where(bits & form.sign, form.sign - 1 - bits, bits)
            order = np.where(form.is_nan(x), 2**40, order)
            best = np.take_along_axis(x, order.argmax(-1)[:, None], -1)
            parts.append((over_axes(target, name, x.view(form.dtype), 1), doubles_of(form, best)))
            if dtype != "bfloat16":
                got = whole(target, getattr(asctile, name), x.view(form.dtype))
                parts.append((got, doubles_of(form, best)))
        proven(target, form, parts, **record(name, dtype, target, "any", "N12.5 N2.2"))
        return
    limits, rng = np.iinfo(NUMPY[dtype]), generator(name, dtype)
    x = rng.integers(limits.min, limits.max, (ROWS, 257), dtype=NUMPY[dtype], endpoint=True)
    best = (x.max if sign > 0 else x.min)(-1, keepdims=True)
    entry = record(name, dtype, target, "any", "N12.5")
    prove(over_axes(target, name, x, 1).ravel(), best.ravel(), (np.arange(ROWS),), **entry)


@pytest.mark.parametrize("dtype", ["int32", "int64"])
@by_target
def test_integer_sums_wrap(target: Target, dtype):
    limits, rng = np.iinfo(NUMPY[dtype]), generator("sum", dtype)
    x = rng.integers(limits.min, limits.max, (ROWS, 257), dtype=NUMPY[dtype], endpoint=True)
    expected = np.array([sum(row) % 2 ** (limits.bits) for row in x.tolist()], np.uint64)
    expected = expected.astype(f"uint{limits.bits}").view(NUMPY[dtype])
    entry = record("reduce_sum", dtype, target, "last axis", "N10.1")
    prove(over_axes(target, "reduce_sum", x, 1).ravel(), expected, (np.arange(ROWS),), **entry)
    if dtype == "int64":
        entry = record("reduce_sum", dtype, target, "whole", "N10.1")
        prove(whole(target, asctile.reduce_sum, x), expected, (np.arange(ROWS),), **entry)


def test_the_orders_are_told_apart():
    """For each clause and size class, some rows give other bits in every other order."""
    node = Element(A5, FLOAT32).add
    with np.errstate(all="ignore"):
        for count in (65, 129, 193, 257, 300, 1000):
            rows = doubles_of(FLOAT32, rows_of(FLOAT32, count, "whole"))[6:]
            sums = [whole_sum(Element(target, FLOAT32), rows) for target in (IEEE, A2, A5)]
            axes = [along_last(target, node, rows, 0.0) for target in (IEEE, A2, A5)]
            for orders in (sums, axes) if count > 128 else (sums,):
                for i, one in enumerate(orders):
                    assert all((one != other).any() for other in orders[:i]), (count, i)
        rows = doubles_of(FLOAT16, rows_of(FLOAT16, 100, "whole"))[6:]
        rounded = tree(Element(A5, FLOAT16).add, np.pad(rows, ((0, 0), (0, 28))))
        wide = tree(node, np.pad(rows, ((0, 0), (0, 28))))
        assert (rounded != Element(A5, FLOAT16).rounded(wide)).sum() >= 3
