"""numerics="fp64": kernels compute in double (N19).

The yardstick property: a launch equals the same steps in numpy's float64, in the order the
kernel writes them and with ascending sums, rounded once to the dtype of the array it is stored in.
"""

import ascemu
import numpy as np
import pytest
from ascemu.dropin import asctile
from op_launch import apply, dtype_of, result_of, values
from yardstick import differs, in_mode, same, wide

FLOATS = ["float16", "float32"]


@pytest.fixture(autouse=True)
def fp64():
    with ascemu.options(numerics="fp64"):
        yield


def total(x, axis=-1):
    """The ascending sum, one rounding an addition (numpy's own sum adds in pairs)."""
    return np.take(np.cumsum(x, axis=axis), -1, axis=axis)


@pytest.mark.parametrize("dtype", FLOATS)
def test_gelu_with_the_numbers_as_they_are_written(dtype):
    def gelu(x):
        return x * 0.5 * (asctile.tanh((x + x * x * x * 0.044715) * 0.7978845608028654) + 1.0)

    x = values(dtype, [8, 128], -3, 3)
    w = wide(x)
    exact = w * 0.5 * (np.tanh((w + w * w * w * 0.044715) * 0.7978845608028654) + 1.0)
    result = result_of(gelu, x)
    same(result, exact)
    differs(result, in_mode("ieee", result_of, gelu, x))


FUNCTIONS = {
    "exp": np.exp,
    "exp2": np.exp2,
    "log": np.log,
    "log2": np.log2,
    "sqrt": np.sqrt,
    "rsqrt": lambda x: 1 / np.sqrt(x),
    "sin": np.sin,
    "cos": np.cos,
    "tan": np.tan,
    "sinh": np.sinh,
    "cosh": np.cosh,
    "tanh": np.tanh,
    "abs": np.abs,
    "floor": np.floor,
    "ceil": np.ceil,
    "negative": np.negative,
    "relu": lambda x: np.maximum(x, 0),
}


@pytest.mark.parametrize("dtype", FLOATS)
@pytest.mark.parametrize("name", FUNCTIONS)
def test_functions_see_an_operand_that_was_not_rounded(dtype, name):
    x = values(dtype, [2, 64], 0.1, 4)
    result = result_of(lambda t: getattr(asctile, name)(t * (1 / 3)), x)
    same(result, FUNCTIONS[name](wide(x) * (1 / 3)))


def test_float16_chains_neither_overflow_nor_cancel():
    def chain(x):
        return (x * 1000.0 * 1000.0 + 1.0 - x * 1000.0 * 1000.0) / 1000.0

    x = values("float16", [64], 1, 4)
    w = wide(x)
    same(result_of(chain, x), (w * 1000.0 * 1000.0 + 1.0 - w * 1000.0 * 1000.0) / 1000.0)
    assert np.isnan(in_mode("ieee", result_of, chain, x)).all()


def test_what_cancels_in_float32_does_not():
    def chain(x):
        return (x + 1e-6 - x) * 1e6

    x = values("float32", [64], 100, 400)
    w = wide(x)
    same(result_of(chain, x), (w + 1e-6 - w) * 1e6)
    assert in_mode("ieee", result_of, chain, x).tolist() == [0] * 64


def test_a_store_past_the_largest_number_is_infinite():
    x = np.array([300, -300, 255, 7], np.float16)
    assert result_of(lambda t: t * t * 2.0, x).tolist() == [np.inf, np.inf, np.inf, 98]
    assert result_of(lambda t: t * t / t, x).tolist() == x.tolist()


@pytest.mark.parametrize("axis", [0, 1])
def test_sums_are_ascending(axis):
    # Large numbers cancel after the small ones between them were rounded away.
    large, small = values("float32", [40, 16], 1, 2), values("float32", [40, 16], 1, 9, seed=2)
    x = np.stack([large * 2.0**54, small, large * -(2.0**54), small * 3.0], axis=2)
    x = x.reshape(40, 64).astype(np.float32)
    x = x if axis == 1 else np.ascontiguousarray(x.T)
    result = result_of(lambda t: asctile.reduce_sum(t, axis), x, shape=[40])
    same(result, total(wide(x), axis))
    w = np.ascontiguousarray(wide(x) if axis == 1 else wide(x).T)
    for other in (total(w[:, ::-1]), w.sum(axis=1), total(w[:, 0::2]) + total(w[:, 1::2])):
        assert (other.astype(np.float32) != result).any()


