"""A function of the kernel language: its source, its signature and which parameters are constants.

What it is: what the front end and the launch need to know of a decorated function.
What it is not: launching (launch/jit.py) or tracing.
Invariant: only the annotation ConstExpr (bare or with type arguments) has a meaning (spec §1.3).
"""

from __future__ import annotations

import inspect
import types
import typing
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from ascemu.dsl.constexpr import ConstExpr
from ascemu.frontend.capture import Source, capture
from ascemu.frontend.faults import annotated


@dataclass(frozen=True)
class Parameter:
    """One parameter of a kernel or jit function."""

    name: str
    is_constant: bool
    types: tuple[type, ...] = ()  # what ConstExpr[...] asks for; empty: anything

    def check_constant(self, value: Any) -> None:
        """RuntimeError where the annotation asks for other types (spec §1.3)."""
        if self.types and not isinstance(value, self.types):
            wanted = ", ".join(kind.__name__ for kind in self.types)
            error = RuntimeError(
                f"ConstExpr[{wanted}] is required for '{self.name}' argument, "
                f"{type(value).__name__} was provided: {value!r}"
            )
            raise annotated(error, "bad-argument-type")


class TraceableFunction:
    """A plain function that can be traced as a kernel or inlined into one."""

    def __init__(self, fn: Any) -> None:
        """TypeError, OSError, RuntimeError: see frontend.capture."""
        self.source: Source = capture(fn)
        self.fn = fn
        self.signature = inspect.signature(fn)
        self._parameters: tuple[Parameter, ...] | None = None

    @property
    def parameters(self) -> tuple[Parameter, ...]:
        if self._parameters is None:
            self._parameters = tuple(
                _classified(name, parameter.annotation, self.fn)
                for name, parameter in self.signature.parameters.items()
            )
        return self._parameters


def _classified(name: str, annotation: Any, fn: Any) -> Parameter:
    if isinstance(annotation, str):
        annotation = _evaluated(annotation, fn)
    kind = typing.get_origin(annotation) or annotation
    if isinstance(kind, type) and issubclass(kind, ConstExpr):
        return Parameter(name, True, tuple(_classes(typing.get_args(annotation))))
    return Parameter(name, False)


def _classes(arguments: Iterable[Any]) -> Iterator[type]:
    """The classes among type arguments, those of a union one by one."""
    for argument in arguments:
        kind = typing.get_origin(argument)
        if kind is typing.Union or kind is types.UnionType:
            yield from _classes(typing.get_args(argument))
        elif isinstance(kind or argument, type):
            yield kind or argument


def _evaluated(annotation: str, fn: Any) -> Any:
    """The object a string annotation stands for, None where it cannot be told."""
    closure = inspect.getclosurevars(fn).nonlocals if fn.__closure__ else {}
    try:
        return eval(annotation, fn.__globals__, closure)
    except Exception:
        return None
