"""`ascemu check FILE`: what can be said of a file's kernels without being given inputs.

What it is: the file is imported, its tests without parameters are called, and every kernel that
nothing of this launched is traced and run with generated inputs (generated.py). What it is not: a
proof; what was not checked is said. Kernels are the jit functions at the file's module level.
Invariant: findings of generated inputs alone never fail the command, because the inputs may be what
is wrong; those of a trace and of the file's own launches do.
"""

from __future__ import annotations

import argparse
import contextlib
import dataclasses
import importlib.util
import inspect
import io
import json
import os
import sys
from collections.abc import Iterator
from types import ModuleType
from typing import Any

from ascemu import settings, summary
from ascemu.cli.generated import DTYPES, Unknown, blocks_for, gives_value, inputs_for
from ascemu.cli.run import apply_settings
from ascemu.cli.usage import UsageError

MAX_STEPS = 200_000
# What a launch with generated inputs says nothing about: the arrays' lengths are made up.
DEPENDS_ON_INPUTS = ("bounds", "numeric", None)
NOT_CHECKED = (
    "array bounds, numeric events and assertions of generated inputs",
    "other dtypes, sizes, numbers of blocks and branches that these inputs do not take",
    "the values of the results",
)


@dataclasses.dataclass
class Report:
    """What was found of one kernel and how."""

    kernel: str
    line: int
    how: str  # "launched", "generated", "traced", "called", "skipped"
    text: str
    findings: list[Any] = dataclasses.field(default_factory=list)


def check_command(arguments: argparse.Namespace) -> int:
    """The command `check`; 1 where a trace or a launch of the file's own has an error."""
    apply_settings(arguments)
    path = os.path.abspath(arguments.file)
    troubles: list[str] = []
    with _quiet(), settings.collect() as own:
        module = _imported(path, arguments.file, troubles)
        if module is not None:
            _call_tests(module, path, troubles)
    reports = [] if module is None else [_checked(kernel) for kernel in _kernels(module, path)]
    if arguments.json:
        print(json.dumps(_as_json(own, reports, troubles), indent=1))
    else:
        _print(own, reports, troubles)
    failed = [*own, *(f for r in reports if r.how == "traced" for f in r.findings)]
    return int(any(f.severity == "error" for f in failed) or bool(troubles))


@contextlib.contextmanager
def _quiet() -> Iterator[None]:
    """Without what the file prints and without the warnings, which the report repeats."""
    with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()):
        yield


def _imported(path: str, given: str, troubles: list[str]) -> ModuleType | None:
    """The file as a module that is not the main program."""
    name = os.path.splitext(os.path.basename(path))[0]
    spec = importlib.util.spec_from_file_location(name, path)
    if spec is None or spec.loader is None or not os.path.isfile(path):
        raise UsageError(f"cannot read {given}: it is no Python file")
    module = importlib.util.module_from_spec(spec)
    sys.path.insert(0, os.path.dirname(path))
    sys.modules.setdefault(name, module)
    try:
        spec.loader.exec_module(module)
    except (Exception, SystemExit) as error:
        if not hasattr(error, "diagnostic"):
            troubles.append(f"importing the file raised {type(error).__name__}: {error}")
            return None
    return module


def _call_tests(module: ModuleType, path: str, troubles: list[str]) -> None:
    """Call the file's test functions that need nothing."""
    for name, test in list(vars(module).items()):
        if not name.startswith("test") or not inspect.isfunction(test):
            continue
        if inspect.signature(test).parameters or test.__code__.co_filename != path:
            continue
        try:
            test()
        except _skipped():
            continue
        except (Exception, SystemExit) as error:
            if not hasattr(error, "diagnostic"):
                troubles.append(f"{name} raised {type(error).__name__}: {error}")


def _skipped() -> tuple[type[BaseException], ...]:
    """What pytest.skip and pytest.importorskip raise, where the file has imported pytest."""
    pytest = sys.modules.get("pytest")
    return () if pytest is None else (pytest.skip.Exception,)


def _kernels(module: ModuleType, path: str) -> list[Any]:
    from ascemu.launch.jit import JITFunction

    found = {id(value): value for value in vars(module).values() if isinstance(value, JITFunction)}
    own = [kernel for kernel in found.values() if os.path.abspath(kernel.source.path) == path]
    return sorted(own, key=lambda kernel: kernel.source.first_line)


