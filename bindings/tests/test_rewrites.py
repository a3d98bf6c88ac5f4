"""The compiler's rewrites in kernels (contract N17): bits that differ between ieee and npu."""

import ascemu
import ml_dtypes
import numpy as np
import pytest
from ascemu.dropin import asc, asc2, asctile
from op_launch import NUMPY, dtype_of, result_of

CHIPS = ["Ascend910B1", "Ascend910_9392", "Ascend950PR_9599"]
FINE = np.array([1 + 2.0**-20, -3 - 2.0**-19, 2049, 1e6], np.float32)


def in_mode(mode, function, *inputs, **wanted):
    with ascemu.options(numerics=mode):
        return result_of(function, *inputs, **wanted)


def bits(array):
    return array.view(f"u{array.dtype.itemsize}").tolist()


def there_and_back(x):
    return x.to(asctile.float16).to(asctile.float32)


@pytest.mark.parametrize("platform", CHIPS)
def test_a_cast_back_is_the_operand(platform):
    with ascemu.options(platform=platform):
        assert in_mode("npu", there_and_back, FINE).tolist() == FINE.tolist()
        assert in_mode("ieee", there_and_back, FINE).tolist() == [1, -3, 2048, np.inf]


def test_a_cast_of_a_cast_rounds_once():
    # In the middle of two bfloat16 numbers once it was rounded to float16, above it before.
    x = np.array([1 + 2.0**-8 + 2.0**-13, 1e6], np.float32)

    def narrowed(x):
        return x.to(asctile.float16).to(asctile.bfloat16)

    npu = in_mode("npu", narrowed, x, dtype="bfloat16").astype(np.float32)
    ieee = in_mode("ieee", narrowed, x, dtype="bfloat16").astype(np.float32)
    assert npu.tolist() == [1 + 2.0**-7, float(ml_dtypes.bfloat16(1e6))]
    assert ieee.tolist() == [1, np.inf]


def test_a_cast_through_integers_folds_too():
    x = np.array([2.75, -2.75, 3e9], np.float32)

    def truncated(x):
        return x.to(asctile.int32).to(asctile.float32)

    assert in_mode("npu", truncated, x).tolist() == x.tolist()
    assert in_mode("ieee", truncated, x).tolist() == [2, -2, 2.0**31]


def test_casts_in_different_modes_stay():
    modes = asctile.RoundMode
    x = np.array([2.75, -2.25], np.float32)

    def floored(x):
        return x.to(asctile.int32, modes.Floor).to(asctile.float32)

    def rounded(x):
        return x.to(asctile.float16, modes.Rint).to(asctile.float32)

    for mode in ("ieee", "npu"):
        assert in_mode(mode, floored, x).tolist() == [2, -3]
        assert in_mode(mode, rounded, FINE).tolist() == [1, -3, 2048, np.inf]


def test_casts_in_one_explicit_mode_fold():
    floor = asctile.RoundMode.Floor

    def narrowed(x):
        return x.to(asctile.float16, floor).to(asctile.bfloat16, floor)

    x = np.array([1e6], np.float32)
    assert np.isinf(in_mode("ieee", narrowed, x, dtype="bfloat16").astype(np.float32))
    assert in_mode("npu", narrowed, x, dtype="bfloat16").astype(np.float32)[0] == 244 * 2.0**12


def test_a_cast_through_a_copy_stays():
    def copied(x):
        return x.to(asctile.float16).to("UB").to(asctile.float32)

    assert in_mode("npu", copied, FINE).tolist() == [1, -3, 2048, np.inf]


@asctile.jit
def carried(x, out, n):
    tile = asctile.copy_in(asctile.global_tensor(x, [4]), [0], [4])
    half = tile.to(asctile.float16)
    for _ in asctile.range(n):
        half = tile.to(asctile.float16)
    asctile.copy_out(half.to(asctile.float32), asctile.global_tensor(out, [4]), [0])


@asctile.jit
def chosen(x, out, n):
    tile = asctile.copy_in(asctile.global_tensor(x, [4]), [0], [4])
    half = tile.to(asctile.float16)
    if n > 0:
        half = tile.to(asctile.float16)
    asctile.copy_out(half.to(asctile.float32), asctile.global_tensor(out, [4]), [0])


@asctile.jit
def widened(half):
    return half.to(asctile.float32)


