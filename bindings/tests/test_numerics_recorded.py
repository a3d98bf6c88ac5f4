"""Every recorded device point is a test, used as its fields `use` and `reachable` say.

conformance/recordings/recorded_device_points.json holds the results of devices, evidence.json says
what each is evidence of. bits: our result is that one. band: the device's result and ours both lie
in the band of the contract (N6). rule, model: the behaviour is reproduced. The points below the
language are reached here by the mode `ieee`, whose operations are the refops themselves.
"""

import json
from pathlib import Path

import numpy as np
import pytest
from ascemu import _core
from ascemu.dropin import asctile
from numerics import vectors
from numerics.formats import BFLOAT16, FLOAT16, FLOAT32, doubles_of
from numerics.multiprecision import correctly_rounded
from numerics.products import multiplied
from numerics.streams import streamed, under
from numerics.targets import A2, A2_SATURATING, A3, A5, IEEE, Target
from op_launch import NUMPY, apply, dtype_of
from test_numerics_cube import matrices, product
from test_numerics_integers import flags

RECORDINGS = Path(__file__).resolve().parents[2] / "conformance" / "recordings"
EVIDENCE = json.loads((RECORDINGS / "evidence.json").read_text(encoding="utf-8"))
POINTS = {
    point["id"]: point
    for point in json.loads((RECORDINGS / "recorded_device_points.json").read_text("utf-8"))[
        "points"
    ]
}
BY_CHIP = {"910B": A2, "910_93": A3, "950PR": A5}
USES = {"bits", "band", "rule", "model", "illustration"}
TESTED: set[str] = set()


def point(identifier: str, use: str):
    """The recorded point a test is for; a test names what it uses the point as."""
    found = POINTS[identifier]
    assert found["use"] == use
    return found


def recorded_as(identifier: str):
    """Mark a test as that of a recorded point."""
    TESTED.add(identifier)
    return pytest.mark.recorded_point(identifier)


def run(target: Target, op: str, form, *operands):
    """Patterns of the language's operation `op` for patterns."""
    arrays = [np.atleast_1d(np.asarray(x, form.pattern)).view(form.dtype) for x in operands]
    return streamed(target, getattr(asctile, op), form.dtype, *arrays).view(form.pattern)


def admitted(chip: str, instruction: str, form, result, *operands):
    """Whether the band admits each result."""
    return [
        _core.within_band(chip, instruction, form.name, [int(x) for x in given], int(one))
        for one, *given in zip(result, *operands, strict=True)
    ]


def shifted(patterns, step):
    """`step` numbers further from zero."""
    return patterns.astype(np.int64) + step


def hexadecimal(texts):
    return np.array([int(text, 16) for text in texts], np.uint32)


@recorded_as("vdiv-f32-910B3-scan")
def test_division_scan_of_910b3():
    recorded = point("vdiv-f32-910B3-scan", "band")
    k = np.arange(256)
    divisors = (1 + k / 256).astype(np.float32).view(np.uint32)
    deviations = 0
    for numerator, listed in recorded["exceptions"].items():
        a = np.full(256, np.float32(numerator)).view(np.uint32)
        nearest = correctly_rounded(FLOAT32, "div", a, divisors)
        device = nearest.copy()
        device[listed["one_ulp_toward_zero"]] -= 1
        device[listed.get("one_ulp_away", [])] += 1
        deviations += int((device != nearest).sum())
        for sign in (0, 1 << 31):
            assert all(admitted("910B", "div", FLOAT32, device | sign, a | sign, divisors))
        ours = run(A2, "div", FLOAT32, a, divisors)
        assert (ours == nearest).all()
        assert all(admitted("910B", "div", FLOAT32, ours, a, divisors))
        assert not any(admitted("910B", "div", FLOAT32, nearest + 2, a, divisors))
    assert deviations == 14


