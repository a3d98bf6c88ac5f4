"""Lowering of the simple statements: assignments, return, assert, with, expression statements.

What it is: spec asc2 §2.1, 2.8, 2.9 and 2.11. What it is not: runtime regions (branches, loops).
Invariant: a name is bound only through `bind`, which also names the value for diagnostics.
"""

from __future__ import annotations

import ast
from typing import Any

from ascemu.dsl import operators
from ascemu.frontend import language
from ascemu.frontend.faults import annotated, refuse
from ascemu.frontend.lowering import EXPRESSIONS, STATEMENTS, Lowering, lowers

_BAD_TARGET = "Assignment target must be name or tuple of names"


def bind(lowering: Lowering, name: str, value: Any, node: ast.AST, is_alias: bool = False) -> None:
    """Bind a local name; a value that is no mere alias gets the name in diagnostics."""
    if language.is_ir(value) and not is_alias:
        language.name_value(lowering.builder, value, name)
    lowering.frame.scope.bind(name, value, node)


@lowers(STATEMENTS, ast.Assign)
def lower_assign(lowering: Lowering, node: ast.Assign) -> None:
    if len(node.targets) != 1:
        lowering.at(node)
        raise refuse(
            f"an assignment takes exactly one target, got {len(node.targets)}",
            help="Write one assignment per target.",
        )
    value = lowering.expression(node.value)
    assign(lowering, node.targets[0], value, node.value)


@lowers(STATEMENTS, ast.AnnAssign)
def lower_annotated_assign(lowering: Lowering, node: ast.AnnAssign) -> None:
    value = None if node.value is None else lowering.expression(node.value)
    assign(lowering, node.target, value, node.value)


def assign(lowering: Lowering, target: ast.AST, value: Any, source: ast.AST | None) -> None:
    """Store `value`, which came from the expression `source`, in a target."""
    if isinstance(target, ast.Name):
        bind(lowering, target.id, value, target, isinstance(source, ast.Name))
    elif isinstance(target, ast.Tuple):
        unpack(lowering, target, value)
    elif isinstance(target, ast.Subscript):
        base = lowering.expression(target.value)
        index = lowering.expression(target.slice)
        lowering.at(target)
        base.__setitem__(index, value)
    elif isinstance(target, ast.Attribute):
        base = lowering.expression(target.value)
        if not language.is_struct(base):
            lowering.warn(
                target,
                f"the attribute '{target.attr}' of a Python object is set once, while the kernel "
                "is traced, not by its launches",
                help="Pass a Struct, or return the value.",
            )
        lowering.at(target)
        language.set_attribute(base, target.attr, value)
    else:
        lowering.at(target)
        raise refuse(f"{_BAD_TARGET}, got {type(target).__name__}")


def unpack(lowering: Lowering, target: ast.Tuple, value: Any) -> None:
    """Bind the names of a tuple target to the elements of `value`."""
    for element in target.elts:
        if not isinstance(element, ast.Name):
            lowering.at(element)
            raise refuse(f"{_BAD_TARGET}, got a tuple with {type(element).__name__}")
    count = len(target.elts)
    lowering.at(target)
    if not hasattr(type(value), "__iter__") or not hasattr(type(value), "__len__"):
        error = RuntimeError(
            f"assignment must have equal number of names and values: {count} names, "
            f"but the value of type {type(value).__name__} cannot be unpacked"
        )
        raise annotated(error, "bad-argument-type")
    if len(value) != count:
        raise refuse(
            f"assignment must have equal number of names and values, got {count} names and "
            f"{len(value)} values"
        )
    if count == 1:
        lowering.warn(
            target,
            "a tuple target of one name takes the element here; a device compiler binds the whole "
            "right-hand side to it",
            help="Write x = seq[0].",
        )
    for element, item in zip(target.elts, list(value), strict=True):
        assert isinstance(element, ast.Name)
        bind(lowering, element.id, item, element)