@asctile.jit
def called(x, out, n):
    tile = asctile.copy_in(asctile.global_tensor(x, [4]), [0], [4])
    asctile.copy_out(widened(tile.to(asctile.float16)), asctile.global_tensor(out, [4]), [0])


@asctile.jit
def called_with_carried(x, out, n):
    tile = asctile.copy_in(asctile.global_tensor(x, [4]), [0], [4])
    half = tile.to(asctile.float16)
    for _ in asctile.range(n):
        half = tile.to(asctile.float16)
    asctile.copy_out(widened(half), asctile.global_tensor(out, [4]), [0])


@asctile.jit
def used_inside(x, out, n):
    tile = asctile.copy_in(asctile.global_tensor(x, [4]), [0], [4])
    half = tile.to(asctile.float16)
    for _ in asctile.range(n):
        asctile.copy_out(half.to(asctile.float32), asctile.global_tensor(out, [4]), [0])


@pytest.mark.parametrize(
    ("kernel", "folds"),
    [
        (carried, False),
        (chosen, False),
        (called, True),
        (called_with_carried, False),
        (used_inside, True),
    ],
)
def test_only_direct_casts_fold(kernel, folds):
    out = np.zeros(4, np.float32)
    rounded = [1, -3, 2048, np.inf]
    for mode, expected in (("ieee", rounded), ("npu", FINE.tolist() if folds else rounded)):
        with ascemu.options(numerics=mode):
            kernel[1](FINE, out, 2)
        assert out.tolist() == expected, mode


@asctile.jit(always_compile=True)
def store_halves(x, wide, narrow):
    tile = asctile.copy_in(asctile.global_tensor(x, [4]), [0], [4])
    half = tile.to(asctile.float16)
    asctile.copy_out(half, asctile.global_tensor(narrow, [4]), [0])
    asctile.copy_out(half.to(asctile.float32), asctile.global_tensor(wide, [4]), [0])


def test_the_intermediate_itself_is_rounded():
    wide, narrow = np.zeros(4, np.float32), np.zeros(4, np.float16)
    with ascemu.options(numerics="npu"):
        store_halves[1](FINE, wide, narrow)
    assert wide.tolist() == FINE.tolist()
    assert narrow.tolist() == [1, -3, 2048, np.inf]


SIGNED = np.array([0.0, -0.0, 1.0, -1.0, np.nan])


def leaky(slope):
    return lambda x: asctile.where(x > 0, x, x * slope)


@pytest.mark.parametrize("dtype", ["float16", "float32"])
@pytest.mark.parametrize(
    "function",
    [
        leaky(-0.5),
        lambda x: asctile.where(asctile.less(0, x), x, -0.5 * x),
        lambda x: asctile.where(x > 0.0, x, x * asctile.number(-0.5, x.dtype)),
    ],
)
def test_leaky_relu_keeps_zeros(dtype, function):
    x = SIGNED.astype(dtype)
    zeros = {"ieee": [-0.0, 0.0], "npu": [0.0, -0.0]}
    for mode, expected in zeros.items():
        result = in_mode(mode, function, x)
        assert bits(result[:2]) == bits(np.array(expected, dtype)), mode
        assert result[2:4].tolist() == [1, 0.5]
        assert np.isnan(result[4])


@pytest.mark.parametrize(
    "function",
    [
        lambda x: asctile.where(x > 0, x, x * asctile.full_like(x, -0.5)),
        lambda x: asctile.where(x > 0, x, (x + 0.0) * -0.5),
        lambda x: asctile.where(x <= 0, x * -0.5, x),
        lambda x: asctile.where(0 >= x, x * -0.5, x),
    ],
)
def test_what_is_no_leaky_relu_is_computed_as_written(function):
    x = np.array([0.0, 1.0, -1.0], np.float32)
    for mode in ("ieee", "npu"):
        assert bits(in_mode(mode, function, x)) == bits(np.array([-0.0, 1, 0.5], np.float32)), mode


def test_leaky_relu_of_bfloat16_is_computed_as_written():
    x = np.array([0.0, 1.0, -1.0], NUMPY["bfloat16"])
    for mode in ("ieee", "npu"):
        result = in_mode(mode, leaky(-0.5), x)
        assert bits(result) == bits(np.array([-0.0, 1, 0.5], x.dtype)), mode