@recorded_as("vdiv-f32-A3-rate")
def test_division_rate_of_910_93():
    """The values are not recorded: the band has room for as many deviations, none of two ulp."""
    recorded = point("vdiv-f32-A3-rate", "band")
    rng = vectors.generator("A3 rate")
    a, b = (
        np.exp2(rng.uniform(-20, 20, recorded["count"])).astype(np.float32).view(np.uint32)
        for _ in range(2)
    )
    nearest = correctly_rounded(FLOAT32, "div", a, b)
    ours = run(A3, "div", FLOAT32, a, b)
    assert (ours == nearest).all() and all(admitted("910_93", "div", FLOAT32, ours, a, b))
    near = [admitted("910_93", "div", FLOAT32, shifted(nearest, step), a, b) for step in (-1, 1)]
    far = [admitted("910_93", "div", FLOAT32, shifted(nearest, step), a, b) for step in (-2, 2)]
    assert recorded["off_by_more"] == 0 and not np.any(far)
    assert recorded["off_by_one_ulp"] < np.any(near, axis=0).sum() < recorded["count"] / 2


@recorded_as("vrsqrt-f32-910B2C-bound")
def test_bound_of_the_raw_reciprocal_root():
    recorded = point("vrsqrt-f32-910B2C-bound", "band")
    low, high = np.log2(recorded["domain"])
    x = np.exp2(np.linspace(low, high, 500)).astype(np.float32).view(np.uint32)
    ours = run(IEEE, "rsqrt", FLOAT32, x)
    assert all(admitted("910B", "vrsqrt", FLOAT32, ours, x))
    for error in (-recorded["max_rel_error"], recorded["max_rel_error"]):
        device = (doubles_of(FLOAT32, ours) * (1 + error)).astype(np.float32).view(np.uint32)
        assert all(admitted("910B", "vrsqrt", FLOAT32, device, x))
        beyond = (doubles_of(FLOAT32, ours) * (1 + 1.1 * error)).astype(np.float32)
        assert not any(admitted("910B", "vrsqrt", FLOAT32, beyond.view(np.uint32), x))


@recorded_as("vexp-f32-910B3-bound")
def test_bound_of_the_exponential():
    recorded = point("vexp-f32-910B3-bound", "band")
    x = np.linspace(-80, 80, 500).astype(np.float32).view(np.uint32)
    ours = run(A2, "exp", FLOAT32, x)
    assert (ours == correctly_rounded(FLOAT32, "exp", x)).all()
    assert all(admitted("910B", "exp", FLOAT32, ours, x))
    for error in (-recorded["max_rel_error"], recorded["max_rel_error"]):
        # The bound is that of the result, hence of a float32 inside it: toward ours.
        device = np.nextafter(
            (doubles_of(FLOAT32, ours) * (1 + error)).astype(np.float32), ours.view(np.float32)
        )
        assert all(admitted("910B", "exp", FLOAT32, device.view(np.uint32), x))
    assert not any(admitted("910B", "exp", FLOAT32, ours + 6, x))


@recorded_as("sqrt-f16-one")
@pytest.mark.parametrize("chip", ["910B", "910_93"])
def test_half_root_of_one(chip):
    recorded = point("sqrt-f16-one", "band")
    x, device = (
        np.array(recorded[name], np.float16).view(np.uint16) for name in ("input", "output")
    )
    ours = run(BY_CHIP[chip], "sqrt", FLOAT16, x)
    assert ours[0] == 0x3C00 and device[0] == 0x3BFF
    assert all(admitted(chip, "sqrt", FLOAT16, ours, x))
    assert all(admitted(chip, "sqrt", FLOAT16, device, x))


@recorded_as("cast-f32-bf16-rint")
@pytest.mark.parametrize("target", [A2, A3], ids=lambda target: target.name)
def test_rounding_to_bfloat16(target):
    recorded = point("cast-f32-bf16-rint", "bits")
    x = np.array(recorded["input"], np.float32)
    mode = asctile.RoundMode[recorded["mode"]]
    goal = dtype_of(recorded["to"])
    got = streamed(target, lambda tile: asctile.cast(tile, goal, mode), NUMPY["bfloat16"], x)
    assert got.astype(np.float64).tolist() == recorded["output"]


