"""Name lookup in kernels, and the record of everything outside the kernel that it read.

What it is: spec asc2 §2.2 and §11.2: locals, ConstExpr parameters, closure, module globals, the
listed builtins; then the error with what was probably meant.
What it is not: the cache that compares the record with the present (launch/cache.py).
Invariant: every value taken from a closure, a module global or an attribute of either is recorded.
"""

from __future__ import annotations

import ast
import builtins
import difflib
import types
from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

from ascemu.frontend.faults import annotated
from ascemu.frontend.scope import Frame

_OWN_PACKAGES = ("ascemu", "asc", "asc2", "asctile", "typing")


class Dependency(NamedTuple):
    """Something read outside the kernel; `holder`: a namespace dict, a cell or an object."""

    holder: Any
    name: str
    value: Any


class Missing:
    """The value of a name that has none."""


class Names:
    """The lookups of one trace."""

    def __init__(
        self,
        visible_builtins: Mapping[str, Any],
        unwrap: Callable[[Any], Any],
        on_plain_callable: Callable[[str, ast.AST], None],
        is_inlined: Callable[[Any], bool],
    ) -> None:
        """`unwrap` takes ConstExpr objects apart, `is_inlined` knows jit functions."""
        self._builtins = visible_builtins
        self._unwrap = unwrap
        self._on_plain_callable = on_plain_callable
        self._is_inlined = is_inlined
        self._recorded: dict[tuple[int, str], Dependency] = {}

    @property
    def dependencies(self) -> list[Dependency]:
        return list(self._recorded.values())

    def load(self, frame: Frame, node: ast.Name) -> Any:
        """The value of a name; NameError where it has none."""
        name = node.id
        value = self.peek(frame, name)
        if value is Missing:
            raise self._undefined(frame, name)
        source = self._outside(frame, name)
        if source is not None:
            holder, raw = source
            self._record(holder, name, raw)
            self._check_callable(name, raw, node)
        return value

    def load_attribute(self, frame: Frame, node: ast.Attribute, base: Any, value: Any) -> None:
        """Record that `value` was read as an attribute of something outside the kernel."""
        if isinstance(base, types.ModuleType):
            if base.__name__.partition(".")[0] not in _OWN_PACKAGES:
                self._record(base, node.attr, value)
                self._check_callable(f"{base.__name__}.{node.attr}", value, node)
        elif not callable(value) and self._is_outside(frame, node.value):
            self._record(base, node.attr, value)

    def peek(self, frame: Frame, name: str) -> Any:
        """The value of a name without a record of it; Missing where it has none."""
        if name in frame.scope.names:
            return self._unwrap(frame.scope.names[name])
        if name in frame.constants:
            return frame.constants[name]
        source = self._outside(frame, name)
        if source is not None:
            return self._unwrap(source[1])
        return self._builtins.get(name, Missing)

    def _outside(self, frame: Frame, name: str) -> tuple[Any, Any] | None:
        """Holder and value of a name found in the closure or the module, if it is found there."""
        if name in frame.scope.names or name in frame.constants:
            return None
        function = frame.source.function
        if frame.is_kernel and name in function.__code__.co_freevars:
            cell = (function.__closure__ or ())[function.__code__.co_freevars.index(name)]
            try:
                return cell, cell.cell_contents
            except ValueError:
                return None
        if name in function.__globals__:
            return function.__globals__, function.__globals__[name]
        return None

    def is_closure(self, frame: Frame, name: str) -> bool:
        """Whether a name is found in the variables of the function around the kernel."""
        source = self._outside(frame, name)
        return source is not None and isinstance(source[0], types.CellType)

    def _is_outside(self, frame: Frame, node: ast.AST) -> bool:
        while isinstance(node, ast.Attribute):
            node = node.value
        return isinstance(node, ast.Name) and self._outside(frame, node.id) is not None

    def _record(self, holder: Any, name: str, value: Any) -> None:
        if isinstance(value, types.ModuleType):
            return
        if isinstance(value, (type, types.FunctionType)) and _is_own(value):
            return
        self._recorded.setdefault((id(holder), name), Dependency(holder, name, value))

    def _check_callable(self, name: str, value: Any, node: ast.AST) -> None:
        """Tell of plain helpers, which the device front end refuses while caching (§11.2)."""
        if not callable(value) or isinstance(value, type) or self._is_inlined(value):
            return
        if not _is_own(value) and not hasattr(value, "__jit__"):
            self._on_plain_callable(name, node)

    def _undefined(self, frame: Frame, name: str) -> Exception:
        error = NameError(f"name '{name}' is not defined")
        help = self._remedy(frame, name)
        if not help:
            visible = {other.casefold(): other for other in self._visible(frame)}
            close = difflib.get_close_matches(name.casefold(), visible, n=1, cutoff=0.7)
            if close:
                meant = visible[close[0]]
                error = NameError(f"name '{name}' is not defined; did you mean '{meant}'?")
        return annotated(error, "unknown-name", help)

    def _remedy(self, frame: Frame, name: str) -> str:
        lost = frame.scope.lost.get(name)
        function = frame.source.function
        if lost is not None:
            return (
                f"'{name}' was bound only inside the {lost.region} at line {lost.line}, and names "
                "first bound there end with it; bind it before, or use it inside."
            )
        if frame.is_kernel and name in function.__code__.co_varnames[: _parameter_count(function)]:
            return (
                f"No value was passed for the parameter '{name}', and defaults of a kernel's own "
                "parameters are not applied at a launch; pass it."
            )
        if not frame.is_kernel and name in function.__code__.co_freevars:
            return (
                "A jit function called from a kernel sees the globals of its module, not the "
                f"variables of the function it is defined in; pass '{name}' as an argument."
            )
        if hasattr(builtins, name):
            visible = ", ".join(sorted(self._builtins))
            return f"Python's '{name}' is not visible inside kernels; what is: {visible}."
        return ""

    def _visible(self, frame: Frame) -> list[str]:
        function = frame.source.function
        closure = function.__code__.co_freevars if frame.is_kernel else ()
        return [
            *frame.scope.names,
            *frame.constants,
            *closure,
            *(name for name in function.__globals__ if not name.startswith("__")),
            *self._builtins,
        ]


def _parameter_count(function: types.FunctionType) -> int:
    code = function.__code__
    return code.co_argcount + code.co_kwonlyargcount


def _is_own(value: Any) -> bool:
    """Whether a class, function or other object comes from ascemu (or typing)."""
    module = getattr(value, "__module__", None) or getattr(type(value), "__module__", "")
    return isinstance(module, str) and module.partition(".")[0] in _OWN_PACKAGES
