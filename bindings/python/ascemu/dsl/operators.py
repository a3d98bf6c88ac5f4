"""How a kernel's operators find the method that implements them (spec asc2 §2.4, §11.2).

What it is: the dispatch rules of BinOp, Compare, UnaryOp and BoolOp. What it is not: the operators'
meaning. Invariant: an operand without the method is an AttributeError, as in the device front end,
also where Python would try the other side or raise TypeError. Operators are named by their class in
Python's ast module ("Add"), an instance of it, or the stem of the special method ("add").
"""

from __future__ import annotations

import ast
import operator
from collections.abc import Callable
from typing import Any

from ascemu.dsl.faults import missing_operator, not_on_device
from ascemu.dsl.local_tensor import LocalTensor
from ascemu.dsl.values import IRValue, PlainValue, describe, logical

# ast class: (stem of the method, symbol, Python's own operator)
_BINARY: dict[str, tuple[str, str, Callable[[Any, Any], Any]]] = {
    "Add": ("add", "+", operator.add),
    "Sub": ("sub", "-", operator.sub),
    "Mult": ("mul", "*", operator.mul),
    "Div": ("truediv", "/", operator.truediv),
    "FloorDiv": ("floordiv", "//", operator.floordiv),
    "Mod": ("mod", "%", operator.mod),
    "Pow": ("pow", "**", operator.pow),
    "LShift": ("lshift", "<<", operator.lshift),
    "RShift": ("rshift", ">>", operator.rshift),
    "BitAnd": ("and", "&", operator.and_),
    "BitOr": ("or", "|", operator.or_),
    "BitXor": ("xor", "^", operator.xor),
    "MatMult": ("matmul", "@", operator.matmul),
}
_COMPARE: dict[str, tuple[str, str, Callable[[Any, Any], Any]]] = {
    "Eq": ("eq", "==", operator.eq),
    "NotEq": ("ne", "!=", operator.ne),
    "Lt": ("lt", "<", operator.lt),
    "LtE": ("le", "<=", operator.le),
    "Gt": ("gt", ">", operator.gt),
    "GtE": ("ge", ">=", operator.ge),
}
_UNARY: dict[str, tuple[str, str, Callable[[Any], Any]]] = {
    "USub": ("neg", "-", operator.neg),
    "UAdd": ("pos", "+", operator.pos),
    "Invert": ("invert", "~", operator.invert),
    "Not": ("not", "not", operator.not_),
}


def _row(table: dict[str, Any], op: Any) -> Any:
    name = type(op).__name__ if isinstance(op, ast.AST) else op
    if name in table:
        return table[name]
    for row in table.values():
        if row[0] == name:
            return row
    raise ValueError(f"unknown operator {name!r}")


def _dispatch(stem: str, symbol: str, native: Callable[[Any, Any], Any], lhs: Any, rhs: Any) -> Any:
    if not isinstance(lhs, IRValue) and not isinstance(rhs, IRValue):
        return native(lhs, rhs)
    result = NotImplemented
    if isinstance(lhs, IRValue):
        result = _call(lhs, f"__{stem}__", rhs)
    if result is NotImplemented:
        result = _call(rhs, f"__r{stem}__", lhs)
    if result is NotImplemented:
        raise missing_operator(
            f"{symbol} is not defined for {describe(lhs)} and {describe(rhs)}",
            help=_remedy(symbol, lhs, rhs),
        )
    return result


def _call(operand: Any, method: str, other: Any) -> Any:
    found = getattr(type(operand), method, None)
    return NotImplemented if found is None else found(operand, other)


def _remedy(symbol: str, lhs: Any, rhs: Any) -> str:
    if lhs is None or rhs is None:
        return "Compare with None by 'is' or 'is not'."
    if isinstance(rhs, LocalTensor) and symbol in ("<", "<=", ">", ">=", "==", "!="):
        return "Put the tensor on the left, or call asc2.less, asc2.equal, ..."
    if isinstance(rhs, LocalTensor) and symbol in ("<<", ">>"):
        return "A tensor can be shifted, but a number cannot be shifted by a tensor."
    return ""


def binary(op: Any, lhs: Any, rhs: Any) -> Any:
    """`lhs op rhs`: natively for two Python values, else by the special methods."""
    return _dispatch(*_row(_BINARY, op), lhs, rhs)


def compare(op: Any, lhs: Any, rhs: Any) -> Any:
    """One comparison. `is` and `is not` are identity while tracing; `in` is a NotImplementedError.

    A comparison with a Python value on the left keeps the written order.
    """
    name = type(op).__name__ if isinstance(op, ast.AST) else op
    if name in ("Is", "is"):
        return lhs is rhs
    if name in ("IsNot", "is not"):
        return lhs is not rhs
    if name in ("In", "in", "NotIn", "not in"):
        raise not_on_device(
            "'in' and 'not in' are not implemented in kernels",
            help="Compare with each value, or decide on the host and pass a ConstExpr.",
        )
    return _dispatch(*_row(_COMPARE, op), lhs, rhs)


def unary(op: Any, x: Any) -> Any:
    """`op x`: natively for a Python value; `not` of a scalar is x == 0, of a tensor an error."""
    stem, symbol, native = _row(_UNARY, op)
    if not isinstance(x, IRValue):
        return native(x)
    if stem == "not" and isinstance(x, PlainValue):
        return x.logical_not()
    method = getattr(type(x), f"__{stem}__", None)
    if method is None:
        remedy = "Compare the mask with where, or invert the comparison." if stem == "not" else ""
        raise missing_operator(f"{symbol} is not defined for {describe(x)}", help=remedy)
    return method(x)


def boolean(op: Any, a: Any, b: Any) -> Any:
    """`a and b` / `a or b`, both already evaluated: a bool for two Python values, else int1.

    AttributeError: a tensor. NotImplementedError: a float scalar. TypeError: what is no number.
    """
    name = type(op).__name__ if isinstance(op, ast.AST) else op
    is_and = name in ("And", "and")
    if not isinstance(a, IRValue) and not isinstance(b, IRValue):
        return bool(a) and bool(b) if is_and else bool(a) or bool(b)
    return logical("logical_and" if is_and else "logical_or", a, b)
