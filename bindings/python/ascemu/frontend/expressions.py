"""Lowering of expressions (spec asc2 §2.1-2.4, 2.12): evaluated in Python while tracing.

What it is: one function per node class. Operators of IR values act through ascemu.dsl.
What it is not: calls (calls.py) and the conditional expression (branches.py).
Invariant: operands are evaluated left to right, then the position is set, then the operator acts.
"""

from __future__ import annotations

import ast
import difflib
from typing import Any

from ascemu.dsl import operators
from ascemu.dsl.values import describe
from ascemu.frontend import language
from ascemu.frontend.faults import annotated, refuse
from ascemu.frontend.lowering import EXPRESSIONS, Lowering, lowers


@lowers(EXPRESSIONS, ast.Constant)
def lower_constant(lowering: Lowering, node: ast.Constant) -> Any:
    return node.value


@lowers(EXPRESSIONS, ast.Name)
def lower_name(lowering: Lowering, node: ast.Name) -> Any:
    return lowering.read_name(node)


@lowers(EXPRESSIONS, ast.Tuple)
def lower_tuple(lowering: Lowering, node: ast.Tuple) -> Any:
    return tuple([lowering.expression(element) for element in node.elts])


@lowers(EXPRESSIONS, ast.List)
def lower_list(lowering: Lowering, node: ast.List) -> Any:
    return [lowering.expression(element) for element in node.elts]


@lowers(EXPRESSIONS, ast.Slice)
def lower_slice(lowering: Lowering, node: ast.Slice) -> slice:
    parts = (node.lower, node.upper, node.step)
    return slice(*(None if part is None else lowering.expression(part) for part in parts))


@lowers(EXPRESSIONS, ast.Subscript)
def lower_subscript(lowering: Lowering, node: ast.Subscript) -> Any:
    base = lowering.expression(node.value)
    index = lowering.expression(node.slice)
    lowering.at(node)
    if isinstance(base, type):
        return base[index]  # type: ignore[index]
    if language.is_ir(base) and not hasattr(base, "__getitem__"):
        raise annotated(
            AttributeError(f"{describe(base)} has no elements to index"),
            "bad-argument-type",
            "Single elements and parts are read from global memory: copy_in(tensor, offsets) gives "
            "an element, copy_in(tensor, offsets, shape) a tile.",
        )
    return language.unwrap_constexpr(base.__getitem__(index))


@lowers(EXPRESSIONS, ast.Attribute)
def lower_attribute(lowering: Lowering, node: ast.Attribute) -> Any:
    base = lowering.expression(node.value)
    lowering.at(node)
    try:
        value = getattr(base, node.attr)
    except AttributeError as error:
        raise _unknown_attribute(base, node.attr, error) from error
    if not language.is_ir(base):
        lowering.names.load_attribute(lowering.frame, node, base, value)
    return language.unwrap_constexpr(value)


def _unknown_attribute(base: Any, name: str, error: AttributeError) -> Exception:
    known = {other.casefold(): other for other in dir(base) if not other.startswith("_")}
    close = difflib.get_close_matches(name.casefold(), known, n=1, cutoff=0.7)
    text = f"{error}; did you mean '{known[close[0]]}'?" if close else str(error)
    return annotated(AttributeError(text), "unknown-name", getattr(error, "ascemu_help", ""))


@lowers(EXPRESSIONS, ast.BinOp)
def lower_binary(lowering: Lowering, node: ast.BinOp) -> Any:
    left = lowering.expression(node.left)
    right = lowering.expression(node.right)
    lowering.at(node)
    return operators.binary(node.op, left, right)


@lowers(EXPRESSIONS, ast.UnaryOp)
def lower_unary(lowering: Lowering, node: ast.UnaryOp) -> Any:
    value = lowering.expression(node.operand)
    lowering.at(node)
    return operators.unary(node.op, value)


@lowers(EXPRESSIONS, ast.BoolOp)
def lower_boolean(lowering: Lowering, node: ast.BoolOp) -> Any:
    word = "and" if isinstance(node.op, ast.And) else "or"
    if len(node.values) != 2:
        lowering.at(node)
        raise refuse(
            f"'{word}' takes exactly two operands, got {len(node.values)}",
            help=f"Put parentheses around pairs, as in (a {word} b) {word} c.",
        )
    left, right = [lowering.expression(value) for value in node.values]
    lowering.at(node)
    return operators.boolean(node.op, left, right)


@lowers(EXPRESSIONS, ast.Compare)
def lower_compare(lowering: Lowering, node: ast.Compare) -> Any:
    if len(node.ops) != 1:
        lowering.at(node)
        raise refuse(
            f"a comparison takes exactly one operator, got a chain of {len(node.ops)}",
            help="Write it as (a < b) and (b < c).",
        )
    left = lowering.expression(node.left)
    right = lowering.expression(node.comparators[0])
    lowering.at(node)
    return operators.compare(node.ops[0], left, right)


@lowers(EXPRESSIONS, ast.JoinedStr)
def lower_joined_string(lowering: Lowering, node: ast.JoinedStr) -> str:
    return "".join([str(lowering.expression(value)) for value in node.values])


@lowers(EXPRESSIONS, ast.FormattedValue)
def lower_formatted_value(lowering: Lowering, node: ast.FormattedValue) -> str:
    value = lowering.expression(node.value)
    spec = "" if node.format_spec is None else lowering.expression(node.format_spec)
    lowering.at(node.value)
    if node.conversion >= 0:
        value = {"s": str, "r": repr, "a": ascii}[chr(node.conversion)](value)
    return format(value, spec)
