"""Binary element-wise operations: values, common dtypes, broadcasting, forms, refusals (§6.1)."""

import numpy as np
import pytest
from ascemu.dropin import asc2, asctile
from op_launch import LEGAL, NUMPY, close, dtype_of, refused, result_of, values

ARITHMETIC = {
    "add": np.add,
    "sub": np.subtract,
    "mul": np.multiply,
    "maximum": np.maximum,
    "minimum": np.minimum,
}
BITWISE = {
    "bitwise_and": np.bitwise_and,
    "bitwise_or": np.bitwise_or,
    "bitwise_xor": np.bitwise_xor,
}
ALL = [*ARITHMETIC, "div", "pow", *BITWISE, "left_shift", "right_shift"]
INTS = ["int8", "int16", "int32", "int64"]


def pairs(names):
    return [(name, dtype) for name in names for dtype in LEGAL[name]]


@pytest.mark.parametrize(("name", "dtype"), pairs(ARITHMETIC))
def test_arithmetic(name, dtype):
    a, b = values(dtype, [3, 33], -99, 99), values(dtype, [3, 33], -99, 99, seed=2)
    result = result_of(getattr(asctile, name), a, b)
    if dtype in INTS:
        assert (result == ARITHMETIC[name](a, b)).all()
    else:
        exact = ARITHMETIC[name](a.astype(np.float64), b.astype(np.float64))
        assert (result == exact.astype(a.dtype)).all()


@pytest.mark.parametrize("dtype", LEGAL["add"][:3])
def test_integers_wrap(dtype):
    info = np.iinfo(NUMPY[dtype])
    a = np.array([info.max, info.min, info.max, info.min], NUMPY[dtype])
    b = np.array([1, -1, info.max, -1], NUMPY[dtype])
    with np.errstate(over="ignore"):
        for name in ("add", "sub", "mul"):
            result = result_of(getattr(asctile, name), a, b)
            assert (result == ARITHMETIC[name](a, b)).all(), name


@pytest.mark.parametrize("dtype", LEGAL["div"])
def test_division(dtype):
    a, b = values(dtype, [64], -99, 99), values(dtype, [64], 1, 9, seed=2)
    b[::3] *= -1
    result = result_of(asctile.div, a, b)
    exact = a.astype(np.float64) / b.astype(np.float64)
    if dtype in INTS:
        assert (result == np.trunc(exact)).all()
    else:
        assert (result == exact.astype(a.dtype)).all()


