"""Run every example and show what a broken kernel's diagnostic looks like; `make run` calls this.

Every example is a module with a function `example()` that performs one representative launch on
seeded inputs and returns a `checking.Outcome`:

    name       the file's name without `.py`
    blocks     blocks of the launch
    elements   output elements compared
    checks     output arrays compared with a float64 (or exact integer) reference
    max_error  largest absolute difference from the reference
    ok         whether every check is within the tolerance the file states
    verdict    what is wrong, empty when `ok`
    outputs    the output arrays themselves

Exit status: 0 when every example is within tolerance and every broken kernel is refused.
"""

import argparse
import dataclasses
import hashlib
import importlib
import json
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import ascemu
import numpy as np

FOLDER = Path(__file__).resolve().parent
BROKEN = FOLDER / "broken"
NO_EXAMPLES = {"checking", "conftest", "run_all"}
SHOWN = "declared_too_large"


@dataclasses.dataclass
class Record:
    """One line of the closing table and one object of `--json`."""

    name: str
    blocks: int = 0
    elements: int = 0
    checks: int = 0
    seconds: float = 0.0
    max_error: float | None = None
    ok: bool = False
    verdict: str = ""
    digest: str = ""


def example_names() -> list[str]:
    """The examples in the folder, sorted."""
    names = (path.stem for path in FOLDER.glob("*.py"))
    return sorted(n for n in names if n not in NO_EXAMPLES and not n.startswith("test_"))


def broken_names() -> list[str]:
    """The broken kernels in the folder, sorted."""
    return sorted(path.stem for path in BROKEN.glob("*.py"))


def digest(arrays) -> str:
    """SHA-256 over dtype, shape and bytes of the outputs."""
    state = hashlib.sha256()
    for array in arrays:
        array = np.ascontiguousarray(array)
        state.update(f"{array.dtype} {array.shape} ".encode())
        state.update(array.tobytes())
    return state.hexdigest()


def run_example(name: str) -> Record:
    """Import one example and perform its launch; an exception becomes a failed record."""
    start = time.perf_counter()
    try:
        result = importlib.import_module(name).example()
    except Exception as error:
        seconds = time.perf_counter() - start
        return Record(name, seconds=seconds, verdict=f"{type(error).__name__}: {error}")
    return Record(
        name=name,
        blocks=result.blocks,
        elements=result.elements,
        checks=result.checks,
        seconds=time.perf_counter() - start,
        max_error=result.max_error,
        ok=result.ok,
        verdict=result.verdict,
        digest=digest(result.outputs),
    )


def run_broken(name: str) -> Record:
    """Launch one broken kernel; `ok` means it was refused as its file says."""
    module = importlib.import_module(name)
    start = time.perf_counter()
    try:
        module.launch()
    except Exception as error:
        text = str(error)
        expected = module.EXPECTED in (cls.__name__ for cls in type(error).__mro__)
        explained = all(word in text for word in module.MENTIONS)
        return Record(
            name, seconds=time.perf_counter() - start, ok=expected and explained, verdict=text
        )
    return Record(name, seconds=time.perf_counter() - start, verdict="ran without an error")


def prepare() -> None:
    """Alias the language's modules and make the examples importable."""
    ascemu.activate()
    for folder in (BROKEN, FOLDER):
        if str(folder) not in sys.path:
            sys.path.insert(0, str(folder))


def run_examples(names: list[str], announce: bool) -> Iterator[Record]:
    """Run the examples one after another, with a line before and after each when asked."""
    width = max(map(len, names), default=0)
    for number, name in enumerate(names, 1):
        if announce:
            print(f"[{number:2}/{len(names)}] {name:<{width}} ", end="", flush=True)
        record = run_example(name)
        if announce:
            print("ok" if record.ok else "FAILED\n" + record.verdict, flush=True)
        yield record


def print_table(records: list[Record]) -> None:
    """The closing table."""
    from rich.console import Console
    from rich.table import Table

    table = Table(title="Kernels run on the CPU, checked against float64 references")
    table.add_column("kernel", no_wrap=True)
    for heading in ("blocks", "elements", "checks", "time", "max error", "result"):
        table.add_column(heading, justify="right", no_wrap=True)
    for record in records:
        error = "-" if record.max_error is None else f"{record.max_error:.1e}"
        table.add_row(
            record.name,
            str(record.blocks),
            f"{record.elements:,}",
            str(record.checks),
            f"{1000 * record.seconds:.1f} ms",
            error if record.max_error else error.replace("0.0e+00", "0"),
            "ok" if record.ok else "FAILED",
        )
    console = Console()
    if not console.is_terminal:
        console = Console(width=100)
    console.print(table)


def print_summary(records: list[Record], broken: list[Record]) -> None:
    """Totals, one diagnostic in full, one line for each other broken kernel."""
    passed = sum(r.ok for r in records)
    seconds = sum(r.seconds for r in records)
    print(
        f"{passed} of {len(records)} examples within tolerance, "
        f"{sum(r.checks for r in records)} checks, {seconds:.1f} s"
    )
    for record in sorted(broken, key=lambda r: r.name != SHOWN):
        if record.name == SHOWN or not record.ok:
            print(f"\nA kernel that is wrong on purpose, examples/broken/{record.name}.py:\n")
            print(record.verdict, flush=True)
    refused = [r.name for r in broken if r.ok]
    print(f"\n{len(refused)} of {len(broken)} broken kernels refused: {', '.join(refused)}")


def main(arguments: list[str] | None = None) -> int:
    """Entry point; see the module's docstring for the exit status."""
    parser = argparse.ArgumentParser(description="Run the example kernels.")
    parser.add_argument("names", nargs="*", help="examples to run (default: all)")
    parser.add_argument("--json", action="store_true", help="one JSON object a line instead")
    options = parser.parse_args(arguments)
    unknown = sorted(set(options.names) - set(example_names()))
    if unknown:
        parser.error(f"no such example: {', '.join(unknown)}; there are {example_names()}")
    prepare()
    config = importlib.import_module("asc.runtime.config")
    config.set_platform(config.Backend.Model, config.Platform.Ascend950PR_9599, check=False)
    # The examples are written for the newest generation; what an older one does is not the subject.
    ascemu.options(checks={"portability": "off"})
    names = options.names or example_names()
    records = []
    for record in run_examples(names, announce=not options.json):
        records.append(record)
        if options.json:
            print(json.dumps({"kind": "example", **dataclasses.asdict(record)}), flush=True)
    broken = [] if options.names else [run_broken(name) for name in broken_names()]
    if options.json:
        for record in broken:
            print(json.dumps({"kind": "broken", **dataclasses.asdict(record)}), flush=True)
    else:
        print_table(records)
        print_summary(records, broken)
    return 0 if all(r.ok for r in records + broken) else 1


if __name__ == "__main__":
    raise SystemExit(main())