@pytest.mark.parametrize("dtype", FLOATS)
def test_whole_sums_and_scalars_stay_double(dtype):
    @asctile.jit(always_compile=True)
    def kernel(x_ptr, out_ptr, size: asctile.ConstExpr):
        x = asctile.copy_in(asctile.global_tensor(x_ptr, [size]), [0], [size])
        mean = asctile.reduce_sum(x) / size
        asctile.copy_out(x - mean, asctile.global_tensor(out_ptr, [size]), [0])

    x = values(dtype, [96], 0.9, 1.1)
    out = np.zeros_like(x)
    kernel[1](x, out, 96)
    same(out, wide(x) - total(wide(x)) / 96)
    ieee = np.zeros_like(x)
    in_mode("ieee", kernel[1], x, ieee, 96)
    differs(out, ieee)


@pytest.mark.parametrize("dtype", FLOATS)
def test_softmax(dtype):
    x = values(dtype, [6, 77], -6, 6)
    w = wide(x)
    e = np.exp(w - w.max(axis=1, keepdims=True))
    same(result_of(asctile.softmax, x), e / total(e)[:, None])


@pytest.mark.parametrize("dtype", FLOATS)
def test_rms_norm(dtype):
    x, gamma = values(dtype, [6, 77]), values(dtype, [77], seed=2)
    w = wide(x)
    factor = 1 / np.sqrt(total(w * w) / 77 + 0.1)
    exact = w * factor[:, None] * wide(gamma)
    result = result_of(lambda t, g: asctile.rms_norm(t, g, 0.1), x, gamma)
    same(result, exact)
    differs(result, in_mode("ieee", result_of, lambda t, g: asctile.rms_norm(t, g, 0.1), x, gamma))


@pytest.mark.parametrize("dtype", FLOATS)
def test_layer_norm(dtype):
    x, gamma = values(dtype, [6, 77]), values(dtype, [77], seed=2)
    beta = values(dtype, [77], seed=3)
    out, mean, rstd = np.zeros_like(x), np.zeros(6, np.float32), np.zeros(6, np.float32)
    apply(
        lambda t, g, b: asctile.layer_norm(t, g, b, 0.1, output_rstd=True),
        [x, gamma, beta],
        [out, mean, rstd],
    )
    w = wide(x)
    center = total(w) / 77
    d = w - center[:, None]
    factor = 1 / np.sqrt(total(d * d) / 77 + 0.1)
    same(out, d * factor[:, None] * wide(gamma) + wide(beta))
    same(mean, center)
    same(rstd, factor)


def product(a, b, acc):
    """acc + a @ b, k ascending, one rounding a multiply and an add."""
    for k in range(a.shape[1]):
        acc = acc + wide(a)[:, k, None] * wide(b)[None, k, :]
    return acc


@pytest.mark.parametrize("dtype", FLOATS)
@pytest.mark.parametrize("hf32", [False, True])
def test_matmul_accumulates_in_double(dtype, hf32):
    if hf32 and dtype != "float32":
        pytest.skip("HF32 is a form of float32")
    a, b = values(dtype, [19, 40]), values(dtype, [40, 21], seed=2)
    a = (a * 2.0 ** np.arange(40)[::-1]).astype(dtype) if dtype == "float32" else a
    bias = values("float32", [21], seed=3)
    result = result_of(
        lambda x, y, z: asctile.matmul(x, y, bias=z, hf32=hf32),
        a,
        b,
        bias,
        shape=[19, 21],
        dtype="float32",
    )
    same(result, product(a, b, np.broadcast_to(wide(bias), [19, 21])))


def test_accumulators_that_go_on_over_k_tiles():
    @asctile.jit(always_compile=True)
    def kernel(a_ptr, b_ptr, out_ptr, tiles):
        a_gm = asctile.global_tensor(a_ptr, [16, 64])
        b_gm = asctile.global_tensor(b_ptr, [64, 16])
        acc = asctile.zeros_acc([16, 16], asctile.float32)
        for k in asctile.range(tiles):
            a = asctile.copy_in(a_gm, [0, k * 16], [16, 16])
            b = asctile.copy_in(b_gm, [k * 16, 0], [16, 16])
            asctile.matmul_acc(acc, a, b)
        asctile.copy_out(acc, asctile.global_tensor(out_ptr, [16, 16]), [0, 0])

    a, b = values("float16", [16, 64]), values("float16", [64, 16], seed=2)
    out = np.zeros([16, 16], np.float32)
    kernel[1](a, b, out, 4)
    same(out, product(a, b, np.zeros([16, 16])))


