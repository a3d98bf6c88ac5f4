"""`trace`: one kernel with its constants and the kinds of its runtime arguments becomes a program.

What it is: the loop of attempts around one Lowering, parameters, and the exit of every error.
What it is not: the cache of programs (launch/cache.py).
Invariant: an Exception that escapes has a `.diagnostic` and, in `.warnings`, what was found before.
"""

from __future__ import annotations

import threading
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from ascemu._core import Builder, Program
from ascemu.frontend import (  # noqa: F401  (each registers its nodes)
    branches,
    calls,
    expressions,
    language,
    loops,
    statements,
)
from ascemu.frontend.faults import Respecialise, located
from ascemu.frontend.function import TraceableFunction
from ascemu.frontend.guesses import Guesses
from ascemu.frontend.lowering import Lowering
from ascemu.frontend.names import Dependency
from ascemu.frontend.scope import Frame
from ascemu.policy import Policy

_MOST_ATTEMPTS = 1000


class _Active(threading.local):
    """The traces in progress in this thread, innermost last."""

    def __init__(self) -> None:
        self.lowerings: list[Lowering] = []


_active = _Active()


@dataclass(frozen=True)
class RuntimeParameter:
    """A parameter that gets its value at run time: an array or a scalar of a dtype, or a struct."""

    name: str
    kind: str  # "array", "scalar", "struct"
    dtype: str = ""
    struct: Any = None  # the Struct class


@dataclass(frozen=True)
class TracedKernel:
    """A kernel that was traced but whose program is not finished."""

    builder: Builder
    dependencies: list[Dependency]

    def finish(self) -> Program:
        """The program; raises what the compiler passes refuse, with `.diagnostic` (spec §1.6)."""
        try:
            return self.builder.finish()
        except Exception as error:
            diagnostic = getattr(error, "ascemu_diagnostic", None)
            if diagnostic is not None:
                error.diagnostic = diagnostic  # type: ignore[attr-defined]
                error.args = (str(diagnostic),)
            error.warnings = self.builder.findings()  # type: ignore[attr-defined]
            raise


def trace(
    function: TraceableFunction,
    constants: Mapping[str, Any],
    parameters: Sequence[RuntimeParameter],
    options: Mapping[str, Any],
    policy: Policy,
    namespace: str = "asctile",
) -> TracedKernel:
    """Lower `function` (spec asc2 §2).

    `constants` are the values of compile-time parameters by name, `parameters` the others, both in
    the order of the signature; a parameter in neither is undefined. `options` are those of `jit`,
    `policy` is what the program is made for.
    Errors: CodegenError with the original as `__cause__` (the original itself, when
    `capture_exceptions` is False), UnsupportedSyntaxError.
    """
    guesses = Guesses()
    for _ in range(_MOST_ATTEMPTS):
        try:
            return _attempt(function, constants, parameters, options, policy, namespace, guesses)
        except Respecialise:
            continue
    raise RuntimeError(
        f"ascemu cannot settle which names the loops of '{function.source.name}' carry"
    )


def _attempt(
    function: TraceableFunction,
    constants: Mapping[str, Any],
    parameters: Sequence[RuntimeParameter],
    options: Mapping[str, Any],
    policy: Policy,
    namespace: str,
    guesses: Guesses,
) -> TracedKernel:
    source = function.source
    builder = Builder(source.name, *policy, is_asc2=namespace == "asc2")
    context = language.trace_context(builder, options, namespace)
    table = options.get("custom_builtins") or language.visible_builtins()
    caching = not options.get("always_compile", False)
    lowering = Lowering(builder, context, table, guesses, caching)
    frame = Frame(source, lowering.source_id(source), dict(constants), is_kernel=True)
    lowering.frames.append(frame)
    lowering.at(source.header)
    _active.lowerings.append(lowering)
    try:
        with language.active(context):
            _add_parameters(lowering, parameters)
            _tell_string_annotations(lowering, function)
            lowering.statements(source.node.body)
    except Exception as error:
        capture = bool(options.get("capture_exceptions", True))
        failure = located(error, builder, capture)
        failure.warnings = builder.findings()  # type: ignore[attr-defined]
        if failure is error:
            raise
        raise failure from error
    finally:
        _active.lowerings.pop()
    return TracedKernel(builder, lowering.names.dependencies)


def _add_parameters(lowering: Lowering, parameters: Sequence[RuntimeParameter]) -> None:
    """Declare every parameter before the first statement is made."""
    builder = lowering.builder
    names = lowering.frame.scope.names
    structs = {}
    for parameter in parameters:
        name = parameter.name
        if parameter.kind == "array":
            names[name] = language.wrap(builder.array_param(name, parameter.dtype))
        elif parameter.kind == "scalar":
            names[name] = language.wrap(builder.scalar_param(name, parameter.dtype))
        else:
            structs[name] = (
                parameter.struct,
                {
                    field: builder.scalar_param(f"{name}.{field}", description.dtype.name)
                    for field, description in parameter.struct.fields().items()
                },
            )
    for name, (kind, fields) in structs.items():
        names[name] = language.kernel_struct(kind, fields)


def _tell_string_annotations(lowering: Lowering, function: TraceableFunction) -> None:
    for parameter in function.signature.parameters.values():
        if isinstance(parameter.annotation, str):
            lowering.warn(
                function.source.header,
                "the annotations of this kernel are strings, which a device front end cannot read",
                help="Remove `from __future__ import annotations` from the kernel's file.",
            )
            return


def inline_in_active_trace(function: TraceableFunction, args: Any, kwargs: Any) -> Any:
    """Inline a jit function that plain Python code called while a kernel was being traced."""
    return calls.inline(_active.lowerings[-1], function, args, kwargs, None)


def is_tracing() -> bool:
    """Whether a kernel is being traced."""
    return bool(_active.lowerings)
