"""Values that a kernel has only at run time: scalars and pointers (spec asc2 §1.10, §3).

What it is: Python handles of `_core.Value` with the language's operators. What it is not:
arithmetic; every operator adds a statement through the builder, which also applies the dtype rules.
Invariant: an IRValue has no truth value, no hash and no elements; the left operand's dtype decides.
"""

from __future__ import annotations

from typing import Any, TypeVar

import numpy as np

from ascemu._core import Value
from ascemu.dsl.constexpr import ConstExpr
from ascemu.dsl.context import current
from ascemu.dsl.dtypes import DataType
from ascemu.dsl.faults import fault, missing_operator, not_on_device, wrong_type, wrong_value

C = TypeVar("C", bound=type)
_CLASSES: dict[str, type[IRValue]] = {}


def wraps_kind(kind: str) -> Any:
    """Class decorator: `wrap` makes instances of the class for values of that kind."""

    def register(cls: C) -> C:
        _CLASSES[kind] = cls
        return cls

    return register


def wrap(value: Value) -> Any:
    """The IRValue for a builder value, by its kind."""
    return _CLASSES[value.kind](value)


def unwrap(x: Any) -> Any:
    """What the builder takes for `x`: the Value of an IRValue, a Python number for a number."""
    if isinstance(x, IRValue):
        return x.value
    if isinstance(x, ConstExpr):
        return unwrap(x.value)
    return x.item() if isinstance(x, np.generic) else x


def is_number(x: Any) -> bool:
    """Whether `x` is a number known while tracing: bool, int, float or a numpy scalar of those."""
    return isinstance(x, (bool, int, float)) or (
        isinstance(x, np.generic) and isinstance(x.item(), (bool, int, float))
    )


class IRValue:
    """A value that exists at run time only. `value` is the builder's handle."""

    __slots__ = ("value",)
    value: Value
    __array_ufunc__ = None  # numpy scalars leave the operator to us
    __hash__ = None  # type: ignore[assignment]

    def __init__(self, value: Value) -> None:
        if not isinstance(value, Value):
            raise wrong_type(
                f"{type(self).__name__} cannot be made directly",
                help="Values of this class are the results of operations and the arguments of a "
                "kernel.",
            )
        self.value = value

    @property
    def dtype(self) -> DataType:
        """The element type."""
        return DataType(self.value.dtype)

    def __bool__(self) -> bool:
        raise wrong_type(
            f"{describe(self)} is known at run time only and has no Python truth value",
            help="Use it as the condition of an if statement, or combine it with asc2 operations.",
        )

    def __repr__(self) -> str:
        return f"{type(self).__name__}(dtype={self.dtype}, handle={self.value})"


def describe(x: Any) -> str:
    """`x` in words for messages: class and what identifies it."""
    if isinstance(x, IRValue):
        shape = f"{list(x.value.shape)}" if x.value.kind == "tensor" else ""
        return f"{type(x).__name__} {x.dtype}{shape}"
    if x is None:
        return "None"
    text = repr(x)
    return f"{type(x).__name__} {text if len(text) <= 40 else text[:37] + '...'}"