def _checked(kernel: Any) -> Report:
    report = Report(kernel.__name__, kernel.source.header.lineno, "launched", "by the file itself")
    if kernel.launches:
        return report
    if gives_value(kernel):
        report.how, report.text = "called", "it returns a value: checked where kernels call it"
        return report
    first: list[Any] = []
    for dtype in DTYPES:
        try:
            inputs = inputs_for(kernel, dtype)
        except Unknown as error:
            report.how, report.text = "skipped", str(error)
            return report
        report.text, report.findings = inputs.text, []
        if _traces(kernel, inputs.arguments, report):
            _run(kernel, inputs.arguments, report)
            return report
        first = first or [report.text, report.findings]
    report.how, (report.text, report.findings) = "traced", first
    return report


def _traces(kernel: Any, inputs: dict[str, Any], report: Report) -> bool:
    """Trace without running; keeps what was found, false where the kernel is refused."""
    report.how = "traced"
    with _quiet(), settings.collect() as found, _dry_run():
        try:
            kernel[blocks_for(kernel)](**inputs)
        except Exception as error:
            if not found and not hasattr(error, "diagnostic"):
                report.text += f" (raised {type(error).__name__}: {error})"
            report.findings = list(found)
            return False
    report.findings = list(found)
    return True


def _run(kernel: Any, inputs: dict[str, Any], report: Report) -> None:
    """Run, and add what does not depend on the inputs' sizes and values."""
    traced = {(f.code, f.line, f.message) for f in report.findings}
    with (
        _quiet(),
        settings.collect() as found,
        settings.options(max_steps=MAX_STEPS),
        contextlib.suppress(Exception),
    ):
        kernel[blocks_for(kernel)](**inputs)
    stopped = [f for f in found if f.kind == "exhaustion"]
    report.text += f" ({stopped[0].message})" if stopped else ""
    report.findings += [
        f
        for f in found
        if f.check not in DEPENDS_ON_INPUTS and (f.code, f.line, f.message) not in traced
    ]
    report.how = "generated"


@contextlib.contextmanager
def _dry_run() -> Iterator[None]:
    before = os.environ.get("PYASC_DRY_RUN")
    os.environ["PYASC_DRY_RUN"] = "1"
    try:
        yield
    finally:
        if before is None:
            del os.environ["PYASC_DRY_RUN"]
        else:
            os.environ["PYASC_DRY_RUN"] = before


def _print(own: list[Any], reports: list[Report], troubles: list[str]) -> None:
    colour = settings.current().use_colour(sys.stdout)
    for finding in own:
        print(finding.render(colour), end="\n\n")
    for report in reports:
        for finding in report.findings:
            print(finding.render(colour))
            print(f"   = found with: {report.text}", end="\n\n")
    for report in reports:
        print(f"{report.kernel} (line {report.line}): {_said(report)}")
    if not reports:
        print("no kernels at the module level of this file")
    for trouble in troubles:
        print(trouble)
    facts = _facts(own, reports)
    print("\n".join(summary.summary_lines(facts) or ["no findings"]))
    print("not checked:", "; ".join(NOT_CHECKED))


def _facts(own: list[Any], reports: list[Report]) -> list[summary.Fact]:
    """What the file's own launches and the reports found, in this order."""
    return summary.facts_of([*own, *(f for report in reports for f in report.findings)])


def _said(report: Report) -> str:
    words = {
        "launched": "launched",
        "generated": "traced and run with",
        "traced": "refused with",
        "called": "not launched:",
        "skipped": "not checked:",
    }
    return f"{words[report.how]} {report.text}"


def _as_json(own: list[Any], reports: list[Report], troubles: list[str]) -> dict[str, Any]:
    def plain(findings: list[Any]) -> list[Any]:
        return [json.loads(finding.to_json()) for finding in findings]

    return {
        "findings": plain(own),
        "kernels": [{**vars(report), "findings": plain(report.findings)} for report in reports],
        "troubles": troubles,
        "summary": [row._asdict() for row in summary.summarised(_facts(own, reports))],
        "not_checked": list(NOT_CHECKED),
    }