@recorded_as("rsqrt-f32-950")
def test_reciprocal_root_of_950():
    """The high-precision variant rounds once; the language's rsqrt is two operations (N11.3)."""
    recorded = point("rsqrt-f32-950", "bits")
    x = hexadecimal(recorded["input_bits"])
    assert (run(IEEE, "rsqrt", FLOAT32, x) == hexadecimal(recorded["output_bits"])).all()
    assert run(A5, "rsqrt", FLOAT32, x).tolist() == [0x416997DB]


@recorded_as("exp-f16-doc")
def test_half_exponentials_of_the_documentation():
    recorded = point("exp-f16-doc", "bits")
    x = np.array(recorded["input"], np.float16).view(np.uint16)
    shown = np.array([float(text) for text in recorded["output_decimal"]]).astype(np.float16)
    assert (run(A2, "exp", FLOAT16, x) == shown.view(np.uint16)).all()


@recorded_as("rsqrt-f16-doc")
def test_half_reciprocal_roots_of_the_documentation():
    recorded = point("rsqrt-f16-doc", "band")
    x, device = (
        np.array([float(text) for text in recorded[name]]).astype(np.float16).view(np.uint16)
        for name in ("input_decimal", "output_decimal")
    )
    assert all(admitted("910B", "vrsqrt", FLOAT16, device, x))
    assert all(admitted("910B", "vrsqrt", FLOAT16, run(IEEE, "rsqrt", FLOAT16, x), x))


@recorded_as("sqrt-f32-950-subnormal")
def test_root_of_a_subnormal_of_950():
    """ieee is the 0-ulp variant that keeps subnormals; the default instruction flushes (N5)."""
    recorded = point("sqrt-f32-950-subnormal", "bits")
    x = hexadecimal(recorded["input_bits"])
    kept = hexadecimal(recorded["output_bits_0ulp"])
    assert (run(IEEE, "sqrt", FLOAT32, x) == kept).all()
    assert run(A5, "sqrt", FLOAT32, x).tolist() == [0]
    assert hexadecimal(recorded["output_bits_1ulp"])[0] - kept[0] == 1


@recorded_as("div-f32-950-a")
@recorded_as("div-f32-950-b")
@pytest.mark.parametrize("identifier", ["div-f32-950-a", "div-f32-950-b"])
def test_division_of_subnormals_of_950(identifier):
    recorded = point(identifier, "bits")
    a, b = (hexadecimal([recorded[f"{name}_bits"]]) for name in ("numerator", "denominator"))
    kept = hexadecimal([recorded["output_bits_subnormals_kept"]])
    assert (run(IEEE, "div", FLOAT32, a, b) == kept).all()
    flushed = recorded.get("output_bits_flushed", "0xFF800000")
    assert recorded.get("output_flushed", "-inf") == "-inf"
    assert (run(A5, "div", FLOAT32, a, b) == hexadecimal([flushed])).all()


@recorded_as("half-reduce-saturation")
def test_saturation_inside_a_half_reduction():
    """An illustration in decimal: every node saturates; the last two are no float16 numbers."""
    recorded = point("half-reduce-saturation", "illustration")
    sums = {}
    for target in (A2, A2_SATURATING):
        for count in (2, len(recorded["input"])):
            x = np.array(recorded["input"][:count], np.float16)
            out = np.zeros(1, np.float16)
            with under(target):
                apply(lambda tile: [asctile.full([1], asctile.reduce_sum(tile))], [x], [out])
            sums[target.name, count] = float(out[0])
    assert sums["910B saturating", 2] == recorded["tree_nodes"][0] == 65504
    assert sums["910B saturating", 4] == 35584
    assert sums["910B", 2] == sums["910B", 4] == np.inf


