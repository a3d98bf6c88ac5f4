"""Every unary operation over all 65,536 patterns of float16 and bfloat16, through the language.

Oracle: in ieee the exact value rounded once by MPFR; in npu the steps of N11 with N2, N4 and N5
(numerics.compositions); rules on patterns for abs, negative, relu, floor and ceil.
"""

import numpy as np
import pytest
from ascemu import _core
from ascemu.dropin import asctile
from numerics import vectors
from numerics.compositions import composed
from numerics.formats import FLOAT32, FORMATS, Format, doubles_of, patterns_of_doubles
from numerics.ledger import prove
from numerics.multiprecision import correctly_rounded
from numerics.streams import streamed
from numerics.targets import IEEE, TARGETS, Target
from test_numerics_vectors import FUNCTIONS

UNARY = [row for row in _core.op_table() if row["family"] == "unary"]
CASES = [(row["name"], dtype) for row in UNARY for dtype in row["dtypes"] if dtype in FORMATS]
HALVES = [case for case in CASES if case[1] != "float32"]
ON_PATTERNS = "rules on the patterns"


def on_patterns(form: Format, op: str, x: np.ndarray) -> np.ndarray | None:
    """The operations that need no rounding; None for the others."""
    bits = x.astype(np.int64)
    if op == "abs":
        return bits & (form.sign - 1)
    if op == "negative":
        return bits ^ form.sign
    if op == "relu":
        return np.where((bits & form.sign != 0) & ~form.is_nan(x), 0, bits)
    if op in ("floor", "ceil"):
        whole = getattr(np, op)(doubles_of(form, x))
        return patterns_of_doubles(form, whole, form.infinity + 1).astype(np.int64)
    return None


@pytest.mark.parametrize(
    ("op", "dtype"),
    [pytest.param(*case, marks=pytest.mark.xdist_group(case[0])) for case in HALVES],
)
@pytest.mark.parametrize("target", TARGETS, ids=lambda target: target.name)
def test_every_pattern(target: Target, op, dtype):
    form = FORMATS[dtype]
    x = form.all_patterns()
    plain = on_patterns(form, op, x)
    if plain is not None:
        expected, oracle = target.settled(form, plain.astype(form.pattern)), ON_PATTERNS
    elif target is IEEE:
        expected = target.settled(form, correctly_rounded(form, op, x))
        oracle = "MPFR, one operation a result"
    else:
        expected = composed(target, form, op, x)
        oracle = "the clause's steps in float32, exp and log by MPFR"
    got = streamed(target, getattr(asctile, op), form.dtype, x.view(form.dtype))
    prove(
        got.view(form.pattern),
        expected,
        (x,),
        set="exhaustive",
        op=op,
        dtype=dtype,
        target=target.name,
        clause=f"{CLAUSES[op]} N2.2 N4.2",
        oracle=oracle,
    )


@pytest.mark.parametrize("op", ["abs", "negative", "relu", "floor", "ceil"])
@pytest.mark.parametrize("target", TARGETS, ids=lambda target: target.name)
def test_vectors_of_float32(target: Target, op):
    """The operations that need no rounding; the others are in test_numerics_vectors.py."""
    x = vectors.singles(FLOAT32, op)
    expected = target.settled(FLOAT32, on_patterns(FLOAT32, op, x).astype(np.uint32))
    got = streamed(target, getattr(asctile, op), FLOAT32.dtype, x.view(np.float32))
    prove(
        got.view(np.uint32),
        expected,
        (x,),
        set="vectors",
        op=op,
        dtype="float32",
        target=target.name,
        clause=f"{CLAUSES[op]} N2.2",
        oracle=ON_PATTERNS,
    )


CLAUSES = {
    **{op: f"{clause} N5.1" for op, clause in FUNCTIONS.items()},
    **dict.fromkeys(("abs", "negative"), "N7.3"),
    "relu": "N7.2",
    **dict.fromkeys(("floor", "ceil"), "N11.12"),
}


def test_every_unary_operation_of_halves_is_here():
    assert {op for op, _ in HALVES} == {row["name"] for row in UNARY} - {"bitwise_not"}
    assert ("negative", "bfloat16") in HALVES
