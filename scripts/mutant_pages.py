"""docs/example-mutants.md: which of the classic mistakes in the examples were noticed, and by what.

What it is: the page's text from docs/reports/example_mutants.json, which mutate_examples.py writes.
What it is not: a run of the mutants.
"""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path

VERDICTS = {
    "check": "by a check",
    "refused": "refused",
    "value": "by a wrong value",
    "equivalent": "equivalent",
    "missed": "missed",
}
CAUGHT = ("check", "refused", "value")


def read_mutants(report: Path) -> list[dict]:
    """The rows of the report, one a mutant; none where no run has written one."""
    return json.loads(report.read_text(encoding="utf-8")) if report.exists() else []


def tally_table(title: str, key: str, mutants: list[dict]) -> list[str]:
    """How many mutants had each verdict, by one of their fields."""
    lines = [f"| {title} | mutants | " + " | ".join(VERDICTS.values()) + " |"]
    lines.append("|---|" + "--:|" * (len(VERDICTS) + 1))
    for value in dict.fromkeys(mutant[key] for mutant in mutants):
        verdicts = [mutant["verdict"] for mutant in mutants if mutant[key] == value]
        counts = (str(verdicts.count(verdict)) for verdict in VERDICTS)
        lines.append(f"| {value} | {len(verdicts)} | " + " | ".join(counts) + " |")
    return [*lines, ""]


def render_mutants(mark: str, mutants: list[dict]) -> str:
    """The page: totals, by mistake, by example, by what noticed, and every missed mutant."""
    verdicts = Counter(mutant["verdict"] for mutant in mutants)
    caught = sum(verdicts[verdict] for verdict in CAUGHT)
    lines = [
        mark,
        "",
        "# Classic mistakes in the examples",
        "",
        f"{len(mutants)} mutants of the examples, made mechanically by "
        "`scripts/example_mutants.py` and judged by `scripts/mutate_examples.py` (part of "
        f"`make test-exhaustive`) with the default levels: {caught} caught, "
        f"{verdicts['equivalent']} equivalent, {verdicts['missed']} missed.",
        "",
        "A mutant is *caught* by a finding of a check, by a refusal of the front end or the "
        "launch, or because the example's own comparison or one of its tests fails. It is "
        "*equivalent* where nothing is found, every test passes and the outputs are those of the "
        "example bit by bit. Arrays from `numpy.empty` hold a pattern meanwhile, so that what is "
        "never stored is not right by chance.",
        "",
        *tally_table("mistake", "operator", mutants),
        *tally_table("example", "example", mutants),
    ]
    lines += ["## What noticed", "", "| finding or comparison | mutants |", "|---|--:|"]
    found = Counter(mutant["by"] for mutant in mutants if mutant["verdict"] in CAUGHT)
    lines += [f"| {name} | {count} |" for name, count in sorted(found.items())]
    lines += ["", "## Missed", ""]
    for mutant in mutants:
        if mutant["verdict"] == "missed":
            lines.append(
                f"- {mutant['example']}, line {mutant['line']}: `{mutant['before']}` became "
                f"`{mutant['after']}`. {mutant['by']}"
            )
    if not verdicts["missed"]:
        lines.append("None.")
    return "\n".join(lines) + "\n"