@pytest.mark.parametrize("dtype", ["float16", "float32"])
def test_maximum_with_zero_keeps_its_bits(dtype):
    x = SIGNED.astype(dtype)
    for mode in ("ieee", "npu"):
        with ascemu.options(numerics=mode):
            maximum = result_of(lambda x: asctile.maximum(x, 0), x)
            relu = result_of(asctile.relu, x)
        assert bits(maximum) == bits(relu)
        assert bits(maximum[:4]) == bits(np.array([0, 0, 1, 0], dtype))
        assert np.isnan(maximum[4])


def selected(one, other, *mode):
    return lambda x: asctile.where(x > 0, one, other).to(asctile.int16, *mode)


def test_casts_of_constant_arms_wrap():
    x = np.array([1, -1], np.float32)
    assert in_mode("npu", selected(70000, -70000), x, dtype="int16").tolist() == [4464, -4464]
    assert in_mode("ieee", selected(70000, -70000), x, dtype="int16").tolist() == [32767, -32768]


def test_casts_of_constant_arms_in_a_mode_saturate():
    x = np.array([1, -1], np.float32)
    exact = selected(70000, -70000, asctile.RoundMode.NoRound)
    for mode in ("ieee", "npu"):
        assert in_mode(mode, exact, x, dtype="int16").tolist() == [32767, -32768]


def test_casts_of_a_tensor_arm_saturate():
    x = np.array([70000, -70000], np.int32)

    def mixed(x):
        return asctile.where(x > 0, x, 70001).to(asctile.int16)

    for mode in ("ieee", "npu"):
        assert in_mode(mode, mixed, x, dtype="int16").tolist() == [32767, 32767]


@asctile.jit
def select_runtime(out, value, n):
    line = asctile.full([2], 1.0, asctile.float32)
    chosen = asctile.where(line > 0, value, 0)
    asctile.copy_out(chosen.to(asctile.int16), asctile.global_tensor(out, [4]), [0])
    for _ in asctile.range(n):
        chosen = asctile.where(line > 0, value, 0)
    asctile.copy_out(chosen.to(asctile.int16), asctile.global_tensor(out, [4]), [2])


@pytest.mark.parametrize("constant", [False, True])
def test_casts_of_scalar_arms_wrap_but_for_carried_ones(constant):
    out = np.zeros(4, np.int16)
    value = asc.ConstExpr(70000) if constant else 70000
    for mode, first in (("npu", 4464), ("ieee", 32767)):
        with ascemu.options(numerics=mode):
            select_runtime[1](out, value, 1)
        assert out.tolist() == [first, first, 32767, 32767]


def test_specialisations_of_different_modes_do_not_mix():
    out = np.zeros(4, np.float32)
    seen = []
    for mode in ("ieee", "npu", "ieee", "npu"):
        with ascemu.options(numerics=mode):
            called[1](FINE[:4], out, 1)
        seen.append(float(out[0]))
    assert seen == [1, FINE[0], 1, FINE[0]]
    called[1](FINE, out, 1, numerics="npu")
    assert out[0] == FINE[0]
    called[1](FINE, out, 1, numerics="ieee")
    assert out[0] == 1


def test_findings_name_the_line_of_a_rewritten_statement():
    @asc2.jit
    def kernel(x, out):
        tile = asc2.copy_in(asc2.global_tensor(x, [4]), [0], [4])
        back = tile.to(asc2.float16).to(asc2.float32)
        asc2.copy_out(back, asc2.global_tensor(out, [8]), [4])

    with ascemu.options(numerics="npu"), pytest.raises(ascemu.KernelError) as caught:
        kernel[1](FINE, np.zeros(4, np.float32))
    assert caught.value.diagnostic.code == "write-out-of-bounds"
    assert "copy_out(back" in str(caught.value)


def test_casts_of_selects_are_legal_for_every_dtype_in_both_modes():
    x = np.array([1, -1], np.float32)
    for mode in ("ieee", "npu"):
        for dtype in ("int8", "int64", "bfloat16"):
            wanted = np.array([3, 300]).astype(NUMPY[dtype])

            def cast(x, dtype=dtype):
                return asctile.where(x > 0, 3, 300).to(dtype_of(dtype))

            assert (in_mode(mode, cast, x, dtype=dtype) == wanted).all()
