"""Tiles in local memory: the LocalTensor class and its operators (spec asc2 §6.1, §8, §11.1).

What it is: attributes, operators and `.to`. What it is not: the methods that are operations of
their own (methods.py attaches the function objects). Invariant: an operator whose other operand is
neither tensor nor number returns NotImplemented; there are no reflected shifts or comparisons, no
`%`, no element access and no truth value.
"""

from __future__ import annotations

import math
from typing import Any

from ascemu._core import Value
from ascemu.dsl.context import current
from ascemu.dsl.dtypes import DataType, RoundMode, TensorLocation
from ascemu.dsl.faults import fault
from ascemu.dsl.values import (
    IRValue,
    PlainValue,
    as_dtype_of,
    describe,
    is_number,
    unwrap,
    wrap,
    wraps_kind,
)
from ascemu.errors import BinaryOperandTypeError


def is_operand(x: Any) -> bool:
    """Whether `x` can be an operand of an element-wise operation: tensor or number."""
    return isinstance(x, (LocalTensor, PlainValue)) or is_number(x)


def binary(op: str, left: Any, right: Any) -> LocalTensor:
    """An element-wise operation on two operands; BinaryOperandTypeError unless one is a tensor and
    the other a tensor or number."""
    builder = current(op).builder
    if not is_operand(left) or not is_operand(right):
        raise fault(
            BinaryOperandTypeError,
            "bad-argument-type",
            f"Operands of {op} must be tensors or numbers, got {describe(left)} and "
            f"{describe(right)}",
        )
    if not isinstance(left, LocalTensor) and not isinstance(right, LocalTensor):
        raise fault(
            BinaryOperandTypeError,
            "bad-argument-type",
            f"At least one operand of {op} must be tensor, got {describe(left)} and "
            f"{describe(right)}",
            help="Use the operators on runtime scalars.",
        )
    a, b = as_dtype_of(right, left), as_dtype_of(left, right)
    return wrap(builder.binary(op, unwrap(a), unwrap(b)))


@wraps_kind("tensor")
class LocalTensor(IRValue):
    """A tensor in local memory with a static shape.

    Operators broadcast like NumPy; a scalar takes the tensor's dtype. `//` is `/`. Results and
    errors are those of the functions of the same meaning (`add`, `div`, `equal`, ...).
    """

    __slots__ = ("is_accumulator",)
    is_accumulator: bool  # the very result of zeros_acc

    def __init__(self, value: Value) -> None:
        super().__init__(value)
        self.is_accumulator = False

    @property
    def shape(self) -> tuple[int, ...]:
        """The static shape."""
        return self.value.shape

    @property
    def size(self) -> int:
        """Number of elements."""
        return math.prod(self.value.shape)

    @property
    def rank(self) -> int:
        """Number of dimensions."""
        return len(self.value.shape)

    @property
    def location(self) -> TensorLocation:
        """The location asked for; Auto where the consumers decide (spec §11.3)."""
        return TensorLocation[self.value.location]

    @property
    def T(self) -> LocalTensor:
        """The tensor with its last two dimensions swapped."""
        from ascemu.dsl.shape import transpose

        return transpose(self)

    def to(self, *target: Any, **named: Any) -> LocalTensor:
        """`to(dtype[, round_mode])` casts, `to(location)` moves; a location may be given by name.

        The tensor itself where nothing changes. RuntimeError where no form fits the arguments;
        otherwise as `cast` and `copy` (spec §6.5, §5.4).
        """
        from ascemu.dsl.elementwise import cast
        from ascemu.dsl.memory import copy

        arguments = dict(zip(("target", "round_mode"), target, strict=False)) | named
        goal = arguments.pop("target", arguments.pop("dtype", arguments.pop("location", None)))
        mode = arguments.pop("round_mode", None)
        if len(target) <= 2 and not arguments:
            if isinstance(goal, DataType) and (mode is None or isinstance(mode, RoundMode)):
                return cast(self, goal, RoundMode.Default if mode is None else mode)
            if isinstance(goal, (TensorLocation, str)) and mode is None:
                return copy(self, location=goal)
        shown = ", ".join(
            [describe(x) for x in target] + [f"{k}={describe(named[k])}" for k in named]
        )
        raise fault(
            RuntimeError,
            "bad-argument-type",
            f"No viable candidates were found to dispatch to({shown})",
            help="Write to(dtype), to(dtype, round_mode) or to(location).",
        )

    def __pos__(self) -> LocalTensor:
        return self

    def __neg__(self) -> LocalTensor:
        return wrap(current("negative").builder.unary("negative", self.value))

    def __abs__(self) -> LocalTensor:
        return wrap(current("abs").builder.unary("abs", self.value))

    def __invert__(self) -> LocalTensor:
        return wrap(current("bitwise_not").builder.unary("bitwise_not", self.value))

    def __matmul__(self, other: Any) -> Any:
        from ascemu.dsl.matmul import matmul

        return matmul(self, other) if is_operand(other) else NotImplemented

    def __rmatmul__(self, other: Any) -> Any:
        from ascemu.dsl.matmul import matmul

        return matmul(other, self) if is_operand(other) else NotImplemented

    def __repr__(self) -> str:
        return (
            f"LocalTensor(dtype={self.dtype}, shape={list(self.shape)}, "
            f"location={self.location.name}, handle={self.value})"
        )


def _attach(name: str, op: str, reflect: bool) -> None:
    def written(self: LocalTensor, other: Any) -> Any:
        return binary(op, self, other) if is_operand(other) else NotImplemented

    def reflected(self: LocalTensor, other: Any) -> Any:
        return binary(op, other, self) if is_operand(other) else NotImplemented

    for method, prefix in ((written, ""), (reflected, "r"))[: 2 if reflect else 1]:
        method.__name__ = f"__{prefix}{name}__"
        method.__qualname__ = f"LocalTensor.{method.__name__}"
        setattr(LocalTensor, method.__name__, method)


for _name, _op in (
    ("add", "add"),
    ("sub", "sub"),
    ("mul", "mul"),
    ("truediv", "div"),
    ("floordiv", "div"),
    ("pow", "pow"),
    ("and", "bitwise_and"),
    ("or", "bitwise_or"),
    ("xor", "bitwise_xor"),
):
    _attach(_name, _op, reflect=True)
for _name, _op in (
    ("lshift", "left_shift"),
    ("rshift", "right_shift"),
    ("eq", "equal"),
    ("ne", "not_equal"),
    ("lt", "less"),
    ("le", "less_equal"),
    ("gt", "greater"),
    ("ge", "greater_equal"),
):
    _attach(_name, _op, reflect=False)
LocalTensor.__hash__ = None  # type: ignore[assignment]
