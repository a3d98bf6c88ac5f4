"""PlainValue and CarriedNumber (spec asc2 §2.4, §3): dtypes, values, errors."""

import numpy as np
import pytest
from ascemu.dsl import creation, elementwise, scalar
from ascemu.dsl.dtypes import DataType, float16, int16, int32, int64
from ascemu.dsl.values import CarriedNumber, PlainValue
from dsl_trace import Trace, value_of


@pytest.fixture
def trace():
    with Trace() as trace:
        yield trace


@pytest.mark.parametrize(
    ("left", "right", "dtype"),
    [
        ("int32", 2, "int32"),
        ("int32", 2.5, "int32"),
        (1.5, "int32", "int32"),
        ("int32", "int64", "int32"),
        ("int32", "float32", "int32"),
        ("float32", "int32", "float32"),
        ("float32", "float64", "float32"),
        ("float32", "float16", "float32"),
        ("int64", "int32", "int64"),
        ("float16", "float32", "float16"),
        (True, "float16", "float16"),
    ],
)
@pytest.mark.parametrize("op", ["__add__", "__sub__", "__mul__", "__truediv__", "__floordiv__"])
def test_the_left_dtype_wins(trace, left, right, dtype, op):
    a = trace.scalar(left) if isinstance(left, str) else left
    b = trace.scalar(right) if isinstance(right, str) else right
    result = getattr(a, op)(b) if isinstance(a, PlainValue) else getattr(b, f"__r{op[2:]}")(a)
    assert type(result) is PlainValue
    assert str(result.dtype) == dtype


@pytest.mark.parametrize(
    ("left", "right"), [("int64", "float32"), ("float16", "int32"), ("float32", "int64")]
)
def test_missing_conversions(trace, left, right):
    with pytest.raises(NotImplementedError) as caught:
        trace.scalar(left) + trace.scalar(right)
    assert caught.value.ascemu_code == "scalar-cast-missing"


@pytest.mark.parametrize("symbol", ["__mod__", "__and__", "__or__", "__xor__", "__lshift__"])
def test_float_scalars_have_no_integer_operations(trace, symbol):
    with pytest.raises(ValueError):
        getattr(trace.scalar("float32"), symbol)(2)


@pytest.mark.parametrize("op", ["__eq__", "__ne__", "__lt__", "__le__", "__gt__", "__ge__"])
def test_comparisons_give_int1(trace, op):
    assert str(getattr(trace.scalar("float32"), op)(3).dtype) == "int1"


def test_power_and_inversion_are_not_implemented(trace):
    value = trace.scalar("int32")
    for operation in (lambda: value**2, lambda: 2**value, lambda: ~value):
        with pytest.raises(NotImplementedError, match=r"^(\*\*|~) is not implemented for "):
            operation()


@pytest.mark.parametrize("op", ["__add__", "__mul__", "__lt__", "__eq__", "__lshift__"])
def test_a_tensor_on_the_right(trace, op):
    with pytest.raises(
        ValueError, match=r"^LocalTensor float32\[8\] cannot be an operand of .+ with PlainValue"
    ) as caught:
        getattr(trace.scalar("float32"), op)(trace.tile("float32", [8]))
    assert "tensor * scalar" in caught.value.ascemu_help


@pytest.mark.parametrize("other", [None, "1", [1], 1j])
def test_what_is_no_number(trace, other):
    with pytest.raises(ValueError, match="cannot be an operand of"):
        trace.scalar("int32") + other


def test_truth_value(trace):
    with pytest.raises(TypeError, match="^PlainValue int32 is known at run time only and has no"):
        bool(trace.scalar("int32"))


def test_not_hashable_and_not_a_python_number(trace):
    value = trace.scalar("int32")
    for conversion in (hash, int, float, len, iter):
        with pytest.raises(TypeError):
            conversion(value)


def test_formats_as_its_repr(trace):
    value = trace.scalar("int32")
    assert f"{value}" == repr(value) == f"PlainValue(dtype=int32, handle={value.value})"


