"""Every unary operation over all 65,536 patterns of float16 and bfloat16, through the language.

Oracle: in ieee the exact value rounded once by MPFR; in npu the steps of N11 with N2, N4 and N5
(numerics.compositions); rules on patterns for abs, negative, relu, floor and ceil.
"""

import numpy as np
import pytest
from ascemu import _core
from ascemu.dropin import asctile
from numerics.compositions import composed
from numerics.formats import FORMATS, Format, doubles_of, patterns_of_doubles
from numerics.ledger import prove
from numerics.multiprecision import correctly_rounded
from numerics.streams import streamed
from numerics.targets import IEEE, TARGETS, Target

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
        clause=CLAUSES.get(op, "N11"),
        oracle=oracle,
    )


CLAUSES = {
    **dict.fromkeys(("abs", "negative", "relu"), "N7"),
    **dict.fromkeys(("floor", "ceil"), "N11.12"),
    **dict.fromkeys(("exp", "log", "sqrt"), "N6"),
}


def test_every_unary_operation_of_halves_is_here():
    assert {op for op, _ in HALVES} == {row["name"] for row in UNARY} - {"bitwise_not"}
    assert ("negative", "bfloat16") in HALVES
