"""What a run found, in few lines: every code with its count and the first place.

What it is: rows made of the facts of findings, for `ascemu run`, `ascemu check` and the pytest
plugin, whose worker processes can only hand on plain data. What it is not: the findings' own texts.
Invariant: errors stand before warnings, more findings before fewer; a place is that of the first.
Importing this module does not import the compiled core.
"""

from __future__ import annotations

import os
from collections.abc import Iterable
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from ascemu._core import Diagnostic


class Fact(NamedTuple):
    """What the summary needs of one finding; plain data."""

    severity: str
    code: str
    file: str | None
    line: int | None


class Row(NamedTuple):
    """All findings of one code and severity."""

    severity: str
    code: str
    count: int
    file: str | None
    line: int | None

    @property
    def place(self) -> str:
        """`file:line` of the first, the file relative to the present folder where it is below."""
        if self.file is None:
            return "-"
        inside = os.path.abspath(self.file).startswith(os.getcwd() + os.sep)
        name = os.path.relpath(self.file) if inside else self.file
        return name if self.line is None else f"{name}:{self.line}"


def facts_of(findings: Iterable[Diagnostic]) -> list[Fact]:
    """The facts of findings, in their order."""
    return [Fact(f.severity, f.code, f.file, f.line) for f in findings]


def summarised(facts: Iterable[Fact]) -> list[Row]:
    """One row for each severity and code."""
    first: dict[tuple[str, str], Fact] = {}
    counts: dict[tuple[str, str], int] = {}
    for fact in facts:
        key = fact.severity, fact.code
        first.setdefault(key, fact)
        counts[key] = counts.get(key, 0) + 1
    rows = [
        Row(fact.severity, fact.code, counts[key], fact.file, fact.line)
        for key, fact in first.items()
    ]
    return sorted(rows, key=lambda row: (row.severity != "error", -row.count, row.code))


def summary_lines(facts: Iterable[Fact], dropped: int = 0) -> list[str]:
    """The rows as aligned text under a line with the totals; `dropped`: beyond findings_limit."""
    rows = summarised(facts)
    if not rows and not dropped:
        return []
    total = sum(row.count for row in rows)
    more = f", {dropped} more beyond findings_limit" if dropped else ""
    lines = [f"{total} {'finding' if total == 1 else 'findings'}{more}:"]
    width = max((len(f"{row.severity}[{row.code}]") for row in rows), default=0)
    digits = max((len(str(row.count)) for row in rows), default=0)
    for row in rows:
        title = f"{row.severity}[{row.code}]"
        first = "at" if row.count == 1 else "first at"
        lines.append(f"  {title:<{width}}  {row.count:>{digits}} x  {first} {row.place}")
    return lines
