"""Printing and assertions, at run time (device_) and while tracing (static_) (spec asc2 §11.2)."""

from __future__ import annotations

import builtins
from typing import Any

from ascemu._core import Value
from ascemu.dsl.context import current
from ascemu.dsl.faults import fault, wrong_type, wrong_value
from ascemu.dsl.global_tensor import GlobalTensor
from ascemu.dsl.local_tensor import LocalTensor
from ascemu.dsl.values import IRValue, PlainValue, condition, describe


def _text_arg(name: str, value: Any, default: str) -> str:
    if value is None:
        return default
    if not isinstance(value, str):
        raise wrong_type(f"'{name}' argument must be str or None, got {describe(value)}")
    return value


def device_print(*values: Any, sep: str | None = None, end: str | None = None) -> None:
    """Print at run time, when the jit option debug is on; output comes ordered by block.

    Scalars print as numbers, tensors whole and on lines of their own, anything else as str() gives
    it while tracing. sep (a space unless given) stands between values and end (a new line) after
    them. TypeError: sep or end no str. ValueError: a pointer (spec asc2 §11.2).
    """
    context = current("device_print")
    between, after = _text_arg("sep", sep, " "), _text_arg("end", end, "\n")
    parts: list[str | Value] = []
    pending: list[str | Value] = []
    for value in values:
        if isinstance(value, (LocalTensor, GlobalTensor)):
            parts += _flush(pending, after) + [value.value]
            pending = []
        else:
            pending += ([between] if pending and between else []) + [_part(value)]
    parts += _flush(pending, after)
    if context.debug and parts:
        context.builder.print(parts)


def _part(value: Any) -> str | Value:
    if isinstance(value, PlainValue):
        return value.value
    if isinstance(value, IRValue):
        raise wrong_value(f"{describe(value)} cannot be printed")
    return str(int(value) if isinstance(value, bool) else value)


def _flush(pending: list[str | Value], after: str) -> list[str | Value]:
    return [*pending, after] if pending and after else pending


def device_assert(test: Any, message: str | None = None) -> None:
    """Fail at run time where `test` is false, when the jit option debug is on.

    test is a number, or an integer PlainValue. NotImplementedError: a float PlainValue. ValueError:
    a tensor. TypeError: another class, message no str (spec asc2 §11.2).
    """
    context = current("device_assert")
    if isinstance(test, IRValue) and not isinstance(test, PlainValue):
        raise wrong_value(
            f"{describe(test)} cannot be asserted", help="Reduce it to a scalar first."
        )
    value = condition(test)
    text = _text_arg("message", message, "")
    if context.debug:
        context.builder.device_assert(value, text)


def static_print(*args: Any, **kwargs: Any) -> None:
    """Python's print, while tracing; works on the host too."""
    builtins.print(*args, **kwargs)


def static_assert(test: Any, message: str | None = None) -> None:
    """Fail while tracing where `test` is false, whatever debug is; works on the host too.

    AssertionError: false. TypeError: a runtime value, message no str (spec asc2 §11.1).
    """
    if isinstance(test, IRValue):
        raise wrong_type(
            f"static_assert needs a value known while tracing, got {describe(test)}",
            help="Use device_assert for runtime values.",
        )
    text = _text_arg("message", message, "")
    if not test:
        raise fault(AssertionError, "static-assertion", text)


def _print(*values: Any, sep: str | None = None, end: str | None = None) -> None:
    device_print(*values, sep=sep, end=end)


_print.__name__ = _print.__qualname__ = "print"
_print.__doc__ = device_print.__doc__
kernel_print = _print
