"""The oracles of the numeric proofs, held against each other and against exact fractions."""

import json
from fractions import Fraction

import gmpy2
import numpy as np
import pytest
from numerics import vectors
from numerics.formats import (
    BFLOAT16,
    FLOAT16,
    FLOAT32,
    FORMATS,
    ROUND_MODES,
    doubles_of,
    exact_of_integers,
    exact_of_patterns,
    patterns_of_doubles,
    rounded_to_format,
    rounded_to_integer,
)
from numerics.multiprecision import QUIET_NAN, context_of, correctly_rounded

DIRECTIONS = {
    "Rint": gmpy2.RoundToNearest,
    "Floor": gmpy2.RoundDown,
    "Ceil": gmpy2.RoundUp,
    "Trunc": gmpy2.RoundToZero,
}


@pytest.mark.parametrize("form", FORMATS.values(), ids=FORMATS)
def test_patterns_are_numbers_and_back(form):
    patterns = vectors.singles(form, "there and back")
    numbers = doubles_of(form, patterns)
    same = form.is_nan(patterns)
    with np.errstate(invalid="ignore"):
        known = patterns.view(form.dtype).astype(np.float64)
    assert ((numbers == known) | same).all() and (np.isnan(numbers) == same).all()
    back = patterns_of_doubles(form, numbers, QUIET_NAN[form.name])
    assert (back == np.where(same, QUIET_NAN[form.name], patterns)).all()


@pytest.mark.parametrize("mode", DIRECTIONS)
@pytest.mark.parametrize("form", [FLOAT16, BFLOAT16], ids=lambda form: form.name)
def test_integer_rounding_is_that_of_mpfr(form, mode):
    """But for overflow, which is an infinity in every mode here (N9.4)."""
    x = vectors.singles(FLOAT32, mode)
    context = context_of(form)
    context.round = DIRECTIONS[mode]
    known = [float(context.plus(gmpy2.mpfr(v, 53))) for v in doubles_of(FLOAT32, x).tolist()]
    got = rounded_to_format(form, exact_of_patterns(FLOAT32, x), mode, QUIET_NAN[form.name])
    numbers = doubles_of(form, got)
    inside = np.isfinite(numbers)
    assert (numbers[inside] == np.array(known)[inside]).all()
    assert (np.isnan(numbers) == np.isnan(known)).all()
    largest = float(doubles_of(form, np.array([form.infinity - 1]))[0])
    beyond = np.abs(np.array(known)[np.isinf(numbers)])
    assert (beyond >= largest).all()


def exactly(mode, numerator, denominator):
    """The whole number that `numerator / denominator` rounds to, by exact fractions."""
    exact = Fraction(numerator, denominator)
    floor = exact.numerator // exact.denominator
    rest = exact - floor
    if rest == 0:
        return floor
    away = floor + 1 if exact > 0 else floor
    return {
        "Rint": floor + (rest > Fraction(1, 2) or (rest == Fraction(1, 2) and floor % 2 == 1)),
        "Floor": floor,
        "Ceil": floor + 1,
        "Round": away if rest == Fraction(1, 2) else floor + (rest > Fraction(1, 2)),
        "Trunc": floor if exact > 0 else floor + 1,
        "Odd": floor if floor % 2 else floor + 1,
    }[mode]


@pytest.mark.parametrize("mode", ROUND_MODES)
def test_rounding_to_integers_is_that_of_fractions(mode):
    x = (np.arange(-400, 401) / 16).astype(np.float32)
    got = rounded_to_integer(
        np.dtype(np.int16), exact_of_patterns(FLOAT32, x.view(np.uint32)), mode
    )
    assert got.tolist() == [exactly(mode, value, 16) for value in range(-400, 401)]


@pytest.mark.parametrize("mode", ROUND_MODES)
def test_rounding_of_integers_is_that_of_fractions(mode):
    """float16 holds integers between 2048 and 4096 in steps of two."""
    x = np.arange(-4096, 4097)
    got = doubles_of(FLOAT16, rounded_to_format(FLOAT16, exact_of_integers(x), mode, 0))
    inside = np.abs(x) > 2048
    known = [2 * exactly(mode, value, 2) if abs(value) > 2048 else value for value in x.tolist()]
    assert got.tolist() == known and inside.sum() > 4000


def test_mpfr_rounds_once_with_subnormals():
    """Products of the smallest numbers against fractions: the quantum is the smallest subnormal."""
    tiny = np.arange(1, 200, dtype=np.uint16)
    half = np.full(tiny.shape, (FLOAT16.bias - 1) << 10, np.uint16)
    got = correctly_rounded(FLOAT16, "mul", tiny, half)
    assert got.tolist() == [exactly("Rint", value, 2) for value in tiny.tolist()]


def test_the_vectors_are_enough_and_hold_every_kind():
    for form in FORMATS.values():
        a, b = vectors.pairs(form, "count")
        assert len(a) == len(b) >= vectors.COUNT
        for x in (a, b, vectors.singles(form, "count")):
            fraction = x.astype(np.int64) & ((1 << form.fraction_bits) - 1)
            quiet = fraction >> (form.fraction_bits - 1) == 1
            negative = (x.astype(np.int64) & form.sign) != 0
            for kind in (form.is_infinite(x), form.is_subnormal(x), x & (form.sign - 1) == 0):
                assert (kind & negative).any() and (kind & ~negative).any()
            for nan in (form.is_nan(x) & quiet, form.is_nan(x) & ~quiet):
                assert len(set(fraction[nan & negative].tolist())) > 2
                assert len(set(fraction[nan & ~negative].tolist())) > 2


def test_a_mismatch_fails_and_names_the_operands(monkeypatch, tmp_path):
    from numerics import ledger

    monkeypatch.setattr(ledger, "REPORTS", tmp_path)
    entry = {"set": "vectors", "op": "add", "dtype": "float16", "target": "ieee"}
    entry |= {"clause": "N3", "oracle": "none"}
    got, expected = np.array([1, 2, 3], np.uint16), np.array([1, 5, 4], np.uint16)
    operand = np.array([16, 17, 18], np.uint16)
    with pytest.raises(
        AssertionError, match=r"2 of 3 differ; first: add\(0x11\) is 0x2, expected 0x5"
    ):
        ledger.prove(got, expected, (operand,), **entry)
    assert '"mismatches": 2' in next(tmp_path.glob("*.json")).read_text()
    monkeypatch.delenv("ASCEMU_NEW_PROOFS", raising=False)
    with pytest.raises(AssertionError, match="does not hold this result: run `make proof`"):
        ledger.prove(got, got, (operand,), **entry)


def test_the_report_of_refops_holds_every_mode():
    """What refops_tests found is in the repository; a run of them before this is compared."""
    from numerics import ledger

    entries = json.loads((ledger.COMMITTED.parent / "numerics_refops.json").read_text("utf-8"))
    known = {ledger.identity(entry): entry for entry in entries}
    operations = ("add", "sub", "mul", "div", "sqrt", "fma")
    wanted = {(op, dtype, mode) for op in operations for dtype in FORMATS for mode in ROUND_MODES}
    assert {(e["op"], e["dtype"], e["mode"]) for e in entries} == wanted
    assert min(entry["vectors"] for entry in entries) >= vectors.COUNT
    assert sum(entry["mismatches"] for entry in entries) == 0
    for path in ledger.REPORTS.glob("refops-*.json"):
        found = json.loads(path.read_text(encoding="utf-8"))
        assert known[ledger.identity(found)] == found, "run `make proof`"
