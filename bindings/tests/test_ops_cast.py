"""Casts of tensors and scalars: every pair, every round mode, saturation, refusals (§6.5)."""

import itertools

import ascemu
import ml_dtypes
import numpy as np
import pytest
from ascemu.dropin import asc2, asctile
from op_launch import NUMPY, apply, dtype_of, refused, result_of

RoundMode = asctile.RoundMode
PAIRS = {
    "int8": "int16 int32 float16",
    "int16": "int32 float16 float32",
    "int32": "int16 int64 float16 float32",
    "int64": "int32 float32",
    "float16": "int8 int16 int32 bfloat16 float32",
    "bfloat16": "int32 float16 float32",
    "float32": "int16 int32 int64 float16 bfloat16",
}
LEGAL = [(a, b) for a, targets in PAIRS.items() for b in targets.split()]
ILLEGAL = [
    (a, b)
    for a, b in itertools.product(PAIRS, [*PAIRS, "float64"])
    if a != b and (a, b) not in LEGAL
]
FLOATS = ["float16", "bfloat16", "float32"]
EXACT = [("int8", "float16"), ("int16", "float32"), ("float16", "float32"), ("bfloat16", "float32")]


def legal_modes(a, b):
    """Round modes of the table in §6.5, beside the default."""
    if (a, b) == ("float32", "float16"):
        return {"NoRound", "Rint", "Floor", "Ceil", "Round", "Trunc", "Odd"}
    if (a, b) in EXACT or (a not in FLOATS and b not in FLOATS):
        return {"NoRound"}
    return {"Rint", "Floor", "Ceil", "Round", "Trunc"}


def rounded(x, mode):
    """x as whole numbers."""
    half_away = np.trunc(x + np.copysign(0.5, x))
    return {
        "Rint": np.rint(x),
        "Floor": np.floor(x),
        "Ceil": np.ceil(x),
        "Round": half_away,
        "Trunc": np.trunc(x),
    }[mode]


def cast_to(dtype, *mode):
    return lambda x: asctile.cast(x, dtype_of(dtype), *mode)


@pytest.mark.parametrize(("a", "b"), LEGAL)
def test_small_whole_numbers_are_exact(a, b):
    x = np.arange(-60, 61).astype(NUMPY[a])
    assert (result_of(cast_to(b), x, dtype=b) == x.astype(NUMPY[b])).all()


@pytest.mark.parametrize(("a", "b"), ILLEGAL)
def test_pairs_that_the_device_lacks(a, b):
    with refused(RuntimeError, f"cannot be cast from {a} to {b}"):
        apply(lambda x: [cast_to(b)(x)], [np.ones(8, NUMPY[a])], [])


@pytest.mark.parametrize(("a", "b"), LEGAL)
@pytest.mark.parametrize("mode", [m for m in RoundMode.__members__ if m != "Default"])
def test_round_modes_of_every_pair(a, b, mode):
    x = np.arange(8).astype(NUMPY[a])
    if mode in legal_modes(a, b):
        assert (result_of(cast_to(b, RoundMode[mode]), x, dtype=b) == x.astype(NUMPY[b])).all()
    else:
        with refused(RuntimeError, f"cannot be cast from {a} to {b} with round mode {mode}"):
            result_of(cast_to(b, RoundMode[mode]), x, dtype=b)


FLOAT_TO_INT = [(a, b) for a, b in LEGAL if a in FLOATS and b not in FLOATS]


@pytest.mark.parametrize(("a", "b"), FLOAT_TO_INT)
def test_floats_round_to_integers(a, b):
    x = np.array([-2.5, -1.5, -1.25, -0.5, -0.0, 0.5, 1.5, 1.75, 2.5, 3.5]).astype(NUMPY[a])
    exact = x.astype(np.float64)
    assert (result_of(cast_to(b), x, dtype=b) == np.trunc(exact)).all()
    for mode in ("Rint", "Floor", "Ceil", "Round", "Trunc"):
        result = result_of(cast_to(b, RoundMode[mode]), x, dtype=b)
        assert (result == rounded(exact, mode)).all(), mode


@pytest.mark.parametrize(("a", "b"), FLOAT_TO_INT)
def test_floats_beyond_the_integers_saturate(a, b):
    info, big = np.iinfo(NUMPY[b]), 6e4 if a == "float16" else 1e30
    x = np.array([big, -big, np.inf, -np.inf, np.nan]).astype(NUMPY[a])
    result = result_of(cast_to(b), x, dtype=b).tolist()
    limits = [info.max, info.min]
    inside = a == "float16" and b == "int32"
    assert result[:2] == ([int(x[0]), int(x[1])] if inside else limits)
    assert result[2:] == [*limits, 0]


@pytest.mark.parametrize(("a", "b"), [("int32", "int16"), ("int64", "int32")])
def test_narrowed_integers_saturate(a, b):
    info = np.iinfo(NUMPY[b])
    x = np.array([info.max + 1, info.min - 1, 5, -5], NUMPY[a])
    assert result_of(cast_to(b), x, dtype=b).tolist() == [info.max, info.min, 5, -5]


