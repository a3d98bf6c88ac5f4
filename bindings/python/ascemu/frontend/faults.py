"""The exceptions of the front end and how any exception gets its diagnostic.

What it is: constructors and the one translation from a Python exception to a diagnostic code.
What it is not: rendering, which the compiled core does.
Invariant: an exception that leaves here through `located` has a `.diagnostic`.
"""

from __future__ import annotations

import os
import traceback
from collections.abc import Sequence
from typing import Any

from ascemu.errors import CodegenError, KernelError, UnsupportedSyntaxError

_FRONTEND = os.path.dirname(os.path.abspath(__file__)) + os.sep
_PACKAGE = os.path.dirname(os.path.dirname(_FRONTEND)) + os.sep
# The functions of the front end that act on the kernel's own objects: what C code called from there
# raises is the kernel's fault. Elsewhere an exception without a code is ours.
_ACTING = frozenset(
    {
        "assign",
        "call_arguments",
        "inline",
        "lower_attribute",
        "lower_call",
        "lower_formatted_value",
        "lower_joined_string",
        "lower_subscript",
        "lower_with",
        "materialised",
        "set_attribute",
        "unpack",
        "_results",
        "_runtime_for",
        "_unroll",
        "lower_for",
    }
)

# The code of an exception that brings none along, by the first class that fits.
_CODES: tuple[tuple[type[BaseException], str], ...] = (
    (NameError, "unknown-name"),
    (RecursionError, "nesting-limit"),
    (AssertionError, "static-assertion"),
    (TypeError, "bad-argument-type"),
    (ValueError, "bad-argument-value"),
)


class Respecialise(BaseException):
    """A guess about a loop-carried name was wrong: the trace starts again with the right one.

    Not an Exception, so that no code of the kernel's world catches it.
    """


def annotated(error: Exception, code: str, help: str = "", notes: Sequence[str] = ()) -> Exception:
    """`error` with the attributes that faults of the Builder carry."""
    error.ascemu_code = code  # type: ignore[attr-defined]
    error.ascemu_help = help  # type: ignore[attr-defined]
    error.ascemu_notes = list(notes)  # type: ignore[attr-defined]
    return error


def refuse(
    message: str, *, code: str = "unsupported-syntax", help: str = "", notes: Sequence[str] = ()
) -> Exception:
    """An UnsupportedSyntaxError, to be raised."""
    return annotated(UnsupportedSyntaxError(message), code, help, notes)


def code_of(error: BaseException) -> str:
    """The slug of interp/diag/codes.def that `error` stands for."""
    code = getattr(error, "ascemu_code", None)
    if isinstance(code, str) and code:
        return code
    if isinstance(error, UnsupportedSyntaxError):
        return "unsupported-syntax"
    for kind, slug in _CODES:
        if isinstance(error, kind):
            return slug
    return "python-error"


def message_of(error: BaseException) -> str:
    """One sentence: `OriginalType: original message`, as the language words it."""
    text = " ".join(str(error).split())
    if isinstance(error, RecursionError):
        return "the kernel is nested too deeply to be traced"
    if isinstance(error, UnsupportedSyntaxError):
        return text
    return f"{type(error).__name__}: {text}" if text else type(error).__name__


def located(error: Exception, builder: Any, capture: bool) -> Exception:
    """What is raised for `error`, which arose at the builder's current position (spec §1.6).

    UnsupportedSyntaxError stays itself; everything else becomes a CodegenError with `error` as its
    cause, or stays itself when `capture` is False.
    """
    if _is_internal(error):
        return _internal(error, builder)
    notes = list(getattr(error, "ascemu_notes", ())) + _foreign_place(error)
    diagnostic = builder.diagnostic(
        code_of(error), message_of(error), notes=notes, help=getattr(error, "ascemu_help", "") or ""
    )
    if isinstance(error, CodegenError):
        error.args = (str(diagnostic),)
        error.diagnostic = diagnostic
        return error
    if not capture:
        try:
            error.diagnostic = diagnostic  # type: ignore[attr-defined]
        except AttributeError:
            pass
        return error
    wrapped = CodegenError(str(diagnostic))
    wrapped.diagnostic = diagnostic
    wrapped.__cause__ = error
    return wrapped


def _is_internal(error: Exception) -> bool:
    """Whether the error can only come from a bug of the front end itself."""
    if isinstance(error, (CodegenError, RecursionError)) or hasattr(error, "ascemu_code"):
        return False
    frames = traceback.extract_tb(error.__traceback__)
    if not frames or not frames[-1].filename.startswith(_FRONTEND):
        return False
    return frames[-1].name not in _ACTING


def _internal(error: Exception, builder: Any) -> KernelError:
    last = traceback.extract_tb(error.__traceback__)[-1]
    place = f"raised in {last.name}, {os.path.basename(last.filename)}:{last.lineno}"
    message = f"{type(error).__name__}: {error}"
    diagnostic = builder.diagnostic("internal-error", message, notes=[place])
    return KernelError(str(diagnostic), diagnostic=diagnostic)


def _foreign_place(error: Exception) -> list[str]:
    """Where in plain Python code, called while tracing, the error arose; empty for our own."""
    frames = traceback.extract_tb(error.__traceback__)
    if not frames or frames[-1].filename.startswith(_PACKAGE):
        return []
    last = frames[-1]
    return [f"raised in {last.name}, {last.filename}:{last.lineno}"]