@pytest.mark.parametrize(
    ("expression", "expected"),
    [
        (lambda n: n / 2, -3),
        (lambda n: n // 2, -3),
        (lambda n: n % 4, -3),
        (lambda n: n / 2.9, -3),
        (lambda n: 15 / n, -2),
        (lambda n: n >> 1, -4),
        (lambda n: n.ceildiv(2), -3),
        (lambda n: scalar.ceildiv(n + 16, 4), 3),
        (lambda n: n.max(3), 3),
        (lambda n: n.min(3), -7),
        (lambda n: -n, 7),
        (lambda n: +n, -7),
        (lambda n: 1.9 + n, -6),
        (lambda n: (n < 0).cast(int32), 1),
        (lambda n: (3 < n).cast(int32), 0),
        (lambda n: n.logical_not().cast(int32), 0),
        (lambda n: n.logical_and(0).cast(int32), 0),
        (lambda n: n.logical_or(0).cast(int32), 1),
    ],
)
def test_integer_values(expression, expected):
    assert value_of(expression, [("int32", -7)], "int32") == expected


def test_negated_float_warns(trace):
    assert str((-trace.scalar("float32")).dtype) == "float32"
    assert value_of(lambda x: -x, [("float32", 2.5)]) == -2.5


def test_ceildiv_of_floats(trace):
    with pytest.raises(ValueError, match="^ceildiv is not supported for PlainValue float32$"):
        trace.scalar("float32").ceildiv(2)


def test_ceildiv_on_the_host():
    assert scalar.ceildiv(7, 4) == 2
    assert scalar.ceildiv(-7, 4) == -1


def test_number(trace):
    assert str(scalar.number(3, float16).dtype) == "float16"
    assert str(scalar.number(np.float32(1.5), int16).dtype) == "int16"
    with pytest.raises(TypeError, match="^'value' argument must be a Python number, got str 'a'$"):
        scalar.number("a", int32)
    with pytest.raises(TypeError, match="^'value' argument must be a Python number, got Plain"):
        scalar.number(trace.scalar("int32"), int32)
    with pytest.raises(TypeError, match="^'dtype' argument must be DataType, got str 'int32'$"):
        scalar.number(3, "int32")


def test_cast(trace):
    value = trace.scalar("int32")
    assert str(value.cast(int64).dtype) == "int64"
    with pytest.raises(TypeError, match="^'dtype' argument must be DataType, got str 'int8'$"):
        value.cast("int8")


def test_numpy_scalars_are_numbers(trace):
    assert str((trace.scalar("int32") + np.int16(3)).dtype) == "int32"
    assert str((np.float32(2.5) * trace.scalar("float16")).dtype) == "float16"


def carried(value, python_type):
    return CarriedNumber(value.value, python_type)


@pytest.mark.parametrize(
    "expression",
    [
        lambda i: i + 1,
        lambda i: i - 10,
        lambda i: 10 - i,
        lambda i: i * 3,
        lambda i: i / 2,
        lambda i: i // 2,
        lambda i: i % 4,
        lambda i: 9 // i,
        lambda i: 9 % i,
        lambda i: -9 // i,
        lambda i: i // -3,
        lambda i: i % -3,
        lambda i: i + 0.5,
        lambda i: i // 2.0,
        lambda i: i % 2.0,
        lambda i: -i,
        lambda i: i**2,
        lambda i: i**0,
        lambda i: i & 6,
        lambda i: i << 2,
        lambda i: i == 3,
        lambda i: i < 2.5,
        lambda i: i + True,
        lambda i: i + i,
    ],
)
@pytest.mark.parametrize("number", [7, -7, 3, -1])
def test_carried_ints_are_python_ints(expression, number):
    types = {}

    def traced(n):
        result = expression(carried(n, int))
        types["result"] = result.python_type
        return result.cast(int32) if types["result"] is bool else result

    expected = expression(number)
    dtype = "float32" if isinstance(expected, float) else "int32"
    assert value_of(traced, [("int32", number)], dtype) == expected
    assert types["result"] is type(expected)


@pytest.mark.parametrize("dtype", ["int8", "int16", "int64", "float16", "bfloat16", "float64"])
@pytest.mark.parametrize(("kind", "source"), [(int, "int32"), (float, "float32"), (bool, "int1")])
def test_a_carried_number_takes_the_dtype_it_meets(trace, dtype, kind, source):
    number = carried(trace.scalar(source), kind)
    result = trace.scalar(dtype) + number
    assert type(result) is PlainValue and str(result.dtype) == dtype
    result = number + trace.scalar(dtype)
    assert type(result) is PlainValue and str(result.dtype) == dtype
    if dtype not in ("int8", "float64"):
        assert str((trace.tile(dtype, [8]) + number).dtype) == dtype


def test_carried_floats_as_conditions():
    from ascemu.dsl.values import condition, wrap

    def expression(x):
        return wrap(condition(carried(x, float))).cast(int32)

    assert value_of(expression, [("float32", 0.5)], "int32") == 1
    assert value_of(expression, [("float32", 0.0)], "int32") == 0


def test_typed_forms_of_carried_numbers(trace):
    number = carried(trace.scalar("int32"), int)
    assert scalar.number(number, float16).dtype == float16
    assert creation.full([4], number, float16).dtype == float16
    assert creation.full([4], number).dtype == int32
    assert creation.full_like(trace.tile("float16", [4]), number).dtype == float16
    assert str(elementwise.exp(number).dtype) == "float32"
    assert elementwise.cast(number, float16).dtype == float16


def test_carried_power_needs_a_constant(trace):
    number = carried(trace.scalar("int32"), int)
    for operation in (lambda: number**number, lambda: number**0.5, lambda: number**-1):
        with pytest.raises(NotImplementedError, match=r"^\*\* of .+ is not implemented$"):
            operation()


def test_dtype_objects():
    assert DataType("half") == float16 and hash(DataType("half")) == hash(float16)
    assert (float16.name, float16.bitwidth, float16.sizeof()) == ("float16", 16, 2)
    assert float16.is_float() and not float16.is_int() and not float16.is_signed()
    assert DataType("uint8").is_unsigned() and DataType("int1").bitwidth == 1
    assert str(float16) == f"{float16}" == "float16"
    assert float16 != "float16"
    with pytest.raises(ValueError, match="^'float15' is no dtype of the kernel language; did you"):
        DataType("float15")
    with pytest.raises(ValueError, match="^dtype int1 has no size in bytes$"):
        DataType("int1").sizeof()
