"""The trace in progress: where the operations of a kernel put their statements.

What it is: a stack of TraceContexts per thread. What it is not: the trace itself (frontend/).
Invariant: outside `activate` there is no context, and every operation but the few that work on the
host raises RuntimeError.
"""

from __future__ import annotations

import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from ascemu._core import Builder


@dataclass
class TraceContext:
    """What an operation needs to know of the trace.

    `namespace` is the module of the jit decorator ("asc2", "asctile", "asc"); `debug` and `options`
    are the jit options in force. `first_generation` counts the loads and stores under the first
    generation's names: a loop that holds one has that generation's order of memory (spec asc2 §4).
    """

    builder: Builder
    namespace: str = "asctile"
    debug: bool = False
    options: Any = None
    first_generation: int = 0

    def use_first_generation(self) -> None:
        """Note that the kernel loads or stores under a name that only the first generation has."""
        self.first_generation += 1
        self.builder.use_first_generation()

    def warn(self, code: str, message: str, notes: Sequence[str] = (), help: str = "") -> None:
        """Record a finding of severity warning at the current position."""
        self.builder.warn(code, message, list(notes), help)


class _Stack(threading.local):
    def __init__(self) -> None:
        self.contexts: list[TraceContext] = []


_stack = _Stack()


def is_tracing() -> bool:
    """Whether a kernel is being traced in this thread."""
    return bool(_stack.contexts)


def current(name: str = "operation") -> TraceContext:
    """The innermost context; RuntimeError naming the operation where there is none (spec §1.1)."""
    if not _stack.contexts:
        raise RuntimeError(f"'{name}' cannot be called without initialization of global builder")
    return _stack.contexts[-1]


@contextmanager
def activate(context: TraceContext) -> Iterator[TraceContext]:
    """Make `context` current in this thread while the block runs."""
    _stack.contexts.append(context)
    try:
        yield context
    finally:
        _stack.contexts.pop()
