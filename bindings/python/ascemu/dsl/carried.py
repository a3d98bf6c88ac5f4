"""Python's arithmetic on numbers that exist at run time only because a loop or `if` changes them.

What it is: the meaning of CarriedNumber's operators. What it is not: the rules of PlainValue, where
the left dtype wins. Invariant: int stays int, any float makes float, `/` makes float, `//` and `%`
round toward minus infinity; numbers are int32, float32 or int1 at run time.
"""

from __future__ import annotations

from typing import Any

from ascemu._core import Value
from ascemu.dsl.context import current
from ascemu.dsl.dtypes import DataType
from ascemu.dsl.faults import not_on_device, wrong_value
from ascemu.dsl.values import CarriedNumber, PlainValue, describe, unwrap

_DTYPES = {bool: "int1", int: "int32", float: "float32"}
_COMPARISONS = ("equal", "not_equal", "less", "less_equal", "greater", "greater_equal")
_INTEGER_ONLY = ("bit_and", "bit_or", "bit_xor", "shift_left", "shift_right")
_MAX_EXPONENT = 64


def python_type_of(x: Any) -> type:
    """bool, int or float: what `x` is in Python."""
    if isinstance(x, CarriedNumber):
        return x.python_type
    plain = unwrap(x)
    return bool if isinstance(plain, bool) else type(plain + 0)


def combine_numbers(op: str, left: Any, right: Any) -> CarriedNumber:
    """The operation as Python defines it; ValueError for bit operations on floats.

    `op` is a ScalarOp name (`div` is `/`, `rem` is `%`) or `floordiv`.
    """
    types = (python_type_of(left), python_type_of(right))
    common = float if float in types or op == "div" else int
    if op in _INTEGER_ONLY and common is float:
        raise wrong_value(f"{op} is not supported between {describe(left)} and {describe(right)}")
    a, b = _as(left, common), _as(right, common)
    if op == "floordiv":
        return CarriedNumber(_floor_divide(a, b), common)
    if op == "rem":
        quotient = _floor_divide(a, b)
        return CarriedNumber(_emit("sub", a, _emit("mul", quotient, b)), common)
    result = bool if op in _COMPARISONS else common
    return CarriedNumber(_emit(op, a, b), result)


def raise_to(base: Any, exponent: Any) -> CarriedNumber:
    """`base ** exponent` for a small whole constant exponent; else NotImplementedError."""
    power = unwrap(exponent)
    if isinstance(exponent, CarriedNumber) or not isinstance(power, int):
        power = -1
    if not 0 <= power <= _MAX_EXPONENT:
        raise not_on_device(
            f"** of {describe(base)} and {describe(exponent)} is not implemented",
            help=f"The exponent must be a whole constant from 0 to {_MAX_EXPONENT}.",
        )
    kind = float if python_type_of(base) is float else int
    factor, result = _as(base, kind), _as(1, kind)
    for _ in range(power):
        result = _emit("mul", result, factor)
    return CarriedNumber(result, kind)


def number_as(x: CarriedNumber, dtype: DataType) -> PlainValue:
    """`x` converted as the literal it stands for would be: through a dtype of equal width where the
    device has no direct conversion."""
    if dtype.name == "int1":
        return PlainValue(_emit("not_equal", x.value, _constant(0, x.value.dtype)))
    whole = dtype.is_int()
    kind = float if x.python_type is float else int
    value = _as(x, kind)
    for step in _STEPS.get((kind, whole, dtype.bitwidth), ()):
        value = _cast(value, step)
    return PlainValue(_cast(value, dtype.name))


# (from, to an integer, width) -> the dtypes on the way from int32 or float32.
_STEPS = {
    (int, False, 16): ("float32",),
    (int, False, 64): ("int64",),
    (float, True, 8): ("int32",),
    (float, True, 16): ("int32",),
    (float, True, 64): ("float64",),
}


def _as(x: Any, kind: type) -> Value:
    if not isinstance(x, CarriedNumber):
        return _constant(kind(unwrap(x)), _DTYPES[kind])
    value = x.value
    if value.dtype == "int1":
        value = _cast(value, "int32")
    return _cast(value, _DTYPES[kind])


def _floor_divide(a: Value, b: Value) -> Value:
    """a // b in Python's meaning; on floats through int32, so the quotient must fit it."""
    if a.dtype == "float32":
        exact = _emit("div", a, b)
        whole = _cast(_cast(exact, "int32"), "float32")
        return _emit("sub", whole, _cast(_cast(_emit("greater", whole, exact), "int32"), "float32"))
    quotient = _emit("div", a, b)
    rest = _emit("sub", a, _emit("mul", quotient, b))
    zero = _constant(0, "int32")
    signs_differ = _emit("less", _emit("bit_xor", rest, b), zero)
    inexact = _emit("not_equal", rest, zero)
    return _emit("sub", quotient, _cast(_emit("logical_and", inexact, signs_differ), "int32"))


def _emit(op: str, a: Value, b: Value) -> Value:
    return current(op).builder.scalar_binary(op, a, b)


def _cast(value: Value, dtype: str) -> Value:
    return current("cast").builder.scalar_cast(value, dtype)


def _constant(value: Any, dtype: str) -> Value:
    return current("number").builder.constant(value, dtype)
