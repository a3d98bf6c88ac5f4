"""Exceptions of the kernel language as the Python side makes them.

What it is: one constructor, so that every refusal carries its diagnostic code, notes and remedy
just as the builder's faults do. What it is not: rendering; the front end turns the attributes into
a Diagnostic. Invariant: an exception made here has `ascemu_code`, `ascemu_notes` and `ascemu_help`.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, TypeVar

E = TypeVar("E", bound=BaseException)


def fault(
    exception: type[E], code: str, message: str, *, help: str = "", notes: Sequence[str] = ()
) -> E:
    """An exception of that class with the attributes that the front end reads."""
    error: Any = exception(message)
    error.ascemu_code = code
    error.ascemu_notes = list(notes)
    error.ascemu_help = help
    return error


def wrong_type(message: str, *, help: str = "") -> TypeError:
    """TypeError: an argument of a Python class that the operation does not take."""
    return fault(TypeError, "bad-argument-type", message, help=help)


def wrong_value(message: str, *, help: str = "") -> ValueError:
    """ValueError: an argument with a value that the operation does not take."""
    return fault(ValueError, "bad-argument-value", message, help=help)


def missing_operator(message: str, *, help: str = "") -> AttributeError:
    """AttributeError: the operand's class lacks the operator (spec asc2 §2.4)."""
    return fault(AttributeError, "bad-argument-type", message, help=help)


def not_on_device(message: str, *, help: str) -> NotImplementedError:
    """NotImplementedError: the device front end lacks the operator (spec asc2 §2.1, §2.4)."""
    return fault(NotImplementedError, "bad-scalar-operation", message, help=help)
