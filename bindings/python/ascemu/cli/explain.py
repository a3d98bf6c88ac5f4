"""`ascemu explain NAME`: the text of a diagnostic code or of a clause of the numeric contract.

What it is: the reader of the contract's page as the package carries it (docs/numerics.md): headings
`## N17 title` and `### N17.1 title`, each followed by prose and by `- rule: ...` lines.
What it is not: the contract, or the table of codes, both of which it only prints.
Invariant: a clause is printed in the words of the page, nothing left out.
"""

from __future__ import annotations

import argparse
import difflib
import re
import textwrap
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from ascemu.cli.listing import print_lines
from ascemu.cli.usage import UsageError

_HEADING = re.compile(r"^(#{1,6})\s+(.*?)\s*$")
_CLAUSE = re.compile(r"^(N\d+(?:\.\d+)?)\s+(.*)$")
_WIDTH = 100


@dataclass
class Clause:
    """A numbered heading of the contract and the paragraphs below it."""

    name: str
    title: str
    paragraphs: list[str] = field(default_factory=list)


def explain(arguments: argparse.Namespace) -> int:
    """The command `explain`; UsageError for what is neither a code nor a clause."""
    name = arguments.name
    if re.fullmatch(r"[nN]\d+(\.\d+)?", name):
        return print_lines(_clause_lines(name.upper()))
    return print_lines(_code_lines(name))


def contract_path() -> Path:
    """Where the package keeps the contract: beside the compiled core, as it was built with it."""
    from ascemu import _core

    return Path(_core.__file__).parent / "data" / "numerics.md"


def read_clauses(text: str) -> dict[str, Clause]:
    """The clauses of the contract's page by name, in the order of the page."""
    clauses: dict[str, Clause] = {}
    present: Clause | None = None
    starts_paragraph = True
    for line in text.splitlines():
        heading = _HEADING.match(line)
        if heading:
            clause = _CLAUSE.match(heading[2])
            present = Clause(clause[1], clause[2]) if clause else None
            if present is not None:
                clauses[present.name] = present
            starts_paragraph = True
        elif not line.strip():
            starts_paragraph = True
        elif present is not None:
            is_item = line.startswith("- ")
            words = line.removeprefix("- ").strip()
            if is_item or starts_paragraph:
                present.paragraphs.append(words)
            else:
                present.paragraphs[-1] += " " + words
            starts_paragraph = False
    return clauses


def _clause_lines(name: str) -> list[str]:
    try:
        text = contract_path().read_text(encoding="utf-8")
    except OSError as error:
        raise UsageError(f"cannot read the numeric contract: {error}") from None
    clauses = read_clauses(text)
    family, dot, _ = name.partition(".")
    if name not in clauses:
        raise UsageError(_unknown("clause", name, list(clauses)))
    lines = []
    if dot and family in clauses:
        lines += [f"{family} {clauses[family].title}", ""]
    shown = [name] if dot else [name, *(other for other in clauses if other.startswith(name + "."))]
    for other in shown:
        lines += [*_text_of(clauses[other]), ""]
    return lines[:-1]


def _text_of(clause: Clause) -> Iterator[str]:
    yield f"{clause.name} {clause.title}"
    for paragraph in clause.paragraphs:
        yield from textwrap.wrap(
            paragraph,
            _WIDTH,
            initial_indent="  ",
            subsequent_indent="    ",
            break_long_words=False,
            break_on_hyphens=False,
        )


def _code_lines(name: str) -> list[str]:
    from ascemu import _core

    codes = {row["code"]: row for row in _core.code_table()}
    row = codes.get(name)
    if row is None:
        raise UsageError(_unknown("code or clause", name, list(codes)))
    check = f", check {row['check']}" if row["check"] else ""
    return [f"{name}: {row['kind']}{check}, raises {row['exception']}", f"  {row['help']}"]


def _unknown(kind: str, name: str, known: list[str]) -> str:
    close = difflib.get_close_matches(name, known, n=1)
    hint = f" (did you mean {close[0]}?)" if close else ""
    return f"there is no {kind} {name!r}{hint}; `ascemu codes` lists the codes, clauses are N1, ..."