@pytest.mark.parametrize(("b", "bits"), [("float16", 11), ("bfloat16", 8)])
def test_float32_rounds_to_nearest_even(b, bits):
    step = 2.0 ** (1 - bits)
    x = np.array([1, 1 + step / 2, 1 + step * 1.5, 1 + step * 0.51, -1 - step / 2], np.float32)
    result = result_of(cast_to(b), x, dtype=b).astype(np.float64)
    assert result.tolist() == [1, 1, 1 + 2 * step, 1 + step, -1]
    for mode, up, down in (("Ceil", 1 + step, -1), ("Floor", 1, -1 - step), ("Trunc", 1, -1)):
        y = np.array([1 + step / 4, -1 - step / 4], np.float32)
        result = result_of(cast_to(b, RoundMode[mode]), y, dtype=b).astype(np.float64)
        assert result.tolist() == [up, down], mode


def test_rounding_to_odd():
    step = 2.0**-10
    x = np.array([1, 1 + step / 4, 1 + step * 1.25, -1 - step / 4], np.float32)
    result = result_of(cast_to("float16", RoundMode.Odd), x, dtype="float16").astype(np.float64)
    assert result.tolist() == [1, 1 + step, 1 + step, -1 - step]


def test_overflow_of_float16_is_infinity():
    x = np.array([1e6, -1e6, 65520, 65519], np.float32)
    assert result_of(cast_to("float16"), x, dtype="float16").tolist() == [
        np.inf,
        -np.inf,
        np.inf,
        65504,
    ]


@pytest.mark.parametrize(("a", "b"), [("int32", "float32"), ("int64", "float32")])
def test_large_integers_round_to_even_in_ieee_and_to_zero_on_a_chip(a, b):
    x = np.array([2**24 + 1, 2**24 + 3, -(2**24) - 1, -(2**24) - 3], NUMPY[a])
    with ascemu.options(numerics="ieee"):
        assert (result_of(cast_to(b), x, dtype=b) == x.astype(NUMPY[b])).all()
    with ascemu.options(numerics="npu"):
        even_below = [2**24, 2**24 + 2, -(2**24), -(2**24) - 2]
        assert result_of(cast_to(b), x, dtype=b).tolist() == even_below


@pytest.mark.parametrize("dtype", PAIRS)
def test_an_equal_dtype_returns_the_tensor_itself(dtype):
    def same(x):
        assert asctile.cast(x, x.dtype) is x
        assert x.to(x.dtype, RoundMode.Floor) is x
        return x

    x = np.array([1.5, -1.5, 2]).astype(NUMPY[dtype])
    assert (result_of(same, x) == x).all()


@asc2.jit
def methods(x_ptr, out_ptr):
    x = asc2.copy_in(asc2.global_tensor(x_ptr, [4]), [0], [4])
    out = asc2.global_tensor(out_ptr, [4, 4])
    asc2.copy_out(x.to(asc2.int32), out, [0, 0])
    asc2.copy_out(x.to(asc2.int32, asc2.RoundMode.Floor), out, [1, 0])
    asc2.copy_out(x.to(asc2.int32, round_mode=asc2.RoundMode.Ceil), out, [2, 0])
    asc2.copy_out(asc2.cast(x, asc2.int32, round_mode=asc2.RoundMode.Rint), out, [3, 0])


def test_forms():
    x = np.array([0.5, -0.5, 1.5, -2.5], np.float32)
    out = np.zeros([4, 4], np.int32)
    methods[1](x, out)
    assert (out == [np.trunc(x), np.floor(x), np.ceil(x), np.rint(x)]).all()


@pytest.mark.parametrize(
    ("call", "exception", "message"),
    [
        (lambda x: x.to(asctile.int32, "Floor"), RuntimeError, "No viable candidates"),
        (lambda x: x.to(5), RuntimeError, "No viable candidates"),
        (lambda x: x.to(), RuntimeError, "No viable candidates"),
        (lambda x: x.to(None), RuntimeError, "No viable candidates"),
        (lambda x: asctile.cast(x, "int32"), TypeError, "'dtype' argument must be DataType"),
        (lambda x: asctile.cast(x, asctile.int32, 1), TypeError, "must be RoundMode"),
        (lambda x: asctile.cast(None, asctile.int32), TypeError, "'input' argument must be"),
        (lambda x: asctile.cast(1.5, asctile.int32, RoundMode.Rint), RuntimeError, "'round_mode'"),
        (lambda x: (x > 0).to(asctile.int32), RuntimeError, "cannot be cast from int1 to int32"),
    ],
)
def test_refusals(call, exception, message):
    with refused(exception, message):
        apply(lambda x: [call(x)], [np.ones(8, np.float32)], [])


@pytest.mark.parametrize(
    ("number", "dtype", "expected"),
    [(1.9, "int32", 1), (-1.9, "int32", -1), (3, "float32", 3), (0.1, "float16", np.float16(0.1)),
     (300, "int8", 44), (1.5, "bfloat16", ml_dtypes.bfloat16(1.5))],
)  # fmt: skip
def test_scalars(number, dtype, expected):
    out = np.zeros(1, NUMPY[dtype])
    apply(lambda x: [asctile.cast(number, dtype_of(dtype))], [np.ones(8, np.float32)], [out])
    assert out[0] == expected
