"""Every cast, every legal round mode, every target, through the language (contract N9, N2, N4).

All patterns of the sources of 8 and 16 bits, at least 40,000 vectors of the wider ones. Oracle:
integer arithmetic on the exact value (numerics.formats), which test_numerics_oracles.py holds
against MPFR.
"""

from functools import cache

import numpy as np
import pytest
from ascemu import _core
from ascemu.dropin import asctile
from numerics import vectors
from numerics.formats import (
    FLOAT16,
    FLOAT32,
    FORMATS,
    exact_of_integers,
    exact_of_patterns,
    rounded_to_format,
    rounded_to_integer,
)
from numerics.ledger import prove
from numerics.streams import streamed
from numerics.targets import TARGETS, Target
from op_launch import NUMPY, dtype_of

NAMES = [name for name in NUMPY if name != "float64"]
PAIRS = [(a, b) for a in NAMES for b in NAMES if a != b and _core.cast_is_supported(a, b)]


@cache
def source(a, b):
    """The operands of the casts from `a` to `b` as an array of that dtype."""
    if a in ("float16", "bfloat16"):
        return FORMATS[a].all_patterns().view(NUMPY[a])
    if a == "float32":
        near = [vectors.singles(FLOAT32, b)]
        if b in FORMATS:
            near.append(between(FORMATS[b]))
        else:
            near.append(halfway(b))
        return np.concatenate(near).view(np.float32)
    if a in ("int8", "int16"):
        limits = np.iinfo(NUMPY[a])
        return np.arange(limits.min, limits.max + 1).astype(NUMPY[a])
    return vectors.integers(NUMPY[a], b)


def between(form):
    """float32 patterns at, between and beside neighbouring numbers of a narrower format."""
    gap = FLOAT32.fraction_bits - form.fraction_bits
    rng = vectors.generator(form.name, "between")
    biased = rng.integers(127 - form.bias - form.precision, 127 + form.bias + 2, vectors.COUNT)
    kept = rng.integers(0, 1 << form.fraction_bits, vectors.COUNT) << gap
    offset = rng.choice([-1, 0, 1, (1 << gap) - 1], vectors.COUNT)
    offset = offset + rng.choice([0, 1 << (gap - 1)], vectors.COUNT)
    magnitude = (np.clip(biased, 0, 254) << FLOAT32.fraction_bits) + kept + offset
    sign = rng.integers(0, 2, vectors.COUNT) << 31
    return (np.clip(magnitude, 0, FLOAT32.infinity - 1) | sign).astype(np.uint32)


def halfway(name):
    """float32 patterns of small whole numbers, halves and their neighbours, and of the limits."""
    rng = vectors.generator(name, "halfway")
    halves = (rng.integers(-5000, 5000, 4000) / 2).astype(np.float32)
    limit = np.float32(np.iinfo(NUMPY[name]).max)
    edges = np.array([limit, -limit, limit / 2, limit * 2], np.float32)
    numbers = np.concatenate([halves, edges])
    bits = numbers.view(np.uint32).astype(np.int64)
    return np.concatenate([bits, bits - 1, bits + 1]).astype(np.uint32)


def expected_cast(target: Target, a, b, mode, x):
    """The result by the contract, as patterns of `b` or as integers."""
    if a in FORMATS:
        exact = exact_of_patterns(FORMATS[a], x.view(FORMATS[a].pattern))
    else:
        exact = exact_of_integers(x)
    if mode == "Default":
        inexact = a not in FORMATS and b in FORMATS
        toward_zero = (a in FORMATS and b not in FORMATS) or (inexact and target.npu)
        mode = "Trunc" if toward_zero else "Rint"
    if mode == "NoRound":
        mode = "Rint"
    if b not in FORMATS:
        return rounded_to_integer(NUMPY[b], exact, mode)
    if (a, b) == ("int32", "float16") and target.npu:
        step = rounded_to_format(FLOAT32, exact, "Rint", 0)
        exact, mode = exact_of_patterns(FLOAT32, step), "Rint"
    form = FORMATS[b]
    return target.settled(form, rounded_to_format(form, exact, mode, form.infinity + 1))


def legal_modes(a, b):
    for name, mode in asctile.RoundMode.__members__.items():
        if _core.round_mode_is_legal(a, b, mode.value):
            yield name


def cast_clauses(a, b):
    clauses = ["N9.1", "N9.4"]
    clauses += ["N9.3"] if (a, b) == ("int32", "float16") else []
    clauses += ["N9.2"] if a not in FORMATS and b in FORMATS else []
    clauses += ["N2.2"] if a in FORMATS and b in FORMATS else []
    return " ".join(clauses + (["N4.2"] if b in ("float16", "bfloat16") else []))


CASES = [(a, b, mode) for a, b in PAIRS for mode in legal_modes(a, b)]


def named(a, b, mode):
    marks = pytest.mark.xdist_group(f"{a}-{b}")
    return pytest.param(a, b, mode, id=f"{a}-{b}-{mode}", marks=marks)


@pytest.mark.parametrize(("a", "b", "mode"), [named(*case) for case in CASES])
@pytest.mark.parametrize("target", TARGETS, ids=lambda target: target.name)
def test_casts(target: Target, a, b, mode):
    x = source(a, b)
    expected = expected_cast(target, a, b, mode, x)
    goal, how = dtype_of(b), asctile.RoundMode[mode]
    got = streamed(target, lambda tile: asctile.cast(tile, goal, how), NUMPY[b], x)
    prove(
        got.view(expected.dtype),
        expected,
        (x.view(FORMATS[a].pattern) if a in FORMATS else x,),
        set="exhaustive" if a in ("int8", "int16", "float16", "bfloat16") else "vectors",
        op="cast",
        dtype=a,
        result=b,
        mode=mode,
        target=target.name,
        clause=cast_clauses(a, b),
        oracle="integer arithmetic on the exact value",
    )


def test_the_list_of_casts_is_whole():
    modes = {mode for _, _, mode in CASES}
    assert modes == {"NoRound", "Rint", "Floor", "Ceil", "Round", "Trunc", "Odd", "Default"}
    assert len(PAIRS) == 25
    assert min(len(source(a, b)) for a, b in PAIRS if a in ("float32", "int32", "int64")) >= 40_000


def test_the_two_roundings_of_int32_to_float16_are_one():
    """N9.3: what float16 holds is exact in float32, so only the ignored mode tells it from one."""
    exact = exact_of_integers(source("int32", "float16"))
    first = exact_of_patterns(FLOAT32, rounded_to_format(FLOAT32, exact, "Rint", 0))
    nearest = rounded_to_format(FLOAT16, exact, "Rint", 0)
    assert (rounded_to_format(FLOAT16, first, "Rint", 0) == nearest).all()
    assert (rounded_to_format(FLOAT16, exact, "Trunc", 0) != nearest).sum() > 1000
