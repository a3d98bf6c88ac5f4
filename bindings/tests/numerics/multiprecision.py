"""Correctly rounded operations by GNU MPFR: the oracle of the proofs (test suite only).

What it is: operation and operands as patterns in, the pattern of the exact value rounded once to
nearest even out. What it is not: flushes, saturation or compositions (numerics.contract).
Invariant: one MPFR operation a result, in a context with the format's precision, exponent range and
subnormals.
"""

from __future__ import annotations

import gmpy2
import numpy as np
from numerics.formats import Format, doubles_of, patterns_of_doubles

OPERATIONS = {
    "add": "add",
    "sub": "sub",
    "mul": "mul",
    "div": "div",
    "pow": "pow",
    "fma": "fma",
    "rsqrt": "rec_sqrt",
    **{
        name: name
        for name in "sqrt exp exp2 log log2 sin cos tan sinh cosh tanh erf floor ceil".split()
    },
}
# Results already asked for, by format and operation; a zero's sign tells, so zeros are not kept.
_KNOWN: dict[tuple[str, str], dict[float, float]] = {}
QUIET_NAN = {"float16": 0x7E00, "bfloat16": 0x7FC0, "float32": 0x7FC00000}


def context_of(form: Format) -> gmpy2.context:
    """MPFR's settings for a format."""
    return gmpy2.context(
        precision=form.precision,
        emax=form.bias + 1,
        emin=3 - form.bias - form.precision,
        subnormalize=True,
        round=gmpy2.RoundToNearest,
    )


def correctly_rounded(
    form: Format, operation: str, *operands: np.ndarray, result: Format | None = None
) -> np.ndarray:
    """The patterns of `operation` in `result` (default: the operands' format).

    Results that are NaN are the quiet NaN with no payload; the sign of a zero or an infinity is
    IEEE 754's.
    """
    goal = result or form
    context = context_of(goal)
    function = getattr(context, OPERATIONS[operation])
    shape = np.broadcast(*operands).shape
    values = [
        doubles_of(form if i < 2 else goal, np.broadcast_to(x, shape)).ravel().tolist()
        for i, x in enumerate(operands)
    ]
    if len(values) == 1:
        table = _KNOWN.setdefault((goal.name, operation), {})
        results = []
        for x in values[0]:
            found = table.get(x) if x else None
            if found is None:
                found = float(function(gmpy2.mpfr(x, 53)))
                table[x] = found
            results.append(found)
    else:
        results = [float(function(*map(_exactly, xs))) for xs in zip(*values, strict=True)]
    rounded = np.array(results, np.float64).reshape(shape)
    if operation == "rsqrt":
        zero = doubles_of(form, operands[0])
        rounded = np.where(zero == 0, np.copysign(np.inf, zero), rounded)
    return patterns_of_doubles(goal, rounded, QUIET_NAN[goal.name])


def _exactly(x: float) -> gmpy2.mpfr:
    return gmpy2.mpfr(x, 53)
