"""Lowering of calls (spec asc2 §2.10): plain callables act at once, jit functions are inlined.

What it is: argument evaluation, and the frame of a jit function called from a kernel.
What it is not: the operations themselves (ascemu.dsl).
Invariant: an inlined function sees its parameters, its own module's globals and the builtins, and
every value it returns is an IR value.
"""

from __future__ import annotations

import ast
import types
from collections.abc import Mapping, Sequence
from typing import Any

from ascemu.frontend import language
from ascemu.frontend.faults import annotated, refuse
from ascemu.frontend.function import Parameter, TraceableFunction
from ascemu.frontend.lowering import EXPRESSIONS, Lowering, lowers
from ascemu.frontend.scope import Frame

_CHANGES = ("append", "extend", "insert", "pop", "remove", "clear", "update", "setdefault")


@lowers(EXPRESSIONS, ast.Call)
def lower_call(lowering: Lowering, node: ast.Call) -> Any:
    callee = lowering.expression(node.func)
    args, kwargs = call_arguments(lowering, node)
    _tell_change_of_list(lowering, callee, args, node)
    lowering.at(node)
    if isinstance(callee, TraceableFunction):
        return inline(lowering, callee, args, kwargs, node)
    if not callable(callee):
        raise refuse(f"an object of type {type(callee).__name__} is not callable")
    return callee(*args, **kwargs)


def _tell_change_of_list(
    lowering: Lowering, callee: Any, args: Sequence[Any], node: ast.Call
) -> None:
    """A method that changes a Python list acts once for a runtime loop or branch (spec §2.10).

    Silent where it puts in an IR value: reading that outside the region is an error of its own.
    """
    if not isinstance(callee, types.BuiltinMethodType) or callee.__name__ not in _CHANGES:
        return
    changed = node.func.value if isinstance(node.func, ast.Attribute) else None
    if not isinstance(callee.__self__, (list, dict)) or not isinstance(changed, ast.Name):
        return
    frame = lowering.frame
    if any(language.is_ir(value) for value in args):
        return
    if frame.region_depth and changed.id not in frame.scope.bound:
        kind = type(callee.__self__).__name__
        lowering.warn(
            node,
            f"'{changed.id}' is a Python {kind} and {callee.__name__} changes it once, while the "
            "kernel is traced, not at every passage of this runtime loop or branch",
            help="Use static_range and compile-time conditions, or keep the values in a tensor.",
        )


def call_arguments(lowering: Lowering, node: ast.Call) -> tuple[list[Any], dict[str, Any]]:
    """The evaluated arguments; `*seq` is unpacked, `**kw` is a TypeError."""
    args: list[Any] = []
    for argument in node.args:
        if isinstance(argument, ast.Starred):
            args.extend(lowering.expression(argument.value))
        else:
            args.append(lowering.expression(argument))
    kwargs: dict[str, Any] = {}
    for keyword in node.keywords:
        if keyword.arg is None:
            lowering.at(keyword.value)
            error = TypeError("keyword arguments cannot be unpacked with ** in JIT function")
            raise annotated(error, "unsupported-syntax", "Write the keyword arguments out.")
        kwargs[keyword.arg] = lowering.expression(keyword.value)
    return args, kwargs


def inline(
    lowering: Lowering,
    callee: TraceableFunction,
    args: Sequence[Any],
    kwargs: Mapping[str, Any],
    node: ast.AST | None,
) -> Any:
    """Trace a jit function at its call: None, an IR value, or a list of several results.

    TypeError where the arguments do not bind or have a type that cannot be passed, RuntimeError
    where ConstExpr[...] asks for another type, UnsupportedSyntaxError for recursion.
    """
    if any(frame.source is callee.source for frame in lowering.frames):
        raise refuse(
            f"the jit function '{callee.source.name}' calls itself; recursion is not supported",
            help="Write a loop.",
        )
    bound = callee.signature.bind(*args, **kwargs)
    bound.apply_defaults()
    constants: dict[str, Any] = {}
    values: dict[str, Any] = {}
    for parameter in callee.parameters:
        value = bound.arguments[parameter.name]
        if language.is_constexpr(value) or parameter.is_constant:
            constants[parameter.name] = _constant(parameter, value)
        else:
            values[parameter.name] = _passed(lowering, parameter, value)
    _tell_specialisation(lowering, callee, constants, values, node)
    frame = Frame(callee.source, lowering.source_id(callee.source), constants, is_kernel=False)
    frame.scope.names.update(values)
    lowering.builder.push_call()
    lowering.frames.append(frame)
    lowering.statements(callee.source.node.body)
    lowering.frames.pop()
    lowering.builder.pop_call()
    return frame.result


def _constant(parameter: Parameter, value: Any) -> Any:
    if language.is_constexpr(value):
        return language.unwrap_constexpr(value)
    parameter.check_constant(value)
    return value


def _passed(lowering: Lowering, parameter: Parameter, value: Any) -> Any:
    if language.is_struct(value):
        return value
    try:
        return language.materialised(lowering.builder, value, "passed")
    except TypeError as error:
        raise annotated(
            TypeError(
                f"argument '{parameter.name}' of a jit function must be an IR value or a number, "
                f"got {type(value).__name__}"
            ),
            "bad-argument-type",
            f"Annotate the parameter: {parameter.name}: asc.ConstExpr.",
        ) from error


def _tell_specialisation(
    lowering: Lowering,
    callee: TraceableFunction,
    constants: Mapping[str, Any],
    values: Mapping[str, Any],
    node: ast.AST | None,
) -> None:
    """A device compiler re-uses the first specialisation of every bare function name."""
    name = callee.source.name
    key = (
        id(callee.source),
        tuple((name, type(value), repr(value)) for name, value in constants.items()),
        tuple((name, language.type_key(value)) for name, value in values.items()),
    )
    first = lowering.specialisations.setdefault(name, key)
    if first != key and node is not None:
        lowering.warn(
            node,
            f"'{name}' is called with other constants or argument types than before; a device "
            "compiler re-uses the code of its first call",
            help="Give each variant a jit function with a name of its own.",
        )
        lowering.at(node)
