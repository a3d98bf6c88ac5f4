"""Check the Markdown files: every relative link leads to a file, every anchor to a heading.

Exits with 1 and one line a broken link.
"""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
LINK = re.compile(r"\[[^\]]*\]\(([^)\s]+)\)")
HEADING = re.compile(r"^#{1,6}\s+(.*?)\s*$")
FENCE = re.compile(r"^\s*(```|~~~)")


def prose_lines(path: Path) -> Iterator[tuple[int, str]]:
    """The numbered lines of a Markdown file that stand outside code blocks."""
    fenced = False
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        if FENCE.match(line):
            fenced = not fenced
        elif not fenced:
            yield number, line


def anchors(path: Path) -> set[str]:
    """The anchors a renderer gives the headings of `path`."""
    found = set()
    for _, line in prose_lines(path):
        heading = HEADING.match(line)
        if heading:
            words = re.sub(r"[^\w\- ]", "", heading[1].lower())
            found.add(words.replace(" ", "-"))
    return found


def broken_links(root: Path, path: Path) -> Iterator[str]:
    """One line for each relative link in `path` that leads nowhere."""
    for number, line in prose_lines(path):
        for target in LINK.findall(re.sub(r"`[^`]*`", "", line)):
            if re.match(r"[a-z]+:", target):
                continue
            name, _, anchor = target.partition("#")
            place = f"{path.relative_to(root)}:{number}"
            goal = path.parent / name if name else path
            if not goal.exists():
                yield f"{place}: no such file: {target}"
            elif anchor and goal.suffix == ".md" and anchor not in anchors(goal):
                yield f"{place}: no such heading: {target}"


def main() -> int:
    listed = subprocess.run(
        ["git", "ls-files", "--cached", "--others", "--exclude-standard", "*.md"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    ).stdout.splitlines()
    pages = [ROOT / line for line in listed if (ROOT / line).is_file()]
    broken = [line for page in pages for line in broken_links(ROOT, page)]
    print(*broken, sep="\n", end="\n" if broken else "")
    print(f"{len(pages)} pages, {len(broken)} broken links")
    return 1 if broken else 0


if __name__ == "__main__":
    sys.exit(main())
