"""ConstExpr: marks a kernel parameter, or a value at the call, as a compile-time constant."""

from __future__ import annotations

from typing import Any, Generic, TypeVar

T = TypeVar("T")


class ConstExpr(Generic[T]):
    """A compile-time constant (spec asc2 §1.3, §11.2).

    As an annotation (`ConstExpr`, `ConstExpr[int]`) it makes the parameter a constant; as an object
    (`ConstExpr(3)`) it makes any argument one. `ConstExpr(ConstExpr(x))` equals `ConstExpr(x)`.
    """

    __slots__ = ("value",)
    value: T

    def __init__(self, value: Any) -> None:
        self.value = value.value if isinstance(value, ConstExpr) else value

    def __eq__(self, other: object) -> bool:
        if isinstance(other, ConstExpr):
            return bool(self.value == other.value)
        return NotImplemented

    def __hash__(self) -> int:
        return hash((ConstExpr, self.value))

    def __repr__(self) -> str:
        return f"ConstExpr({self.value!r})"
