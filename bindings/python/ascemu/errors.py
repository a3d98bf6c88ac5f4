"""The exception classes of the language and of ascemu.

What it is: classes only; `asc.codegen.errors` exports the first two. Any of them, like every other
exception that a launch raises, may carry `.diagnostic` (an `ascemu.Diagnostic`); where it does,
`str(exception)` is the rendered text.
What it is not: the place that decides which class a fault raises; that is interp/diag/codes.def.
Invariant: importing this module does not import the compiled core.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from ascemu._core import Diagnostic


class _Rendered(Exception):
    """An exception whose text is its diagnostic's, where it has one."""

    diagnostic: Diagnostic | None

    def __init__(self, *args: Any, diagnostic: Diagnostic | None = None) -> None:
        super().__init__(*args)
        self.diagnostic = diagnostic

    def __str__(self) -> str:
        return super().__str__() if self.diagnostic is None else str(self.diagnostic)

    def __reduce__(self) -> tuple[Any, ...]:
        # A diagnostic belongs to its process; what travels to another one is the rendered text.
        return type(self), (str(self),)


class CodegenError(_Rendered):
    """A kernel was refused while it was traced; `__cause__` is the original error, if any."""


class UnsupportedSyntaxError(CodegenError):
    """A kernel holds Python syntax that the language does not have (spec asc2 §2)."""


class KernelError(_Rendered, RuntimeError):
    """A finding at run time that the language itself has no exception type for."""


class BinaryOperandTypeError(_Rendered, TypeError):
    """The operands of a binary operator have types it does not take (spec asc2 §2.4)."""


class OffsetsError(_Rendered, ValueError, RuntimeError):
    """The number of offsets does not match the rank; sources disagree on the class, so both."""


def not_supported_here(message: str, remedy: str = "") -> NotImplementedError:
    """A NotImplementedError with an Unsupported diagnostic: the limit is ascemu's."""
    from ascemu._core import make_diagnostic

    diagnostic = make_diagnostic("not-supported-here", message, help=remedy)
    error = NotImplementedError(str(diagnostic))
    error.diagnostic = diagnostic  # type: ignore[attr-defined]
    return error
