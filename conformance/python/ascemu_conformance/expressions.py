"""The arithmetic that a parameter matrix may use: `"{ceildiv(size, tile)}"`.

What it is: numbers, strings, parameters, operators and a few functions. What it is not: Python; no
attribute, subscript or other call is evaluated, and no power beyond 64 bits.
Invariant: the value depends on the text and the parameters only.
"""

from __future__ import annotations

import ast
import operator
import re
from collections.abc import Mapping
from typing import Any

_OPERATORS: Mapping[type[ast.AST], Any] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Div: operator.truediv,
    ast.FloorDiv: operator.floordiv,
    ast.Mod: operator.mod,
    ast.USub: operator.neg,
    ast.Not: operator.not_,
    ast.Eq: operator.eq,
    ast.NotEq: operator.ne,
    ast.Lt: operator.lt,
    ast.LtE: operator.le,
    ast.Gt: operator.gt,
    ast.GtE: operator.ge,
}
_FUNCTIONS: Mapping[str, Any] = {
    "abs": abs,
    "ceildiv": lambda a, b: -(-a // b),
    "int": int,
    "max": max,
    "min": min,
}
_LONGEST = 500
_BRACES = re.compile(r"\{([^{}]*)\}")


def evaluate(text: str, names: Mapping[str, Any]) -> Any:
    """The value of an expression; ValueError for what is no such expression."""
    try:
        if len(text) > _LONGEST:
            raise ValueError(f"more than {_LONGEST} characters")
        return _value(ast.parse(text.strip(), mode="eval").body, names)
    except (SyntaxError, TypeError, ArithmeticError, ValueError, RecursionError) as error:
        raise ValueError(f"the expression {text!r}: {error}") from None


def filled(value: Any, names: Mapping[str, Any]) -> Any:
    """`value` with the expressions in braces evaluated, in lists and tables too.

    A string that is one expression becomes its value; elsewhere the value's text is put in.
    """
    if isinstance(value, dict):
        return {key: filled(item, names) for key, item in value.items()}
    if isinstance(value, list):
        return [filled(item, names) for item in value]
    if not isinstance(value, str):
        return value
    whole = _BRACES.fullmatch(value)
    if whole:
        return evaluate(whole[1], names)
    return _BRACES.sub(lambda found: str(evaluate(found[1], names)), value)


def _value(node: ast.AST, names: Mapping[str, Any]) -> Any:
    if isinstance(node, ast.Constant) and isinstance(node.value, (int, float, str)):
        return node.value
    if isinstance(node, ast.Name):
        if node.id not in names:
            raise ValueError(f"unknown name {node.id!r}; known: {', '.join(names)}")
        return names[node.id]
    if isinstance(node, ast.BoolOp):
        values = [_value(item, names) for item in node.values]
        return all(values) if isinstance(node.op, ast.And) else any(values)
    if isinstance(node, ast.Compare) and len(node.ops) == 1 and type(node.ops[0]) in _OPERATORS:
        left, right = _value(node.left, names), _value(node.comparators[0], names)
        return _OPERATORS[type(node.ops[0])](left, right)
    if isinstance(node, ast.UnaryOp) and type(node.op) in _OPERATORS:
        return _OPERATORS[type(node.op)](_value(node.operand, names))
    if isinstance(node, ast.BinOp) and type(node.op) in _OPERATORS:
        left, right = _value(node.left, names), _value(node.right, names)
        if isinstance(left, (str, bool)) or isinstance(right, (str, bool)):
            raise ValueError("arithmetic is for numbers")
        return _OPERATORS[type(node.op)](left, right)
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Pow):
        base, power = _value(node.left, names), _value(node.right, names)
        if not (isinstance(power, int) and abs(power) <= 64 and abs(base) <= 2**16):
            raise ValueError("a power has a base up to 65536 and an integer exponent up to 64")
        return base**power
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and not node.keywords:
        if node.func.id in _FUNCTIONS:
            return _FUNCTIONS[node.func.id](*(_value(item, names) for item in node.args))
    raise ValueError(
        f"{ast.unparse(node)!r} is not allowed: there are numbers, strings, parameters, "
        f"+ - * / // % **, comparisons, and, or, not, {', '.join(_FUNCTIONS)}"
    )
