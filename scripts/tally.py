"""Count test results out of JUnit files, as ctest and pytest write them."""

from __future__ import annotations

import xml.etree.ElementTree as ET
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True)
class Tally:
    """How many tests passed, failed and were skipped; tallies add up."""

    passed: int = 0
    failed: int = 0
    skipped: int = 0

    def __add__(self, other: Tally) -> Tally:
        return Tally(
            self.passed + other.passed,
            self.failed + other.failed,
            self.skipped + other.skipped,
        )

    def __str__(self) -> str:
        line = f"{self.passed} passed, {self.failed} failed"
        return line + (f", {self.skipped} skipped" if self.skipped else "")

    @property
    def exit_code(self) -> int:
        """0 only where at least one test passed and none failed."""
        return 0 if self.passed and not self.failed else 1


def read_junit(report: Path, returncode: int) -> Tally:
    """Tally `report`, written by a runner that ended with `returncode`.

    A runner that failed without naming a failed test (it crashed, collected nothing, or wrote no
    report) counts as one failure, so that no such run can look green.
    """
    tally = Tally()
    try:
        cases = ET.parse(report).getroot().iter("testcase")
    except (OSError, ET.ParseError):
        return Tally(failed=1)
    for case in cases:
        kinds = {child.tag for child in case}
        if kinds & {"failure", "error"} or case.get("status") == "fail":
            tally += Tally(failed=1)
        elif "skipped" in kinds or case.get("status") in {"notrun", "disabled"}:
            tally += Tally(skipped=1)
        else:
            tally += Tally(passed=1)
    if returncode and not tally.failed:
        tally += Tally(failed=1)
    return tally
