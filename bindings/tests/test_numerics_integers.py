"""Integer operations and every comparison through the language (contract N8, N10)."""

from functools import cache

import numpy as np
import pytest
from ascemu.dropin import asctile
from numerics import vectors
from numerics.formats import FORMATS
from numerics.ledger import prove
from numerics.streams import streamed
from numerics.targets import A5, TARGETS
from numerics.whole_numbers import BINARY, RELATIONS, UNARY, compared, wrapped
from op_launch import LEGAL, NUMPY

INTEGERS = ("int8", "int16", "int32", "int64")
PYTHON = "Python's integers"
# What integers do does not depend on the overflow mode.
CHIPS = [target for target in TARGETS if not target.saturates]


def cases(table):
    return [
        pytest.param(op, name, marks=pytest.mark.xdist_group(f"{op}-{name}"))
        for op in table
        for name in LEGAL[op]
        if name in INTEGERS
    ]


@cache
def operands(op, name):
    """Two arrays of integers; counts and exponents are mostly small, many pairs are close."""
    dtype = NUMPY[name]
    a = vectors.integers(dtype, op, "left")
    rng = vectors.generator(op, name)
    b = rng.permutation(vectors.integers(dtype, op, "right"))[: len(a)]
    close = rng.random(len(a)) < 0.3
    b = np.where(close, a + rng.integers(-1, 2, len(a)).astype(dtype), b)
    if op in ("pow", "left_shift", "right_shift"):
        small = rng.integers(-3, dtype.itemsize * 8 + 3, len(a)).astype(dtype)
        b = np.where(rng.random(len(a)) < 0.8, small, b)
    return a, b.astype(dtype)


@cache
def meant(op, name):
    """The results of `op` for its operands, wrapped."""
    a, b = operands(op, name)
    width = NUMPY[name].itemsize * 8
    pairs = zip(a.tolist(), b.tolist(), strict=True)
    return wrapped([BINARY[op](x, y, width) for x, y in pairs], NUMPY[name])


def record(name, op, target, clause="N10.1"):
    return {
        "set": "vectors",
        "op": op,
        "dtype": name,
        "target": target.name,
        "clause": clause,
        "oracle": PYTHON,
    }


@pytest.mark.parametrize(("op", "name"), cases(BINARY))
@pytest.mark.parametrize("target", CHIPS, ids=lambda target: target.name)
def test_binary(target, op, name):
    a, b = operands(op, name)
    expected = meant(op, name)
    got = streamed(target, getattr(asctile, op), NUMPY[name], a, b)
    open_cases = ("div", "pow", "left_shift", "right_shift")
    clause = "N10.1 N10.2" if op in open_cases else "N10.1"
    prove(got, expected, (a, b), **record(name, op, target, clause))


@pytest.mark.parametrize(("op", "name"), cases(UNARY))
@pytest.mark.parametrize("target", CHIPS, ids=lambda target: target.name)
def test_unary(target, op, name):
    a, _ = operands(op, name)
    width = NUMPY[name].itemsize * 8
    numbers = [UNARY[op](x, width) for x in a.tolist()]
    got = streamed(target, getattr(asctile, op), NUMPY[name], a)
    prove(got, wrapped(numbers, NUMPY[name]), (a,), **record(name, op, target))


def flags(relation):
    """The mask of a comparison as int32 ones and zeros."""
    return lambda *tiles: asctile.where(getattr(asctile, relation)(*tiles), 1, 0)


@cache
def compared_operands(name):
    """Two arrays as patterns or integers: those of sub, where many pairs are equal or close."""
    if name not in FORMATS:
        return operands("compare", name)
    a, b = vectors.pairs(FORMATS[name], "compare")
    return a, np.where(vectors.generator(name).random(len(a)) < 0.1, a, b)


@pytest.mark.parametrize("name", LEGAL["equal"])
@pytest.mark.parametrize("relation", RELATIONS)
@pytest.mark.parametrize("target", TARGETS, ids=lambda target: target.name)
def test_comparisons(target, relation, name):
    a, b = compared_operands(name)
    dtype = NUMPY[name]
    expected = compared(target, relation, name, a, b, target.int_tensors_compare_as_float)
    got = streamed(target, flags(relation), np.dtype(np.int32), a.view(dtype), b.view(dtype))
    entry = record(name, relation, target, "N8.1" if name in FORMATS else "N8.3")
    prove(got, expected.astype(np.int32), (a, b), **entry)


@pytest.mark.parametrize("name", [name for name in LEGAL["equal"] if name in INTEGERS])
@pytest.mark.parametrize("relation", RELATIONS)
@pytest.mark.parametrize("target", TARGETS, ids=lambda target: target.name)
def test_comparisons_with_a_scalar(target, relation, name):
    scalar = {"int8": 77, "int16": 2049, "int32": 16777217}[name]
    rng = vectors.generator(name, "scalar")
    a = vectors.integers(NUMPY[name], "scalar")
    a = np.where(rng.random(len(a)) < 0.3, scalar + rng.integers(-2, 3, len(a)), a)
    a = a.astype(NUMPY[name])
    other = np.full(a.shape, scalar, a.dtype)
    expected = compared(target, relation, name, a, other, target.npu)
    compare = flags(relation)
    got = streamed(target, lambda tile: compare(tile, scalar), np.dtype(np.int32), a)
    entry = record(name, relation, target, "N8.2") | {"mode": "scalar"}
    prove(got, expected.astype(np.int32), (a,), **entry)


def test_the_conversions_are_told_apart():
    """Operands whose order float16 or float32 does not see are among the vectors."""
    for name in ("int16", "int32"):
        a, b = compared_operands(name)
        exact = compared(A5, "equal", name, a, b, False)
        assert (exact != compared(A5, "equal", name, a, b, True)).sum() > 1000
