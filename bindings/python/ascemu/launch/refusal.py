"""A launch that is refused before anything runs: the diagnostic, at the line that launches.

What it is: how an exception of the launch itself (binding, classification, options, marshalling)
gets its `.diagnostic`. What it is not: errors of the trace, which have theirs already.
Invariant: an exception class that the language names stays that class; anything else is a bug of
ascemu and says so.
"""

from __future__ import annotations

import linecache
import os
import sys
import traceback
from typing import Any

from ascemu import _core
from ascemu.errors import KernelError

_PACKAGE = os.path.dirname(os.path.dirname(os.path.abspath(__file__))) + os.sep
_LANGUAGE = (TypeError, ValueError, RuntimeError, OverflowError)


def refused(error: Exception, kernel: str) -> Exception:
    """`error` with a diagnostic; a KernelError in its place where it can only be our bug."""
    if hasattr(error, "diagnostic"):
        return error
    if isinstance(error, OSError):
        return error
    if type(error) in _LANGUAGE:
        diagnostic = _at_launch("bad-launch", f"{kernel}: {error}", exception=type(error).__name__)
        error.args = (str(diagnostic),)
        error.diagnostic = diagnostic  # type: ignore[attr-defined]
        return error
    last = traceback.extract_tb(error.__traceback__)[-1]
    diagnostic = _at_launch(
        "internal-error",
        f"{kernel}: {type(error).__name__}: {error}",
        notes=[f"raised in {last.name}, {os.path.basename(last.filename)}:{last.lineno}"],
    )
    internal = KernelError(str(diagnostic))
    internal.diagnostic = diagnostic
    internal.__cause__ = error
    return internal


def overlapping(first: str, second: str) -> ValueError:
    """Two arguments overlap without being the same array (spec asc2 §12.9)."""
    error = ValueError()
    diagnostic = _at_launch(
        "overlapping-arguments",
        f"the arguments '{first}' and '{second}' overlap without being the same array",
    )
    error.args = (str(diagnostic),)
    error.diagnostic = diagnostic  # type: ignore[attr-defined]
    return error


def _at_launch(code: str, message: str, **more: Any) -> _core.Diagnostic:
    """A diagnostic at the line outside ascemu that launched the kernel."""
    frame = sys._getframe(1)
    while frame is not None and frame.f_code.co_filename.startswith(_PACKAGE):
        frame = frame.f_back
    if frame is None:
        return _core.make_diagnostic(code, message, **more)
    path, line = frame.f_code.co_filename, frame.f_lineno
    text = linecache.getline(path, line, frame.f_globals)
    start = len(text) - len(text.lstrip())
    return _core.make_diagnostic(
        code,
        message,
        path=path,
        text=text,
        first_line=line,
        line=line,
        column=len(text[:start].encode()),
        end_line=line,
        end_column=len(text.rstrip().encode()),
        **more,
    )
