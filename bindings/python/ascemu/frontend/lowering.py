"""The state of one trace and the dispatch from syntax nodes to the functions that lower them.

What it is: `Lowering`, which every lowering function gets: builder, frames, names, positions.
What it is not: the meaning of any node; that is in expressions, statements, branches, loops, calls.
Invariant: the builder's position is that of the node being acted on, so that whatever raises is
found there. Positions are set right before acting and never restored after a failure.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from ascemu.frontend import language
from ascemu.frontend.faults import refuse
from ascemu.frontend.function import TraceableFunction
from ascemu.frontend.guesses import Guesses, Occurrence
from ascemu.frontend.names import Names
from ascemu.frontend.scope import Frame

if TYPE_CHECKING:
    from ascemu.frontend.capture import Source

Lowered = Callable[["Lowering", Any], Any]
EXPRESSIONS: dict[type[ast.AST], Lowered] = {}
STATEMENTS: dict[type[ast.AST], Lowered] = {}

_KEYWORDS = {
    "Break": "break",
    "Continue": "continue",
    "Delete": "del",
    "Global": "global",
    "Nonlocal": "nonlocal",
    "Try": "try",
    "TryStar": "try",
    "Raise": "raise",
    "Import": "import",
    "ImportFrom": "import",
    "ClassDef": "class",
    "Lambda": "lambda",
    "NamedExpr": ":=",
    "Match": "match",
    "Yield": "yield",
    "YieldFrom": "yield from",
    "Await": "await",
    "Dict": "dict display",
    "Set": "set display",
    "ListComp": "list comprehension",
    "SetComp": "set comprehension",
    "DictComp": "dict comprehension",
    "GeneratorExp": "generator expression",
    "Starred": "starred expression",
}
_REMEDIES = {
    "Break": "Compute a condition and guard the rest of the body with `if`.",
    "Continue": "Guard the rest of the body with `if`.",
    "Dict": "Build it with dict(...), or pass it as a ConstExpr.",
    "ListComp": "Use a static_range loop that appends to a list.",
    "NamedExpr": "Assign in a statement of its own.",
    "Lambda": "Define a @jit function at module level and call it.",
    "FunctionDef": "Define a @jit function at module level and call it.",
    "Raise": "Use static_assert, or assert with debug=True.",
}


def lowers(
    table: dict[type[ast.AST], Lowered], *kinds: type[ast.AST]
) -> Callable[[Lowered], Lowered]:
    """Register the decorated function as the meaning of the node classes `kinds`."""

    def register(function: Lowered) -> Lowered:
        for kind in kinds:
            table[kind] = function
        return function

    return register


class Lowering:
    """One trace of one kernel with everything that is inlined into it."""

    def __init__(
        self,
        builder: Any,
        context: Any,
        visible_builtins: Mapping[str, Any],
        guesses: Guesses,
        caching: bool,
    ) -> None:
        self.builder = builder
        self.context = context
        self.guesses = guesses
        self._occurrences = 0
        self.frames: list[Frame] = []
        self.specialisations: dict[str, Any] = {}
        self.names = Names(
            visible_builtins, language.unwrap_constexpr, self._warn_plain_callable, _is_jit
        )
        self.carried_reads: dict[int, tuple[Any, ast.Name]] = {}
        self.unrolled_loops: list[int] = []  # lines of the loops with an unroll_factor around
        self._caching = caching
        self._warned: set[tuple[str, int, int, int]] = set()
        self._source_ids: dict[int, int] = {}

    @property
    def frame(self) -> Frame:
        return self.frames[-1]

    def occurrence(self, node: ast.AST) -> Occurrence:
        """Number this passage through a node about which guesses are made."""
        self._occurrences += 1
        return Occurrence(self._occurrences, node)

    def source_id(self, source: Source) -> int:
        """The number of a source in the builder; every source is added once."""
        key = id(source)
        if key not in self._source_ids:
            self._source_ids[key] = self.builder.add_source(
                source.path, source.text, source.first_line
            )
        return self._source_ids[key]

    def at(self, node: Any, end: Any = None) -> None:
        """Make `node` (up to the end of the node `end`) the position of what comes next."""
        last = node if end is None else end
        self.builder.set_position(
            self.frame.source_id,
            node.lineno,
            node.col_offset,
            last.end_lineno,
            last.end_col_offset,
        )

    def expression(self, node: ast.AST) -> Any:
        """The value of an expression: a Python value or an IR value."""
        lower = EXPRESSIONS.get(type(node))
        if lower is None:
            raise self.unsupported(node)
        return lower(self, node)

    def statements(self, nodes: Sequence[ast.stmt]) -> None:
        """Lower a block; what follows a return is dropped (spec §2.9)."""
        for node in nodes:
            lower = STATEMENTS.get(type(node))
            if lower is None:
                raise self.unsupported(node)
            self.at(node)
            lower(self, node)
            if self.frame.returned:
                return

    def unsupported(self, node: ast.AST) -> Exception:
        """The error for syntax that the language does not have, at its place."""
        if hasattr(node, "lineno"):
            self.at(node)
        kind = type(node).__name__
        if kind in ("FunctionDef", "AsyncFunctionDef"):
            message = "Nested functions are not supported in JIT function"
        else:
            word = _KEYWORDS.get(kind)
            shown = f"{kind} syntax ('{word}')" if word else f"{kind} syntax"
            message = f"{shown} is not supported in JIT function"
        return refuse(message, help=_REMEDIES.get(kind, ""))

    def warn(
        self,
        node: Any,
        message: str,
        *,
        notes: Iterable[str] = (),
        help: str = "",
        end: Any = None,
        code: str = "portability",
    ) -> None:
        """A portability finding at `node`, given once per place and message."""
        key = (message, self.frame.source_id, node.lineno, node.col_offset)
        if key in self._warned:
            return
        self._warned.add(key)
        self.at(node, end)
        self.builder.warn(code, message, list(notes), help)

    def read_name(self, node: ast.Name) -> Any:
        """The value of a name, with what reading it deserves to be told."""
        self.at(node)
        value = self.names.load(self.frame, node)
        if self.names.is_closure(self.frame, node.id):
            self.warn(
                node,
                f"'{node.id}' is a variable of the function around this kernel, which generations "
                "before asctile do not see",
                help="Pass it as a ConstExpr parameter, or make it a global of the module.",
                code="portability-generation",
            )
            self.at(node)
        lost = self.frame.scope.lost.get(node.id)
        if lost is not None:
            self.warn(
                node,
                f"'{node.id}' was re-bound inside the {lost.region} at line {lost.line}, and that "
                "binding ended with it; the earlier value is read here",
                help="Use the value inside the block, or bind it to a name outside.",
            )
        if language.is_carried(value):
            self.carried_reads.setdefault(id(value), (value, node))
        return value

    def _warn_plain_callable(self, name: str, node: ast.AST) -> None:
        if self._caching:
            self.warn(
                node,
                f"the plain function '{name}' is called while tracing; the device front end "
                "refuses it unless the kernel is decorated with always_compile=True",
                help="Make it a @jit function, or pass always_compile=True to jit.",
            )


def _is_jit(value: Any) -> bool:
    return isinstance(value, TraceableFunction)
