"""What the kernels of a run need of on-chip memories (`ascemu run --memory`, spec asc2 §5.2).

What it is: who compiled what while somebody watches, and the table as text. What it is not: the
accounting (interp/checks/capacity.h) or the check `capacity`.
Invariant: nothing is kept where nobody watches.
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ascemu._core import Program

_watchers: list[list[Program]] = []


@contextlib.contextmanager
def watch() -> Iterator[list[Program]]:
    """The programs compiled inside, in order."""
    programs: list[Program] = []
    _watchers.append(programs)
    try:
        yield programs
    finally:
        _watchers[:] = [other for other in _watchers if other is not programs]


def note(program: Program) -> None:
    """Tell the watchers of a program that was compiled."""
    for programs in _watchers:
        programs.append(program)


def memory_lines(program: Program) -> list[str]:
    """Who holds what at the peak of every memory, largest first."""
    counted = "counts" if program.counts_memory else "does not count"
    lines = [f"memory of {program.name} (the device compiler {counted} it):"]
    for use in program.memory_table():
        least, most = use["at_least"], use["about"]
        used = str(most) if least == most else f"at least {least}, about {most}"
        lines.append(f"  {use['memory']}: {used} of {use['capacity']} bytes")
        for holding in use["holdings"]:
            place = f"  {holding['place']}" if holding["place"] else ""
            lines.append(f"    {holding['bytes']:>7}  {holding['what']}{place}")
    return lines if len(lines) > 1 else [f"memory of {program.name}: no local tensors"]