@pytest.mark.parametrize("dtype", FLOATS)
def test_sums_carried_by_a_loop(dtype):
    @asctile.jit(always_compile=True)
    def kernel(x_ptr, out_ptr, rows):
        x_gm = asctile.global_tensor(x_ptr, [rows, 64])
        total = asctile.zeros([64], dtype_of(dtype))
        weight = asctile.number(1.0, dtype_of(dtype))
        for row in asctile.range(rows):
            total = total + asctile.copy_in(x_gm, [row, 0], [64]) * weight
            weight = weight * 0.9
        asctile.copy_out(total, asctile.global_tensor(out_ptr, [64]), [0])

    x = values(dtype, [30, 64])
    out = np.zeros([64], dtype)
    kernel[1](x, out, 30)
    exact, weight = np.zeros(64), 1.0
    for row in wide(x):
        exact, weight = exact + row * weight, weight * 0.9
    same(out, exact)
    ieee = np.zeros_like(out)
    in_mode("ieee", kernel[1], x, ieee, 30)
    differs(out, ieee)


def test_branches_on_float_scalars_see_the_double():
    @asctile.jit(always_compile=True)
    def kernel(x_ptr, out_ptr):
        x = asctile.copy_in(asctile.global_tensor(x_ptr, [2]), [0], [2])
        out = asctile.global_tensor(out_ptr, [1])
        if asctile.reduce_sum(x) > 1.0:
            asctile.copy_out(7.0, out, [0])
        else:
            asctile.copy_out(-7.0, out, [0])

    x = np.array([1, 2**-20], np.float16)
    out = np.zeros(1, np.float32)
    kernel[1](x, out)
    assert out[0] == 7
    in_mode("ieee", kernel[1], x, out)
    assert out[0] == -7


def test_comparisons_and_where():
    x = np.array([1, 2, 3, 4], np.float16)

    def larger(t):
        thirds = t / 3.0
        return asctile.where(thirds * 3.0 + 2.0**-14 > t, thirds, 0.1)

    w = wide(x)
    same(result_of(larger, x), np.where(w / 3.0 * 3.0 + 2.0**-14 > w, w / 3.0, 0.1))
    assert (in_mode("ieee", result_of, larger, x)[[2, 3]] == np.float16(0.1)).all()


@pytest.mark.parametrize("middle", ["float16", "bfloat16"])
def test_casts_between_floats_change_nothing(middle):
    def there_and_back(t):
        return t.to(dtype_of(middle)).to(dtype_of("float32")) * 3.0

    x = values("float32", [64], -1e9, 1e9)
    same(result_of(there_and_back, x), wide(x) * 3.0)


ROUNDED = {
    "Rint": np.rint,
    "Floor": np.floor,
    "Ceil": np.ceil,
    "Round": lambda x: np.copysign(np.floor(np.abs(x) + 0.5), x),
    "Trunc": np.trunc,
    None: np.trunc,
}


@pytest.mark.parametrize("mode", ROUNDED)
@pytest.mark.parametrize(("source", "target"), [("float16", "int8"), ("float32", "int16")])
def test_casts_to_integers_round_and_clamp(mode, source, target):
    def cast(t):
        options = {} if mode is None else {"round_mode": getattr(asctile.RoundMode, mode)}
        return asctile.cast(t * 4.0 / 3.0, dtype_of(target), **options)

    x = np.array([0.375, -0.375, 1.125, -1.5, 2.625, 1000, -30000, np.nan], source)
    limits = np.iinfo(target)
    exact = ROUNDED[mode](wide(x) * 4.0 / 3.0)
    expected = np.nan_to_num(np.clip(exact, limits.min, limits.max)).astype(target)
    assert result_of(cast, x, dtype=target).tolist() == expected.tolist()


def test_integers_become_doubles():
    x = np.array([2**31 - 1, -(2**31), 16777217, 5], np.int32)
    f32, i32 = dtype_of("float32"), dtype_of("int32")
    assert result_of(lambda t: (t.to(f32) - 1.0).to(i32), x).tolist() == [
        2**31 - 2,
        -(2**31),
        16777216,
        4,
    ]


@pytest.mark.parametrize("dtype", ["int16", "int32", "int64"])
def test_integers_are_as_in_ieee(dtype):
    x, y = values(dtype, [64], -30000, 30000), values(dtype, [64], 1, 9, seed=2)

    def work(a, b):
        return asctile.maximum(a * b - a, b) + a / b

    assert result_of(work, x, y).tolist() == in_mode("ieee", result_of, work, x, y).tolist()
