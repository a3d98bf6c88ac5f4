"""What the default checks cost: every example with them and with all checks off, in turn.

Usage: .venv/bin/python bench/checks_cost.py [--rounds N] [EXAMPLE...]

What it is: for each example the median over the rounds of time(default levels) / time(all off),
both measured in turn in this process, with one thread, in the core's launches alone; and the ratio
of the sums of the medians, which is to stay within 1.3. What it is not: a test; times are of
one machine.
"""

from __future__ import annotations

import argparse
import contextlib
import importlib
import io
import statistics
import sys
import time
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "examples"))

import ascemu  # noqa: E402
import ascemu.settings  # noqa: E402
from ascemu import _core  # noqa: E402

OFF = dict.fromkeys(ascemu.settings.CHECK_DEFAULTS, "off")


class Stopwatch:
    """Stands for the core's launch and adds up the time spent inside."""

    def __init__(self) -> None:
        self.launch = _core.launch
        self.seconds = 0.0

    def __call__(self, *args: Any) -> Any:
        start = time.perf_counter()
        try:
            return self.launch(*args)
        finally:
            self.seconds += time.perf_counter() - start


def seconds(example: str, checks: dict[str, str], watch: Stopwatch) -> float:
    """Of the launches of one representative run of an example."""
    module = importlib.import_module(example)
    watch.seconds = 0.0
    with ascemu.options(threads=1, checks=checks), contextlib.redirect_stderr(io.StringIO()):
        module.example()
    return watch.seconds


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--rounds", type=int, default=9)
    parser.add_argument("examples", nargs="*")
    arguments = parser.parse_args()
    ascemu.activate()
    watch = _core.launch = Stopwatch()
    run_all = importlib.import_module("run_all")
    with_checks, without = 0.0, 0.0
    for example in arguments.examples or run_all.example_names():
        seconds(example, {}, watch)
        seconds(example, OFF, watch)
        pairs = [
            (seconds(example, {}, watch), seconds(example, OFF, watch))
            for _ in range(arguments.rounds)
        ]
        ratio = statistics.median(on / off for on, off in pairs)
        on, off = (statistics.median(times) for times in zip(*pairs, strict=True))
        with_checks, without = with_checks + on, without + off
        print(f"{example:24} {1e3 * on:9.2f} ms with {1e3 * off:9.2f} ms without {ratio:6.2f}")
    print(f"all examples: {with_checks / without:.2f} times the time without checks")
    return 0


if __name__ == "__main__":
    sys.exit(main())
