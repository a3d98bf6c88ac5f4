"""docs/checks.md: every check with a program of tests/fail, what ascemu says, and the mending.

What it is: the page's text from the table of checks, the codes, the programs of
tests/fail/<check>/ with their golden texts, their near misses in tests/pass/<check>/, and the
remarks of tests/fail/<check>/README.md. What it is not: a writer of golden texts
(tests/test_programs.py). Invariant: a check without programs is listed as not there yet.
"""

from __future__ import annotations

import ast
import difflib
import re
from pathlib import Path

CODE = re.compile(r"^(?:error|warning)\[([\w-]+)\]", re.MULTILINE)
# The program that stands for its check on the page; the others are listed below it.
SHOWN = {
    "race": "neighbour_reads",
    "capacity": "tile_too_large",
    "location": "part_between_columns",
    "uninitialised": "tail_stored",
}


def idea_of(source: str) -> str:
    """What the author of the program did wrong: the first line of its docstring."""
    return (ast.get_docstring(ast.parse(source)) or "").partition("\n")[0]


def mending_of(fail: Path, near_miss: Path) -> str:
    """The lines in which the near miss differs, as a diff without its header."""
    before, after = (path.read_text(encoding="utf-8").splitlines() for path in (fail, near_miss))
    lines = [
        line
        for line in difflib.unified_diff(before, after, lineterm="", n=0)
        if not line.startswith(("---", "+++", "@@"))
    ]
    return "\n".join(line for line in lines if not line[1:].startswith('"""'))


def fenced(language: str, text: str) -> list[str]:
    return [f"```{language}", *text.rstrip("\n").splitlines(), "```", ""]


def section_of(check: dict, codes: list[dict], tests: Path) -> list[str]:
    """The section of one check."""
    name = check["check"]
    programs = sorted((tests / "fail" / name).glob("*.py"))
    lines = [f"## {name}", "", f"{check['summary'][0].upper()}{check['summary'][1:]}.", ""]
    lines += ["| code | kind | default level |", "|---|---|---|"]
    lines += [
        f"| [`{row['code']}`](diagnostics.md#{row['code']}) | {row['kind']} | {row['level']} |"
        for row in codes
        if row["check"] == name
    ]
    remarks = tests / "fail" / name / "README.md"
    if remarks.exists():
        lines += ["", remarks.read_text(encoding="utf-8").strip()]
    shown = tests / "fail" / name / f"{SHOWN.get(name, programs[0].stem)}.py"
    source = shown.read_text(encoding="utf-8")
    golden = shown.with_suffix(".stderr").read_text(encoding="utf-8")
    lines += ["", f"`tests/fail/{name}/{shown.name}`:", "", *fenced("python", source)]
    lines += ["`ascemu run` says:", "", *fenced("text", golden)]
    lines += ["Silent, as in the near miss:", ""]
    lines += fenced("diff", mending_of(shown, tests / "pass" / name / shown.name))
    lines += ["| program | what is wrong | codes |", "|---|---|---|"]
    for program in programs:
        golden = program.with_suffix(".stderr").read_text(encoding="utf-8")
        fired = ", ".join(f"`{code}`" for code in dict.fromkeys(CODE.findall(golden)))
        idea = idea_of(program.read_text(encoding="utf-8"))
        link = f"[{program.stem}](../tests/fail/{name}/{program.name})"
        lines.append(f"| {link} | {idea} | {fired} |")
    return [*lines, ""]


def render_checks(mark: str, checks: list[dict], codes: list[dict], tests: Path) -> str:
    """The page: the table of checks, then a section each."""
    lines = [
        mark,
        "",
        "# Checks",
        "",
        "What a green run is to say: the kernel compiles, fits, stays in bounds, reads nothing "
        "undefined and does not race. Checks are observers and never change a result. After a "
        "finding the block goes on (a bad read gives poison, a bad write is dropped), so that "
        "one run shows all of them; the launch raises once, at its end.",
        "",
        "Levels are set with `ascemu run --check race=off`, `ascemu.options(checks={...})`, "
        "`ASCEMU_CHECKS`, or `@pytest.mark.ascemu(checks={...})`. A code whose default level "
        "is lower than its check's rests on inference about the device only; setting the "
        "check's level sets that of all its codes. What is refused before anything runs (kind "
        "`invalid`, but for alignment, capacity and portability) is refused at every level: the "
        "device compiler would not make a kernel of it.",
        "",
        "| check | watches | kinds of its codes | default level |",
        "|---|---|---|---|",
    ]
    for check in checks:
        name = check["check"]
        kinds = sorted({row["kind"] for row in codes if row["check"] == name})
        link = f"[`{name}`](#{name})" if kinds else f"`{name}`"
        lines.append(f"| {link} | {check['summary']} | {', '.join(kinds)} | {check['level']} |")
    lines.append("")
    there = [check for check in checks if any((tests / "fail" / check["check"]).glob("*.py"))]
    for check in there:
        lines += section_of(check, codes, tests)
    absent = ", ".join(f"`{check['check']}`" for check in checks if check not in there)
    if absent:
        lines += [f"Not there yet: {absent}.", ""]
    return "\n".join(lines).rstrip("\n") + "\n"
