"""docs/accepted-language.md and docs/quick-start.md say what is: every piece of code is run."""

import linecache
import re
import subprocess
import sys
import textwrap
from pathlib import Path
from typing import NamedTuple

import ascemu
import numpy as np
import pytest
from ascemu.dropin import asc, asc2

DOCS = Path(__file__).resolve().parents[2] / "docs"
FENCE = re.compile(r"^```python ?(.*?)\n(.*?)^```$", re.MULTILINE | re.DOTALL)


class Piece(NamedTuple):
    """One fenced piece of code: where it stands, the words behind `python`, the code."""

    line: int
    info: str
    code: str


def pieces(page):
    text = (DOCS / page).read_text(encoding="utf-8")
    return [
        Piece(text.count("\n", 0, match.start()) + 1, match[1], match[2])
        for match in FENCE.finditer(text)
    ]


LANGUAGE = pieces("accepted-language.md")
(WRAPPER,) = (piece.code for piece in LANGUAGE if piece.info == "wrapper")
OK = [piece for piece in LANGUAGE if piece.info.startswith("ok")]
REFUSED = [piece for piece in LANGUAGE if piece.info.startswith("error")]


def run(piece, tmp_path):
    """Run the piece; returns the module's names and the line of `# refused` in its file."""
    source = piece.code
    if "module" not in piece.info:
        body = textwrap.indent(source, "    ")
        source = WRAPPER.replace("    BODY\n", body) + "\n\nkernel[1](x, out, 64, 3)\n"
    marked = [n for n, text in enumerate(source.splitlines(), 1) if text.endswith("# refused")]
    path = tmp_path / f"piece_{piece.line}.py"
    path.write_text(source, encoding="utf-8")
    linecache.checkcache()
    names = {
        "__name__": path.stem,
        "asc": asc,
        "asc2": asc2,
        "x": np.arange(64, dtype=np.float32),
        "out": np.zeros(64, np.float32),
    }
    module = type(sys)(path.stem)
    vars(module).update(names)
    error = None
    try:
        exec(compile(source, str(path), "exec"), vars(module))
    except Exception as caught:
        error = caught
    return vars(module), marked, error


def test_the_page_has_pieces_of_every_kind():
    known = ("wrapper", "ok", "ok module", "ok portability", "error")
    assert all(piece.info.startswith(known) for piece in LANGUAGE)
    assert len(OK) > 10
    assert len(REFUSED) > 10


@pytest.mark.parametrize("piece", OK, ids=lambda piece: f"line {piece.line}")
def test_accepted(piece, tmp_path):
    with ascemu.collect() as found:
        names, _, error = run(piece, tmp_path)
    if error:
        raise error
    codes = {finding.code for finding in found}
    assert codes == ({"portability"} if "portability" in piece.info else set())
    claims = re.findall(r"^# (out\[.*)$", piece.code, re.MULTILINE)
    assert claims
    for claim in claims:
        assert eval(claim, names), f"{claim}: {names['out'][:8]}"


@pytest.mark.parametrize("piece", REFUSED, ids=lambda piece: f"line {piece.line}")
def test_refused(piece, tmp_path):
    words = piece.info.removeprefix("error ").removesuffix(" module")
    expected, _, cause = words.partition(": ")
    names, marked, error = run(piece, tmp_path)
    assert type(error).__name__ == expected
    assert not names["out"].any()
    if cause:
        assert type(error.__cause__).__name__ == cause
    if marked:
        assert [error.diagnostic.line] == marked
        assert error.diagnostic.file.endswith(f"piece_{piece.line}.py")
        assert error.diagnostic.severity == "error"
    else:
        assert "module" in piece.info


@pytest.mark.parametrize(
    "piece",
    [piece for piece in pieces("quick-start.md") if piece.info.startswith("file=")],
    ids=lambda piece: piece.info.removeprefix("file="),
)
def test_quick_start(piece, tmp_path):
    path = tmp_path / piece.info.removeprefix("file=")
    path.write_text(piece.code, encoding="utf-8")
    starter = [sys.executable]
    if "ascemu" not in piece.code:
        starter += ["-m", "ascemu", "run"]
    done = subprocess.run([*starter, path], capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout == ("doubled: True\n" if path.name == "double.py" else "")
