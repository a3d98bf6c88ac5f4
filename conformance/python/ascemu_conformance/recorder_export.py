"""The recorder as one file: its modules one after the other, their imports of each other left out.

What it is: text made of the modules' own text. What it is not: a second recorder to keep.
Invariant: the file imports nothing but the standard library and numpy.
"""

from __future__ import annotations

import ast
from pathlib import Path

PARTS = ("case_writing", "recorder_provenance", "recorder_session", "recorder")
_HEAD = "from __future__ import annotations"


def recorder_text() -> str:
    """The text of the file; it says in its first lines where it comes from."""
    from ascemu import __version__

    folder = Path(__file__).parent
    bodies = [_body((folder / f"{part}.py").read_text(encoding="utf-8")) for part in PARTS]
    tree = ast.parse((folder / "recorder.py").read_text(encoding="utf-8"))
    head = f'"""{ast.get_docstring(tree, clean=False)}\nWritten by ascemu {__version__}.\n"""'
    return "\n\n".join([f"{head}\n\n{_HEAD}", *bodies])


def _body(text: str) -> str:
    """A module's text without its docstring, imports of the future and of this package."""
    lines = text.splitlines(keepends=True)
    dropped = [
        node
        for index, node in enumerate(ast.parse(text).body)
        if (index == 0 and isinstance(node, ast.Expr))
        or (isinstance(node, ast.ImportFrom) and _is_own(node.module))
    ]
    for node in reversed(dropped):
        del lines[node.lineno - 1 : node.end_lineno]
    return "".join(lines).strip("\n") + "\n"


def _is_own(module: str | None) -> bool:
    return (module or "").partition(".")[0] in ("__future__", "ascemu_conformance")