@wraps_kind("scalar")
class PlainValue(IRValue):
    """A scalar known at run time (spec asc2 §3).

    There is no promotion: the result has the dtype of the left operand if that is a PlainValue,
    else of the right one, and the other operand is converted to it. `/` and `//` truncate on
    integers, `%` is C's remainder. Comparisons give int1. A tensor on the right is a ValueError.
    """

    __slots__ = ()

    def cast(self, dtype: DataType) -> PlainValue:
        """The value as `dtype`; NotImplementedError for the pairs the device lacks (spec §3.3)."""
        if not isinstance(dtype, DataType):
            raise wrong_type(f"'dtype' argument must be DataType, got {describe(dtype)}")
        return PlainValue(current("cast").builder.scalar_cast(self.value, dtype.name))

    def max(self, other: Any) -> PlainValue:
        """The larger of both in this value's dtype; with a NaN the other operand (spec §3.4)."""
        return combine("max", "max", self, other)

    def min(self, other: Any) -> PlainValue:
        """The smaller of both in this value's dtype; with a NaN the other operand (spec §3.4)."""
        return combine("min", "min", self, other)

    def ceildiv(self, other: Any) -> PlainValue:
        """(self + other - 1) / other on integers; ValueError for floats (spec §3.4)."""
        if self.dtype.is_float():
            raise wrong_value(f"ceildiv is not supported for {describe(self)}")
        return (self + other - 1) // other

    def logical_and(self, other: Any) -> PlainValue:
        """int1: both are true."""
        return logical("logical_and", self, other)

    def logical_or(self, other: Any) -> PlainValue:
        """int1: at least one is true."""
        return logical("logical_or", self, other)

    def logical_not(self) -> PlainValue:
        """int1: the value is zero."""
        return combine("equal", "not", self, 0)

    def __neg__(self) -> PlainValue:
        return negative(self)

    def __pos__(self) -> PlainValue:
        return self

    def __invert__(self) -> PlainValue:
        raise not_on_device(
            f"~ is not implemented for {describe(self)}", help="Use x ^ -1 on a signed integer."
        )

    def __pow__(self, other: Any) -> PlainValue:
        return power(self, other)

    def __rpow__(self, other: Any) -> PlainValue:
        return power(other, self)


def power(left: Any, right: Any) -> Any:
    """`**` of scalars: only where both are Python numbers, carried or not (spec §2.4)."""
    if _is_weak(left) and _is_weak(right):
        from ascemu.dsl.carried import raise_to

        return raise_to(left, right)
    raise not_on_device(
        f"** is not implemented for {describe(left)} and {describe(right)}",
        help="Multiply the scalar with itself, or use asc2.pow on a tensor.",
    )


def _binary(op: str, symbol: str) -> tuple[Any, Any]:
    def written(self: PlainValue, other: Any) -> PlainValue:
        return combine(op, symbol, self, other)

    def reflected(self: PlainValue, other: Any) -> PlainValue:
        return combine(op, symbol, other, self)

    return written, reflected


# Reflected comparisons are the language's own: the front end calls them, Python never does.
for _name, _op, _symbol in (
    ("add", "add", "+"),
    ("sub", "sub", "-"),
    ("mul", "mul", "*"),
    ("truediv", "div", "/"),
    ("floordiv", "floordiv", "//"),
    ("mod", "rem", "%"),
    ("and", "bit_and", "&"),
    ("or", "bit_or", "|"),
    ("xor", "bit_xor", "^"),
    ("lshift", "shift_left", "<<"),
    ("rshift", "shift_right", ">>"),
    ("eq", "equal", "=="),
    ("ne", "not_equal", "!="),
    ("lt", "less", "<"),
    ("le", "less_equal", "<="),
    ("gt", "greater", ">"),
    ("ge", "greater_equal", ">="),
):
    _written, _reflected = _binary(_op, _symbol)
    for _prefix, _method in (("", _written), ("r", _reflected)):
        _method.__name__ = f"__{_prefix}{_name}__"
        _method.__qualname__ = f"PlainValue.{_method.__name__}"
        setattr(PlainValue, _method.__name__, _method)
PlainValue.__hash__ = None  # type: ignore[assignment]


class CarriedNumber(PlainValue):
    """A Python number that a runtime loop carries or a runtime `if` merges, while that is traced.

    Arithmetic with Python numbers and other CarriedNumbers keeps Python's meaning (`/` gives a
    float, `//` floors) and gives a CarriedNumber; with a PlainValue it acts like the number it
    stands for. `python_type` is int, float or bool. The value is an int32, float32 or int1 at run
    time.
    """

    __slots__ = ("python_type",)
    python_type: type

    def __init__(self, value: Value, python_type: type | None = None) -> None:
        super().__init__(value)
        if python_type is None:
            python_type = {"int1": bool, "float32": float}.get(value.dtype, int)
        self.python_type = python_type

    __hash__ = None  # type: ignore[assignment]


