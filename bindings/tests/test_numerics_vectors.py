"""Arithmetic through the kernel language against MPFR: boundary and weighted random vectors.

Every operation, dtype and target (mode, chip, overflow mode) with at least 40,000 vectors; NaN
operands of every payload. Contract N2 to N7, N11 in float32.
"""

from functools import cache

import numpy as np
import pytest
from ascemu.dropin import asctile
from numerics import vectors
from numerics.compositions import composed, composed_power, primitive
from numerics.formats import FLOAT32, FORMATS
from numerics.ledger import prove
from numerics.multiprecision import correctly_rounded
from numerics.streams import streamed
from numerics.targets import A2, IEEE, TARGETS, Target, flushed_operand
from op_launch import LEGAL

MPFR = "MPFR, one operation a result"
STEPS = "the clause's steps in float32, exp and log by MPFR"
FUNCTIONS = {
    **dict.fromkeys(("exp", "log", "sqrt"), "N6.1"),
    "exp2": "N11.1",
    "log2": "N11.2",
    "rsqrt": "N11.3",
    "tanh": "N11.4",
    "erf": "N11.5",
    "sin": "N11.6",
    "cos": "N11.7",
    "tan": "N11.8",
    "sinh": "N11.9",
    "cosh": "N11.10",
}
BINARY = [
    (op, name) for op in ("add", "sub", "mul", "div") for name in FORMATS if name in LEGAL[op]
]
EXTREMES = [(op, name) for op in ("maximum", "minimum") for name in FORMATS if name in LEGAL[op]]


def grouped(cases):
    """Each case with a name, and in one group a worker so that its oracle is asked once."""
    return [
        pytest.param(*case, id="-".join(case), marks=pytest.mark.xdist_group("-".join(case)))
        for case in cases
    ]


def by_target(function):
    return pytest.mark.parametrize("target", TARGETS, ids=lambda target: target.name)(function)


@cache
def rounded_pairs(op, form, flush):
    """Operands of `op` and its correctly rounded results, of flushed operands where asked."""
    a, b = vectors.pairs(form, op)
    x, y = (flushed_operand(form, v) if flush else v for v in (a, b))
    return a, b, correctly_rounded(form, op, x, y)


def arithmetic_clause(op, dtype):
    return "N6.1 N5.1" if op == "div" else "N3.2 N5.2" if dtype == "bfloat16" else "N3.1 N5.2"


@pytest.mark.parametrize(("op", "dtype"), grouped(BINARY))
@by_target
def test_arithmetic(target: Target, op, dtype):
    form = FORMATS[dtype]
    flush = op == "div" and target.flushes_div
    a, b, expected = rounded_pairs(op, form, flush)
    if flush:
        expected = np.where(form.is_subnormal(expected), 0, expected).astype(form.pattern)
    got = streamed(target, getattr(asctile, op), form.dtype, a.view(form.dtype), b.view(form.dtype))
    prove(
        got.view(form.pattern),
        target.settled(form, expected),
        (a, b),
        set="vectors",
        op=op,
        dtype=dtype,
        target=target.name,
        clause=f"{arithmetic_clause(op, dtype)} N2.1 N2.2 N4.2",
        oracle=MPFR,
    )


def ordering(form, patterns):
    """Integers in the order of the numbers, -0 below +0."""
    bits = patterns.astype(np.int64)
    return np.where(bits & form.sign, (form.sign - 1) - bits, bits)


@pytest.mark.parametrize(("op", "dtype"), grouped(EXTREMES))
@by_target
def test_maximum_and_minimum(target: Target, op, dtype):
    form = FORMATS[dtype]
    a, b = vectors.pairs(form, op)
    first = ordering(form, a) > ordering(form, b)
    expected = np.where(first == (op == "maximum"), a, b)
    expected = np.where(form.is_nan(a), a, np.where(form.is_nan(b), b, expected))
    got = streamed(target, getattr(asctile, op), form.dtype, a.view(form.dtype), b.view(form.dtype))
    prove(
        got.view(form.pattern),
        target.settled(form, expected),
        (a, b),
        set="vectors",
        op=op,
        dtype=dtype,
        target=target.name,
        clause="N7.1 N2.2 N4.2",
        oracle="the order of the patterns as integers",
    )


@pytest.mark.parametrize(
    "op", [pytest.param(f, marks=pytest.mark.xdist_group(f)) for f in FUNCTIONS]
)
@by_target
def test_functions_of_float32(target: Target, op):
    x = vectors.singles(FLOAT32, op)
    if target is IEEE:
        expected, oracle = target.settled(FLOAT32, correctly_rounded(FLOAT32, op, x)), MPFR
    else:
        expected, oracle = composed(target, FLOAT32, op, x), STEPS
    prove(
        streamed(target, getattr(asctile, op), FLOAT32.dtype, x.view(np.float32)).view(np.uint32),
        expected,
        (x,),
        set="vectors",
        op=op,
        dtype="float32",
        target=target.name,
        clause=f"{FUNCTIONS[op]} N2.2 N5.1",
        oracle=oracle,
    )


@pytest.mark.parametrize("dtype", ["float16", "float32"])
@by_target
def test_powers(target: Target, dtype):
    form = FORMATS[dtype]
    x, y = vectors.pairs(form, "pow")
    # Half of the exponents are whole, small enough that the power is often finite.
    whole = vectors.generator(dtype, "whole").integers(-12, 13, len(x) // 2)
    y[: len(whole)] = whole.astype(form.dtype).view(form.pattern)
    if target is IEEE:
        expected, oracle = target.settled(form, correctly_rounded(form, "pow", x, y)), MPFR
    else:
        expected, oracle = composed_power(target, form, x, y), STEPS
    got = streamed(target, asctile.pow, form.dtype, x.view(form.dtype), y.view(form.dtype))
    prove(
        got.view(form.pattern),
        expected,
        (x, y),
        set="vectors",
        op="pow",
        dtype=dtype,
        target=target.name,
        clause="N11.11",
        oracle=oracle,
    )


def test_the_flushes_are_told_apart():
    """The vectors of div hold operands and results that a missing flush gives other bits."""
    a, b, kept = rounded_pairs("div", FLOAT32, False)
    flushed = rounded_pairs("div", FLOAT32, True)[2]
    assert (kept != flushed).sum() > 1000
    assert FLOAT32.is_subnormal(flushed).sum() > 100
    assert (primitive(A2, FLOAT32, "div", a, b) != kept).sum() > 1000
