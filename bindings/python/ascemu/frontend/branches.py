"""Lowering of `if` and of the conditional expression (spec asc2 §2.5).

What it is: compile-time choice, and the merge of names that a runtime `if` re-binds.
What it is not: the type rules of merged values, which are the Builder's.
Invariant: after a runtime `if`, a re-bound name holds an IR value, every other name what it held.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable
from typing import Any

from ascemu.frontend import language
from ascemu.frontend.faults import Respecialise, annotated, refuse
from ascemu.frontend.lowering import EXPRESSIONS, STATEMENTS, Lowering, lowers
from ascemu.frontend.rebinding import names_bound
from ascemu.frontend.scope import Scope

_RESULT = "result dtype"
_DIVISIONS = (ast.Div, ast.FloorDiv, ast.Mod)


@lowers(STATEMENTS, ast.If)
def lower_if(lowering: Lowering, node: ast.If) -> None:
    test = lowering.expression(node.test)
    lowering.at(node.test)
    condition = language.condition(lowering.builder, test)
    if isinstance(condition, bool):
        lowering.statements(node.body if condition else node.orelse)
        return
    frame = lowering.frame
    outer = frame.scope
    variables = _merge_variables(lowering, outer, names_bound([*node.body, *node.orelse]))
    lowering.at(node.test)
    lowering.builder.begin_if(condition)
    then_scope = _branch(lowering, node.body, outer, variables)
    scopes = [then_scope]
    if node.orelse:
        lowering.builder.begin_else()
        scopes.append(_branch(lowering, node.orelse, outer, variables))
    lowering.at(node.test)
    lowering.builder.end_if()
    merged = {
        name: binding
        for scope in scopes
        for name, binding in scope.bound.items()
        if name in outer.names
    }
    for scope in scopes:
        outer.lose(scope, "runtime if", node.lineno, merged)
    for name, binding in merged.items():
        outer.bind(name, language.wrap(variables[name]), binding)


def _merge_variables(lowering: Lowering, outer: Scope, names: Iterable[str]) -> dict[str, Any]:
    """Builder variables, holding the present values, for the names that may be re-bound."""
    variables = {}
    for name in sorted(names):
        initial = language.unwrap_constexpr(outer.names.get(name))
        if language.can_vary(initial):
            variables[name] = language.variable(lowering.builder, initial, name)
    return variables


def _branch(
    lowering: Lowering, statements: list[ast.stmt], outer: Scope, variables: dict[str, Any]
) -> Scope:
    """Lower one branch in a scope of its own and assign what it re-bound to the variables."""
    frame = lowering.frame
    inner = frame.scope = outer.child()
    frame.region_depth += 1
    lowering.statements(statements)
    frame.region_depth -= 1
    frame.scope = outer
    rebound = [name for name in inner.bound if name in outer.names]
    assign_variables(lowering, outer, inner, rebound, variables)
    return inner


def assign_variables(
    lowering: Lowering, outer: Scope, inner: Scope, names: list[str], variables: dict[str, Any]
) -> None:
    """At the end of a region: give every re-bound name's new value to its variable, in parallel.

    UnsupportedSyntaxError where the Python type changed, TypeError where the value is no number
    and no IR value, RuntimeError where dtype or shape changed (spec §2.5).
    """
    targets, values = [], []
    for name in names:
        initial = language.unwrap_constexpr(outer.names[name])
        value = language.unwrap_constexpr(inner.names[name])
        lowering.at(inner.bound[name])
        _check_identity(name, initial, value)
        new = language.materialised(lowering.builder, value, "materialised").value
        language.check_mergeable(name, variables[name], new)
        targets.append(variables[name])
        values.append(new)
    if targets:
        lowering.builder.assign(targets, values)


def _check_identity(name: str, initial: Any, value: Any) -> None:
    old, new = language.identity_type(initial), language.identity_type(value)
    if old is not new:
        raise refuse(
            f"'{name}' was re-assigned to an object with different type: initial type is "
            f"{old.__name__}, new type is {new.__name__}",
            code="type-changed",
        )
    if not language.can_vary(initial):
        wide = f" ({initial} is outside int32)" if isinstance(initial, int) else ""
        error = TypeError(f"Unsupported value type for materialization: {old.__name__}{wide}")
        raise annotated(error, "bad-argument-type")


@lowers(EXPRESSIONS, ast.IfExp)
def lower_conditional(lowering: Lowering, node: ast.IfExp) -> Any:
    test = lowering.expression(node.test)
    lowering.at(node.test)
    condition = language.condition(lowering.builder, test)
    if isinstance(condition, bool):
        return lowering.expression(node.body if condition else node.orelse)
    _tell_both_sides(lowering, node)
    lowering.at(node.test)
    here = lowering.occurrence(node)
    dtype = lowering.guesses.about(here, _RESULT) or "int32"
    variable = language.zero_variable(lowering.builder, dtype)
    lowering.builder.begin_if(condition)
    first = _arm(lowering, node.body)
    if first.dtype != dtype:
        lowering.guesses.learn(here, _RESULT, first.dtype)
        raise Respecialise
    lowering.builder.assign([variable], [first])
    lowering.builder.begin_else()
    second = _arm(lowering, node.orelse)
    if second.dtype != dtype:
        lowering.at(node)
        raise refuse(
            f"Conditional operator has inconsistent result types: {first.dtype} / {second.dtype}",
            help="Give both sides the same dtype, for example with asc2.number(value, dtype).",
        )
    lowering.builder.assign([variable], [second])
    lowering.at(node)
    lowering.builder.end_if()
    return language.wrap(variable)


def _tell_both_sides(lowering: Lowering, node: ast.IfExp) -> None:
    """A device compiler evaluates both sides, also the one that the condition guards (§2.5)."""
    for side in (node.body, node.orelse):
        for part in ast.walk(side):
            if isinstance(part, ast.Call):
                name = part.func.attr if isinstance(part.func, ast.Attribute) else ""
                what = f"{name} reads memory" if name in ("copy_in", "load") else ""
            else:
                divides = isinstance(part, ast.BinOp) and isinstance(part.op, _DIVISIONS)
                what = "it divides" if divides and not _is_constant(part.right) else ""
            if what:
                lowering.warn(
                    part,
                    f"this side of the conditional is evaluated only if it is chosen, but {what}, "
                    "and a device compiler evaluates both sides",
                    help="Use an if statement that re-binds a name.",
                )


def _is_constant(node: ast.AST) -> bool:
    return isinstance(node, ast.Constant)


def _arm(lowering: Lowering, node: ast.expr) -> Any:
    """The materialised number of one side of a runtime conditional, as a builder value."""
    value = lowering.expression(node)
    lowering.at(node)
    result = language.materialised(lowering.builder, value, "materialised")
    if not language.is_scalar(result):
        raise refuse(
            f"Conditional operator with a runtime condition takes numbers, got "
            f"{type(result).__name__}",
            help="Re-bind a name in an if statement instead, or use where().",
        )
    return result.value