@lowers(STATEMENTS, ast.AugAssign)
def lower_augmented_assign(lowering: Lowering, node: ast.AugAssign) -> None:
    """`x op= y` is `x = x op y`; a subscript's index is evaluated twice (spec §2.1)."""
    target = node.target
    if not isinstance(target, (ast.Name, ast.Subscript)):
        lowering.at(target)
        raise refuse(
            f"the target of an augmented assignment must be a name or a subscript, got "
            f"{type(target).__name__}",
            help="Write the assignment out, as in s.x = s.x + y.",
        )
    if isinstance(target, ast.Name):
        left = lowering.read_name(target)
    else:
        left = EXPRESSIONS[ast.Subscript](lowering, target)
    right = lowering.expression(node.value)
    lowering.at(node)
    assign(lowering, target, operators.binary(node.op, left, right), node)


@lowers(STATEMENTS, ast.Expr)
def lower_expression_statement(lowering: Lowering, node: ast.Expr) -> None:
    lowering.expression(node.value)


@lowers(STATEMENTS, ast.Pass)
def lower_pass(lowering: Lowering, node: ast.Pass) -> None:
    """Nothing happens."""


@lowers(STATEMENTS, ast.Return)
def lower_return(lowering: Lowering, node: ast.Return) -> None:
    frame = lowering.frame
    if frame.region_depth:
        lowering.at(node)
        raise refuse(
            "Return statement is not allowed in nested blocks",
            help="Return at the end of the function; bind the result before the runtime if or "
            "loop and re-bind it inside.",
        )
    value = None if node.value is None else lowering.expression(node.value)
    if frame.is_kernel and value is not None:
        lowering.at(node)
        raise refuse(
            "JIT kernel function cannot return objects",
            help="Store results with copy_out; a kernel launch returns nothing.",
        )
    lowering.at(node)
    frame.result = _results(lowering, value)
    frame.returned = True


def _results(lowering: Lowering, value: Any) -> Any:
    """What a call of the function gives: None, one IR value, or a list of them (spec §2.9)."""
    if value is None or language.is_ir(value) and not hasattr(type(value), "__iter__"):
        return value
    if hasattr(type(value), "__iter__"):
        return [language.materialised(lowering.builder, item, "returned") for item in value]
    return language.materialised(lowering.builder, value, "returned")


@lowers(STATEMENTS, ast.Assert)
def lower_assert(lowering: Lowering, node: ast.Assert) -> None:
    """Every assert is a device_assert; its message is always evaluated (spec §11.2)."""
    test = lowering.expression(node.test)
    message = None if node.msg is None else lowering.expression(node.msg)
    if language.is_ir(test):
        lowering.warn(
            node,
            "an assert of a runtime value acts on the device, which generations before asctile "
            "refuse",
            help="Guard the code with an if statement, or check on the host.",
            code="portability-generation",
        )
    lowering.at(node)
    language.device_assert(test, message)


@lowers(STATEMENTS, ast.With)
def lower_with(lowering: Lowering, node: ast.With) -> None:
    """The body works on a copy of the scope; what it binds ends with it (spec §2.8)."""
    if len(node.items) != 1:
        lowering.at(node, node.items[-1].context_expr)
        raise refuse(
            f"'with' takes exactly one item, got {len(node.items)}", help="Nest the with blocks."
        )
    item = node.items[0]
    context_manager = lowering.expression(item.context_expr)
    lowering.at(item.context_expr)
    entered = context_manager.__enter__()
    frame = lowering.frame
    outer, inner = frame.scope, frame.scope.child()
    frame.scope = inner
    if isinstance(item.optional_vars, ast.Name):
        bind(lowering, item.optional_vars.id, entered, item.optional_vars)
    try:
        lowering.statements(node.body)
    except BaseException:
        context_manager.__exit__(None, None, None)
        raise
    frame.scope = outer
    lowering.at(item.context_expr)
    context_manager.__exit__(None, None, None)
    outer.lose(inner, "with block", node.lineno)
