"""The pytest plugin: kernels under test run on ascemu.

Enabled by `--ascemu`, the ini option `ascemu = true` or ASCEMU=1; then `import asc`, `asc2` and
`asctile` resolve to ascemu's modules before the first conftest is imported. Where it is not
enabled, it registers its options and its marker and does nothing else: the compiled core is not
imported.

`@pytest.mark.ascemu(platform=..., numerics=..., checks=..., ...)` puts settings in force while the
test function runs (not its fixtures), as `ascemu.options(...)` does.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import nullcontext
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from ascemu import settings, summary
from ascemu.dropin import activation

if TYPE_CHECKING:
    from ascemu._core import Diagnostic

_PACKAGE = Path(__file__).resolve().parent
_ENABLED = pytest.StashKey[bool]()
_FOUND = pytest.StashKey[list[tuple[Any, ...]]]()


def pytest_addoption(parser: pytest.Parser) -> None:
    group = parser.getgroup("ascemu", "kernels on the CPU (ascemu)")
    group.addoption(
        "--ascemu",
        action="store_true",
        dest="ascemu",
        help="let asc, asc2 and asctile resolve to ascemu",
    )
    group.addoption(
        "--ascemu-platform",
        metavar="NAME",
        help="the platform kernels run for until a test selects another one",
    )
    group.addoption(
        "--ascemu-numerics", metavar="MODE", help="how kernels compute: npu, ieee or fp64"
    )
    group.addoption(
        "--ascemu-overflow", metavar="MODE", help="what overflows become: inf or saturate"
    )
    group.addoption(
        "--ascemu-check",
        action="append",
        default=[],
        metavar="NAME=LEVEL",
        help="set a check to off, warn or error; may be repeated",
    )
    group.addoption(
        "--ascemu-threads", type=int, metavar="N", help="threads that share the blocks of a launch"
    )
    group.addoption(
        "--ascemu-schedule",
        metavar="ORDER",
        help="of the blocks: parallel, sequential, reverse, random[:SEED] or interleave",
    )
    group.addoption(
        "--ascemu-strict",
        action="store_true",
        help="findings of the check portability are errors",
    )
    group.addoption(
        "--ascemu-stop-at-first",
        action="store_true",
        help="end a launch at its first error finding",
    )
    group.addoption(
        "--ascemu-fresh",
        action="append",
        default=[],
        metavar="NAME",
        help="a kernel parameter whose array starts unwritten; may be repeated",
    )
    parser.addini("ascemu", "let asc, asc2 and asctile resolve to ascemu", type="bool")
    parser.addini("ascemu_checks", "levels of checks, name=level, one a line", type="linelist")
    parser.addini("ascemu_strict", "findings of the check portability are errors", type="bool")


@pytest.hookimpl(tryfirst=True)
def pytest_load_initial_conftests(early_config: pytest.Config) -> None:
    known = early_config.known_args_namespace
    wanted = known.ascemu or early_config.getini("ascemu") or os.environ.get("ASCEMU") == "1"
    if not wanted:
        return
    try:
        _apply_ini(early_config)
        settings.options(
            platform=known.ascemu_platform,
            numerics=known.ascemu_numerics,
            overflow=known.ascemu_overflow,
            checks=settings.parse_checks(",".join(known.ascemu_check)) or None,
            strict=known.ascemu_strict or None,
            stop_at_first=known.ascemu_stop_at_first or None,
            fresh=known.ascemu_fresh or None,
            threads=known.ascemu_threads,
            schedule=known.ascemu_schedule,
        )
        early_config.stash[_ENABLED] = True
        if not activation.is_active():
            activation.activate()
            early_config.add_cleanup(activation.deactivate)
    except (ValueError, RuntimeError) as error:
        raise pytest.UsageError(f"ascemu: {error}") from None


def _apply_ini(config: pytest.Config) -> None:
    """The levels of the ini file, where the environment sets no other."""
    chosen = settings.current().chosen_checks
    levels = settings.parse_checks(",".join(config.getini("ascemu_checks")))
    if config.getini("ascemu_strict"):
        levels.setdefault("portability", "error")
    settings.options(checks={name: level for name, level in levels.items() if name not in chosen})


def pytest_configure(config: pytest.Config) -> None:
    config.addinivalue_line(
        "markers",
        "ascemu(platform=..., numerics=..., checks=..., ...): settings of ascemu while the test "
        "function runs",
    )


def pytest_report_header(config: pytest.Config) -> str | None:
    if not config.stash.get(_ENABLED, False):
        return None
    from ascemu import __version__

    present = settings.current()
    chosen = ", ".join(f"{name}={level}" for name, level in present.chosen_levels().items())
    checks = chosen or "default levels"
    numerics = present.numerics + (", saturating" if present.overflow == "saturate" else "")
    return f"ascemu: {__version__}, {present.platform.value}, {numerics}, checks: {checks}"


@pytest.hookimpl(hookwrapper=True)
def pytest_runtest_call(item: pytest.Item) -> Iterator[None]:
    """Put the marker's settings in force; those of the closest marker win."""
    if not item.config.stash.get(_ENABLED, False):
        yield
        return
    settings.forget_printed()
    changes: dict[str, Any] = {}
    for marker in reversed(list(item.iter_markers("ascemu"))):
        if marker.args:
            raise pytest.UsageError("the marker ascemu takes keyword arguments only")
        changes |= marker.kwargs
    with settings.options(**changes) if changes else nullcontext(), settings.collect() as found:
        yield
    item.stash[_FOUND] = [tuple(fact) for fact in summary.facts_of(found)]