def test_floor_division_of_tensors_does_not_floor():
    @asctile.jit
    def kernel(a_ptr, out_ptr):
        a = asctile.copy_in(asctile.global_tensor(a_ptr, [4]), [0], [4])
        asctile.copy_out(a // 2, asctile.global_tensor(out_ptr, [4]), [0])

    for dtype, expected in ((np.float32, [-0.5, 0.5, 1.5, -3.5]), (np.int32, [0, 0, 1, -3])):
        out = np.zeros(4, dtype)
        kernel[1](np.array([-1, 1, 3, -7], dtype), out)
        assert out.tolist() == expected


@pytest.mark.parametrize("dtype", ["int16", "int32", "int64"])
def test_integer_division_by_zero_never_crashes(dtype):
    info = np.iinfo(NUMPY[dtype])
    a = np.array([7, -7, 0, info.min], NUMPY[dtype])
    b = np.array([0, 0, 0, -1], NUMPY[dtype])
    result = result_of(asctile.div, a, b)
    assert result[3] == info.min


@pytest.mark.ascemu(numerics="ieee")  # a chip computes exp(y * log(x)), N11.11
@pytest.mark.parametrize("dtype", LEGAL["pow"])
def test_power(dtype):
    a, b = values(dtype, [64], 1, 9), values(dtype, [64], 0, 4, seed=2)
    result = result_of(asctile.pow, a, b)
    exact = a.astype(np.float64) ** b.astype(np.float64)
    if dtype in INTS:
        bits = np.iinfo(NUMPY[dtype]).bits
        wrapped = [int(x) ** int(y) % 2**bits for x, y in zip(a, b, strict=True)]
        assert (result.view(f"u{bits // 8}") == np.array(wrapped, f"u{bits // 8}")).all()
    else:
        close(result, exact, 2)


@pytest.mark.parametrize(("name", "dtype"), pairs(BITWISE))
def test_bitwise(name, dtype):
    a, b = values(dtype, [65], -99, 99), values(dtype, [65], -99, 99, seed=2)
    assert (result_of(getattr(asctile, name), a, b) == BITWISE[name](a, b)).all()


@pytest.mark.parametrize("dtype", LEGAL["left_shift"])
@pytest.mark.parametrize("count", [0, 1, 5, 15])
def test_shifts(dtype, count):
    a = values(dtype, [33], -9999, 9999)
    left = result_of(lambda x: asctile.left_shift(x, count), a)
    right = result_of(lambda x: asctile.right_shift(x, count), a)
    assert (left == a << a.dtype.type(count)).all()
    assert (right == a >> a.dtype.type(count)).all()


@pytest.mark.parametrize("count", [-1, 32, 33, 64, 1000, 2**40])
def test_shift_counts_out_of_range_never_crash(count):
    a = np.arange(-4, 4, dtype=np.int32)
    for name in ("left_shift", "right_shift"):
        result_of(lambda x, name=name: getattr(asctile, name)(x, count), a)


def test_shifts_take_tensors_and_truncate_floats():
    a, b = np.arange(8, dtype=np.int32), np.arange(8, dtype=np.int32) % 3
    assert (result_of(asctile.left_shift, a, b) == a << b).all()
    assert (result_of(lambda x: asctile.left_shift(x, 1.9), a) == a << 1).all()


@pytest.mark.parametrize(
    ("name", "dtype"), [(n, d) for n in ALL for d in NUMPY if d not in LEGAL[n]]
)
def test_other_dtypes_are_refused(name, dtype):
    x = np.ones([8], NUMPY[dtype])
    for other in (1, None):
        with refused(RuntimeError, f"{name}: 'input' has dtype {dtype}; legal: "):
            result_of(lambda a, other=other: getattr(asctile, name)(a, other or a), x)


COMMON = [
    ("int64", "int32", "int64"),
    ("int32", "int16", "int32"),
    ("float16", "float32", "float32"),
    ("float32", "bfloat16", "float32"),
    ("float16", "bfloat16", "float16"),
    ("bfloat16", "float16", "bfloat16"),
    ("int16", "float16", "float16"),
    ("float32", "int32", "float32"),
    ("int32", "float32", "float32"),
]


@pytest.mark.parametrize(("left", "right", "common"), COMMON)
def test_the_common_dtype_of_tensors(left, right, common):
    a, b = values(left, [16], 0, 9), values(right, [16], 0, 9, seed=2)
    result = result_of(asctile.add, a, b, dtype=common)
    wide = NUMPY[common]
    assert (result == (a.astype(wide) + b.astype(wide)).astype(wide)).all()


@pytest.mark.parametrize(
    ("left", "right"),
    [("int16", "float32"), ("float16", "int32"), ("int64", "float32"), ("bfloat16", "int64")],
)
def test_ints_and_floats_of_different_widths_have_no_common_dtype(left, right):
    a, b = values(left, [16]), values(right, [16])
    with refused(RuntimeError, f"{left} and {right} have no common dtype"):
        result_of(asctile.add, a, b)


@pytest.mark.parametrize(("narrow", "wide"), [("int16", "bfloat16"), ("int16", "int64")])
def test_the_narrow_operand_needs_a_cast_that_exists(narrow, wide):
    a, b = values(narrow, [16]), values(wide, [16])
    with refused(RuntimeError, f"cannot be cast from {narrow} to {wide}"):
        result_of(asctile.add, a, b)


SHAPES = [
    ([1], [5], [5]),
    ([5], [1], [5]),
    ([4, 1], [4, 6], [4, 6]),
    ([1, 6], [4, 6], [4, 6]),
    ([4, 1], [1, 6], [4, 6]),
    ([6], [4, 6], [4, 6]),
    ([2, 1, 3], [4, 1], [2, 4, 3]),
    ([1, 1, 1], [2], [1, 1, 2]),
]


@pytest.mark.parametrize(("left", "right", "shape"), SHAPES)
@pytest.mark.parametrize("name", ["add", "sub"])
def test_broadcasting(left, right, shape, name):
    a, b = values("float32", left), values("float32", right, seed=2)
    assert (result_of(getattr(asctile, name), a, b, shape=shape) == ARITHMETIC[name](a, b)).all()


@pytest.mark.parametrize(("left", "right"), [([4], [5]), ([4, 2], [4]), ([2, 3, 4], [3, 3, 4])])
def test_shapes_that_do_not_broadcast(left, right):
    a, b = values("float32", left), values("float32", right)
    with refused(RuntimeError, f"shapes {left} and {right} do not broadcast"):
        result_of(asctile.add, a, b)


@asc2.jit
def operators(a_ptr, number, out_ptr):
    a = asc2.copy_in(asc2.global_tensor(a_ptr, [4]), [0], [4])
    out = asc2.global_tensor(out_ptr, [17, 4])
    asc2.copy_out(2 + a, out, [0, 0])
    asc2.copy_out(a + 2, out, [1, 0])
    asc2.copy_out(2 - a, out, [2, 0])
    asc2.copy_out(a - 2, out, [3, 0])
    asc2.copy_out(2 * a, out, [4, 0])
    asc2.copy_out(7 / a, out, [5, 0])
    asc2.copy_out(a / 2, out, [6, 0])
    asc2.copy_out(7 // a, out, [7, 0])
    asc2.copy_out(2**a, out, [8, 0])
    asc2.copy_out(a**2, out, [9, 0])
    asc2.copy_out(a + number, out, [10, 0])
    asc2.copy_out(asc2.sub(number, a), out, [11, 0])
    asc2.copy_out(asc2.div(number, a), out, [12, 0])
    asc2.copy_out(asc2.maximum(a, 3), out, [13, 0])
    asc2.copy_out(asc2.minimum(3, a), out, [14, 0])
    asc2.copy_out(a * a, out, [15, 0])
    a += 5
    asc2.copy_out(a, out, [16, 0])


@pytest.mark.parametrize("dtype", ["float32", "int32", "float16", "int16"])
def test_operators_keep_the_order_of_operands(dtype):
    a = np.array([1, 2, 4, 5], NUMPY[dtype])
    out = np.zeros([17, 4], a.dtype)
    operators[1](a, np.array(3, dtype)[()], out)
    div = (lambda x, y: x // y) if dtype.startswith("int") else np.divide
    expected = [2 + a, a + 2, 2 - a, a - 2, 2 * a, div(7, a), div(a, 2), div(7, a), 2**a, a**2]
    expected += [a + 3, 3 - a, div(3, a), np.maximum(a, 3), np.minimum(a, 3), a * a, a + 5]
    np.testing.assert_allclose(out, np.array(expected, a.dtype), rtol=1e-3)


@asc2.jit
def bit_operators(a_ptr, out_ptr):
    a = asc2.copy_in(asc2.global_tensor(a_ptr, [4]), [0], [4])
    out = asc2.global_tensor(out_ptr, [9, 4])
    asc2.copy_out(a & 6, out, [0, 0])
    asc2.copy_out(6 & a, out, [1, 0])
    asc2.copy_out(a | 6, out, [2, 0])
    asc2.copy_out(6 | a, out, [3, 0])
    asc2.copy_out(a ^ 6, out, [4, 0])
    asc2.copy_out(6 ^ a, out, [5, 0])
    asc2.copy_out(a << 2, out, [6, 0])
    asc2.copy_out(a >> 1, out, [7, 0])
    asc2.copy_out(a & a ^ a, out, [8, 0])


def test_bit_operators():
    a = np.array([-5, 3, 12, 100], np.int16)
    out = np.zeros([9, 4], np.int16)
    bit_operators[1](a, out)
    expected = [a & 6, a & 6, a | 6, a | 6, a ^ 6, a ^ 6, a << 2, a >> 1, a & a ^ a]
    assert (out == expected).all()


@pytest.mark.parametrize(
    ("dtype", "number", "expected"),
    [
        ("int32", 2.9, 2),
        ("int32", -2.9, -2),
        ("int32", True, 1),
        ("float32", 10**20, 1e20),
        ("float16", 1e9, np.inf),
        ("int64", 2**40, 2**40),
        ("float32", np.float64(0.1), np.float32(0.1)),
        ("bfloat16", 0.1, 0.10009765625),
    ],
)
def test_numbers_take_the_dtype_of_the_tensor(dtype, number, expected):
    x = np.zeros([4], NUMPY[dtype])
    result = result_of(lambda a: asctile.add(a, number), x)
    assert (result == np.array(float(expected)).astype(x.dtype)).all()


@pytest.mark.parametrize(
    ("tensor", "scalar"),
    [("float16", "int32"), ("bfloat16", "int64"), ("int16", "float32"), ("int64", "float32")],
)
def test_runtime_scalars_without_a_conversion(tensor, scalar):
    with refused(NotImplementedError, f"cannot be cast from {scalar} to {tensor}"):
        result_of(
            lambda x: asctile.add(x, asctile.number(1, dtype_of(scalar))),
            np.ones([8], NUMPY[tensor]),
        )


def test_a_float32_scalar_rounds_to_float16():
    x = np.zeros([4], np.float16)
    result = result_of(lambda a: a + asctile.number(2049, asctile.float32), x)
    assert (result == 2048).all()
