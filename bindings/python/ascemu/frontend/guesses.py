"""What earlier attempts of a trace learned: which names a loop carries, what a conditional gives.

What it is: facts by place and by occurrence. A place (a syntax node) is passed several times where
loops are unrolled or functions inlined; its occurrences usually agree, so that what one taught is
the first guess for the next. What it is not: the first guess of all (rebinding.py).
Invariant: an occurrence is numbered by the order in which the trace comes to it, which does not
change before the place that a new fact is about.
"""

from __future__ import annotations

import ast
from typing import Any, NamedTuple


class Occurrence(NamedTuple):
    """One passage of the trace through a node."""

    number: int
    node: ast.AST


class Guesses:
    """Facts about names (or the result) at the occurrences of a node."""

    def __init__(self) -> None:
        self._exact: dict[tuple[int, str], Any] = {}
        self._usual: dict[tuple[int, str], Any] = {}

    def about(self, at: Occurrence, name: str) -> Any:
        """What was learned of `name` here, else elsewhere at the same node; None: nothing."""
        exact = self._exact.get((at.number, name))
        return self._usual.get((id(at.node), name)) if exact is None else exact

    def names(self, at: Occurrence, value: Any) -> list[str]:
        """The names about which exactly this was learned."""
        known = {name for number, name in self._exact if number == at.number}
        known |= {name for place, name in self._usual if place == id(at.node)}
        return sorted(name for name in known if self.about(at, name) == value)

    def exact(self, at: Occurrence, name: str) -> Any:
        """What was learned of `name` at this very occurrence; None: nothing."""
        return self._exact.get((at.number, name))

    def learn(self, at: Occurrence, name: str, value: Any) -> None:
        self._exact[at.number, name] = value
        self._usual[id(at.node), name] = value