@pytest.hookimpl(hookwrapper=True)
def pytest_runtest_makereport(item: pytest.Item, call: pytest.CallInfo[None]) -> Iterator[None]:
    """A failure that is a finding shows the test's own frames and the rendered diagnostic."""
    outcome = yield
    if call.when == "call" and item.stash.get(_FOUND, None):
        outcome.get_result().ascemu_findings = item.stash[_FOUND]
    if call.excinfo is None or not item.config.stash.get(_ENABLED, False):
        return
    report = outcome.get_result()
    diagnostic = getattr(call.excinfo.value, "diagnostic", None)
    if not report.failed or diagnostic is None:
        return
    style = item.config.getoption("tbstyle", "auto")
    if style not in ("no", "native", "line"):
        report.longrepr = _shortened(
            call.excinfo, diagnostic, "short" if style == "short" else "long"
        )
    report.sections.append((f"ascemu: {diagnostic.code}", str(diagnostic)))


def pytest_terminal_summary(terminalreporter: Any) -> None:
    """What the tests' kernels found, by code; the reports of worker processes count too."""
    facts = [
        summary.Fact(*fact)
        for reports in terminalreporter.stats.values()
        for report in reports
        for fact in getattr(report, "ascemu_findings", ())
    ]
    lines = summary.summary_lines(facts)
    if lines:
        terminalreporter.section("ascemu")
        for line in lines:
            terminalreporter.write_line(line)


def _shortened(excinfo: pytest.ExceptionInfo, diagnostic: Diagnostic, style: str) -> Any:
    """The failure without the frames of ascemu and pytest, its message in one line."""
    shown = excinfo.getrepr(style=style, chain=False, tbfilter=_own_frames_dropped)
    name = excinfo.type.__name__
    summary = f"{name}: {diagnostic.message}"
    shown.reprcrash.message = summary
    entry = shown.reprtraceback.reprentries[-1]
    entry.lines[:] = [line for line in entry.lines if not line.startswith("E ")]
    entry.lines.append(f"E   {summary}")
    return shown


def _own_frames_dropped(excinfo: pytest.ExceptionInfo) -> Any:
    """The traceback's entries in the test and what it calls; all of them where that leaves none."""

    def is_foreign(entry: Any) -> bool:
        module = entry.frame.f_globals.get("__name__", "")
        inside = _PACKAGE in Path(str(entry.path)).resolve().parents
        return not inside and module.partition(".")[0] not in ("_pytest", "pluggy")

    return excinfo.traceback.filter(is_foreign) or excinfo.traceback