def _is_weak(x: Any) -> bool:
    return isinstance(x, CarriedNumber) or is_number(x)


def combine(op: str, symbol: str, left: Any, right: Any) -> Any:
    """A scalar operation on two operands of which at least one is a PlainValue.

    ValueError where one is a tensor, pointer or no number at all (spec §2.4); the builder's errors
    for dtypes that the operation or the conversion lacks.
    """
    if _is_weak(left) and _is_weak(right):
        from ascemu.dsl.carried import combine_numbers

        return combine_numbers(op, left, right)
    for operand, other in ((right, left), (left, right)):
        if not isinstance(operand, PlainValue) and not is_number(operand):
            raise wrong_value(
                f"{describe(operand)} cannot be an operand of {symbol} with {describe(other)}",
                help="Put the tensor on the left, as in tensor * scalar, or call the asc2 "
                "function; the device front end fails here too."
                if isinstance(operand, IRValue)
                else "",
            )
    a, b = as_dtype_of(right, left), as_dtype_of(left, right)
    op = "div" if op == "floordiv" else op
    return PlainValue(current(symbol).builder.scalar_binary(op, unwrap(a), unwrap(b)))


def as_dtype_of(strong: Any, operand: Any) -> Any:
    """`operand`; a CarriedNumber next to an IRValue is converted as the number it stands for, and
    so is an int beyond 64 bits next to a float."""
    if not isinstance(strong, IRValue):
        return operand
    if isinstance(operand, CarriedNumber):
        from ascemu.dsl.carried import number_as

        return number_as(operand, strong.dtype)
    return fitted(operand, strong.dtype)


def fitted(number: Any, dtype: DataType) -> Any:
    """`number`; an int that does not fit 64 bits as a float where `dtype` is one (spec §3.2)."""
    if isinstance(number, int) and dtype.is_float() and not -(2**63) <= number < 2**63:
        try:
            return float(number)
        except OverflowError:
            raise fault(
                OverflowError, "bad-argument-value", f"the number is too large for {dtype}"
            ) from None
    return number


def logical(op: str, left: Any, right: Any) -> PlainValue:
    """`and` / `or` on int1; both operands are evaluated (spec §2.4)."""
    builder = current(op).builder
    return PlainValue(builder.scalar_binary(op, condition(left), condition(right)))


def condition(x: Any) -> Value:
    """`x` as int1. NotImplementedError for floats, TypeError for what is no scalar (spec §2.4)."""
    builder = current("condition").builder
    if isinstance(x, CarriedNumber) and x.python_type is float:
        return combine("not_equal", "!=", x, 0.0).value
    if isinstance(x, PlainValue) or is_number(x):
        return builder.to_condition(unwrap(x))
    if isinstance(x, IRValue):
        raise missing_operator(
            f"{describe(x)} has no logical operators", help="Combine masks with & and |."
        )
    raise wrong_type(f"{describe(x)} cannot be converted to int1")


def negative(x: PlainValue) -> Any:
    """`-x`: x * -1 on integers; on floats the negated value, which the builder warns of (§2.4)."""
    if isinstance(x, CarriedNumber) or not x.dtype.is_float():
        return combine("mul", "-", x, -1)
    return PlainValue(current("-").builder.scalar_unary("negative", x.value))


@wraps_kind("address")
class GlobalAddress(IRValue):
    """A pointer into global memory: a kernel's array argument (spec asc2 §1.10).

    `pointer + n` moves it by n elements; there is no other arithmetic.
    """

    __slots__ = ()

    def __add__(self, offset: Any) -> GlobalAddress:
        if not isinstance(offset, PlainValue) and not is_number(offset):
            raise wrong_type(f"the offset of a pointer must be an integer, got {describe(offset)}")
        return GlobalAddress(current("+").builder.address_add(self.value, unwrap(offset)))
