"""Chunked test files: the accepted language, the expected error beside the line that causes it.

What it is: a reader and runner of `language/*.chunks`. A file holds Python modules ("chunks"), set
apart by lines `---`. A chunk is executed with the names of `prelude()`; it defines kernels,
launches them and asserts. Where a line ends with

    ### ExceptionName "regex" at "text"      the launch must raise exactly that class, its message
                                             match, and its diagnostic point at that line
    ### warning "regex" at "text"            a warning with that message is found at that line
    ### cause ExceptionName                  the class of `__cause__`

`at "text"` is optional and names what the caret stands under. A chunk without an exception mark
must run through; a chunk without a warning mark must not warn.
What it is not: a test by itself; test_language_chunks.py runs it and test_language_harness.py tests
it. Invariant: line numbers and columns are those of the file, for `inspect` reads it itself.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

MARK = re.compile(
    r'###\s*(?P<kind>\w+)\s*(?:"(?P<text>(?:[^"\\]|\\.)*)")?(?:\s*at\s*"(?P<at>[^"]*)")?'
)
CAUSE = re.compile(r"###\s*cause\s+(\w+)")
SEPARATOR = "---"


class ChunkFailure(AssertionError):
    """A chunk did not do what its marks say."""


@dataclass(frozen=True)
class Mark:
    """One expectation, at a line of the file."""

    line: int
    kind: str  # an exception's name, or "warning"
    pattern: str
    at: str | None

    def check(self, diagnostic: Any, source: str) -> None:
        if not re.search(self.pattern, diagnostic.message):
            raise ChunkFailure(
                f"line {self.line}: {diagnostic.message!r} does not match {self.pattern!r}"
            )
        if diagnostic.line != self.line:
            raise ChunkFailure(
                f"line {self.line}: the diagnostic points at line {diagnostic.line}: "
                f"{diagnostic.message}"
            )
        if self.at is not None and not source[diagnostic.column - 1 :].startswith(self.at):
            under = source[diagnostic.column - 1 :][:20]
            raise ChunkFailure(
                f"line {self.line}: the caret stands under {under!r}, not under {self.at!r}"
            )


@dataclass(frozen=True)
class Chunk:
    """One module of a chunked file."""

    path: Path
    first_line: int
    lines: tuple[str, ...]
    marks: tuple[Mark, ...] = field(default=())
    cause: str | None = None

    @property
    def title(self) -> str:
        """The first comment, or the first line that says something."""
        for line in self.lines:
            if line.strip():
                return line.strip().lstrip("# ")[:60]
        return "empty"

    def line(self, number: int) -> str:
        return self.lines[number - self.first_line]

    def run(self) -> None:
        """Execute the chunk and hold it to its marks; ChunkFailure where it differs."""
        from ascemu import collect

        text = "\n" * (self.first_line - 1) + "\n".join(self.lines)
        code = compile(text, str(self.path), "exec", dont_inherit=True)
        errors = [mark for mark in self.marks if mark.kind != "warning"]
        raised: BaseException | None = None
        with collect() as found:
            try:
                exec(code, {"__name__": f"chunk_{self.first_line}", **prelude()})
            except Exception as error:
                raised = error
        self._check_error(errors, raised)
        warnings = [finding for finding in found if finding.severity == "warning"]
        self._check_warnings([mark for mark in self.marks if mark.kind == "warning"], warnings)

    def _check_error(self, marks: list[Mark], raised: BaseException | None) -> None:
        if not marks:
            if raised is not None:
                raise ChunkFailure(f"unexpected {type(raised).__name__}: {raised}") from raised
            return
        mark = marks[0]
        if raised is None:
            raise ChunkFailure(f"line {mark.line}: {mark.kind} was not raised")
        if type(raised).__name__ != mark.kind:
            raise ChunkFailure(
                f"line {mark.line}: {mark.kind} expected, got {type(raised).__name__}: {raised}"
            ) from raised
        diagnostic = getattr(raised, "diagnostic", None)
        if diagnostic is None:
            raise ChunkFailure(f"line {mark.line}: the exception has no diagnostic") from raised
        if str(raised) != str(diagnostic):
            raise ChunkFailure(f"line {mark.line}: str(exception) is not the rendered text")
        mark.check(diagnostic, self.line(mark.line))
        cause = type(raised.__cause__).__name__
        if self.cause is not None and cause != self.cause:
            raise ChunkFailure(f"line {mark.line}: the cause is {cause}, not {self.cause}")

    def _check_warnings(self, marks: list[Mark], warnings: list[Any]) -> None:
        unexpected = list(warnings)
        for mark in marks:
            here = [finding for finding in unexpected if finding.line == mark.line]
            matching = [finding for finding in here if re.search(mark.pattern, finding.message)]
            if not matching:
                seen = [(finding.line, finding.message) for finding in warnings]
                raise ChunkFailure(f"line {mark.line}: no warning {mark.pattern!r}; found {seen}")
            mark.check(matching[0], self.line(mark.line))
            for finding in matching:
                unexpected.remove(finding)
        if unexpected:
            raise ChunkFailure(f"unexpected warning: {unexpected[0]}")


def read_chunks(path: Path) -> list[Chunk]:
    """The chunks of a file, in order."""
    chunks = []
    first, lines = 1, []
    for number, line in enumerate([*path.read_text(encoding="utf-8").splitlines(), SEPARATOR], 1):
        if line.rstrip() != SEPARATOR:
            lines.append(line)
            continue
        if any(line.strip() for line in lines):
            chunks.append(_chunk(path, first, lines))
        first, lines = number + 1, []
    return chunks


def _chunk(path: Path, first_line: int, lines: list[str]) -> Chunk:
    marks, cause = [], None
    for number, line in enumerate(lines, first_line):
        cause_match = CAUSE.search(line)
        if cause_match:
            cause = cause_match[1]
            line = line[: cause_match.start()]
        for match in MARK.finditer(line):
            pattern = (match["text"] or "").replace('\\"', '"')
            marks.append(Mark(number, match["kind"], pattern, match["at"]))
    return Chunk(path, first_line, tuple(lines), tuple(marks), cause)


def prelude() -> dict[str, Any]:
    """The names a chunk finds: the language under its public names, numpy and short launches."""
    from ascemu.dropin import asc, asc2, asctile

    def scalars(kernel: Any, *args: Any, count: int = 1, dtype: Any = np.int32, **kwargs: Any):
        """Launch on one block with a zeroed array first; its content as a list (or the number)."""
        out = np.zeros(count, dtype)
        kernel[1](out, *args, **kwargs)
        return out.tolist() if count > 1 else out[0].item()

    return {
        "asc": asc,
        "asc2": asc2,
        "asctile": asctile,
        "np": np,
        "ConstExpr": asc2.ConstExpr,
        "scalars": scalars,
    }
