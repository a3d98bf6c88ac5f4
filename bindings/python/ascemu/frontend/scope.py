"""Scopes and frames: the names a traced function has bound, and where it has lost some.

What it is: plain data with the few rules of spec asc2 §2.5-2.8 about which names survive a region.
What it is not: name lookup beyond locals (names.py) or merging of values (branches.py, loops.py).
Invariant: `Scope.bound` holds exactly the names bound since the scope was opened, each with the
syntax node of its last binding.
"""

from __future__ import annotations

import ast
from collections.abc import Collection
from dataclasses import dataclass, field
from typing import Any

from ascemu.frontend.capture import Source


@dataclass(frozen=True)
class Lost:
    """Why a name that was bound is not visible any more."""

    region: str  # "runtime if", "runtime loop", "with block"
    line: int


@dataclass
class Scope:
    """The local names of one region of a function."""

    names: dict[str, Any] = field(default_factory=dict)
    bound: dict[str, ast.AST] = field(default_factory=dict)
    lost: dict[str, Lost] = field(default_factory=dict)

    def bind(self, name: str, value: Any, node: ast.AST) -> None:
        self.names[name] = value
        self.bound[name] = node
        self.lost.pop(name, None)

    def child(self) -> Scope:
        """A scope that starts with the same names and keeps its own bindings."""
        return Scope(dict(self.names), {}, dict(self.lost))

    def lose(self, child: Scope, region: str, line: int, keep: Collection[str] = ()) -> None:
        """Note that what `child` bound, but for the names in `keep`, ended with it.

        What regions inside `child` lost stays lost.
        """
        for name, lost in child.lost.items():
            if name not in keep:
                self.lost.setdefault(name, lost)
        for name in child.bound:
            if name not in keep:
                self.lost[name] = Lost(region, line)


@dataclass
class Frame:
    """One function being traced: the kernel or a jit function inlined into it."""

    source: Source
    source_id: int
    constants: dict[str, Any]
    is_kernel: bool
    scope: Scope = field(default_factory=Scope)
    region_depth: int = 0  # runtime ifs and loops around the statement being traced
    returned: bool = False
    result: Any = None

    @property
    def name(self) -> str:
        return self.source.name