def related(target, relation, x, y):
    """The relation of each pair, as 0 or 1."""
    return streamed(target, flags(relation), np.dtype(np.int32), x, y).tolist()


RELATIONS = "equal not_equal greater greater_equal less less_equal".split()
WITH_NAN = (np.array([np.nan, np.nan, 1], np.float32), np.array([np.nan, 1, np.nan], np.float32))


@recorded_as("compare-nan-910B3")
def test_relations_with_nan_on_910b3():
    point("compare-nan-910B3", "rule")
    for relation in RELATIONS:
        assert related(A2, relation, *WITH_NAN) == [0, 0, 0], relation


@recorded_as("compare-nan-950")
def test_relations_with_nan_on_950():
    point("compare-nan-950", "rule")
    for relation in RELATIONS:
        assert related(A5, relation, *WITH_NAN) == [int(relation == "not_equal")] * 3, relation


@recorded_as("exp-f16-overflow")
def test_half_exponential_overflow():
    recorded = point("exp-f16-overflow", "rule")
    x = np.array(recorded["input"], np.float16).view(np.uint16)
    kept, saturated = (run(target, "exp", FLOAT16, x) for target in (A2, A2_SATURATING))
    assert doubles_of(FLOAT16, kept).tolist() == [float(recorded["output_inf_nan_mode"])]
    assert doubles_of(FLOAT16, saturated).tolist() == [recorded["output_saturation_mode"]]


def follows_the_groups(target, form, k):
    """The product of matrices follows numerics.products, whose groups are those recorded."""
    a, b, bias = matrices(form, k)
    start = np.broadcast_to(bias[0], (8, 8)).copy()
    got = product(target, form, a[:1], b[:1], bias[:1])[0]
    expected = multiplied(target, form, a[0], b[0], start)
    assert (got == expected).all()
    assert (got != multiplied(IEEE, form, a[0], b[0], start)).any()


@recorded_as("mmad-bf16-950")
def test_groups_of_sixteen_on_950():
    point("mmad-bf16-950", "model")
    follows_the_groups(A5, BFLOAT16, 64)


@recorded_as("mmad-f32-A2A3")
@pytest.mark.parametrize("target", [A2, A3], ids=lambda target: target.name)
def test_groups_of_four_on_910(target):
    point("mmad-f32-A2A3", "model")
    follows_the_groups(target, FLOAT32, 64)


@recorded_as("mmad-accumulator-first")
@pytest.mark.parametrize("target", [A2, A3, A5], ids=lambda target: target.name)
def test_the_accumulator_is_the_first_term(target):
    """-2^24 + 2^24 leaves room for the 1 of the next group; 2^24 + 1 first would lose it."""
    point("mmad-accumulator-first", "model")
    a = np.array([[[2.0**24, 0, 0, 0, 1, 0, 0, 0]]], np.float32).view(np.uint32)
    b = np.ones((1, 8, 1), np.float32).view(np.uint32)
    bias = np.array([[-(2.0**24)]], np.float32).view(np.uint32)
    got = product(target, FLOAT32, a, b, bias).view(np.float32)
    assert got.ravel().tolist() == [1.0]
    last = np.float32(np.float32(2.0**24) + np.float32(1)) + np.float32(-(2.0**24))
    assert last == 0.0


def test_every_recorded_point_has_a_test_and_evidence():
    assert TESTED == set(POINTS) == set(EVIDENCE)
    assert {found["use"] for found in POINTS.values()} == USES
    assert {found["reachable"] for found in POINTS.values()} == {"dsl", "refops"}


def test_what_counts_as_measured_names_a_device():
    for identifier, found in EVIDENCE.items():
        if found["evidence"] == "measured":
            assert "documentation" not in POINTS[identifier].get("origin", ""), identifier
            assert POINTS[identifier]["use"] in ("bits", "band", "rule")
