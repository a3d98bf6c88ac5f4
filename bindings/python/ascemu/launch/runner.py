"""Running a program over marshalled arguments, and what becomes of the findings.

What it is: the block count, the call of the core, delivery of findings, the exception a launch
raises. What it is not: the settings themselves (ascemu.settings).
Invariant: every finding is delivered once; a launch raises at most one exception, that of the first
error finding of the lowest block.
"""

from __future__ import annotations

import operator
import os
import sys
from collections.abc import Iterable, Sequence
from typing import Any

from ascemu import _core, errors, settings
from ascemu._core import Diagnostic, Program
from ascemu.frontend.capture import Source
from ascemu.launch import options as jit_options
from ascemu.launch.arguments import Marshalled
from ascemu.launch.cache import Changed
from ascemu.platforms import default_blocks
from ascemu.policy import Policy, policy_for

_BUILTIN_CLASSES: dict[str, type[Exception]] = {
    kind.__name__: kind
    for kind in (
        TypeError,
        ValueError,
        RuntimeError,
        NotImplementedError,
        AttributeError,
        IndexError,
        NameError,
        OverflowError,
        AssertionError,
    )
}


class Target:
    """What the settings in force say to a launch, for one namespace."""

    __slots__ = ("settings", "platform", "chip", "checks", "threads", "_policy")

    def __init__(self, chosen: settings.Settings, namespace: str) -> None:
        self.settings = chosen
        self.platform = chosen.asc_platform if namespace == "asc" else chosen.platform
        self.chip = self.platform.chip
        self.checks = chosen.chosen_levels()
        self.threads = chosen.threads or 0
        self._policy: Policy | None = None

    def policy(self, numerics: str | None, overflow: str | None) -> Policy:
        """The policy of a launch; None leaves it to the settings.

        ValueError where mode and platform do not go together.
        """
        chosen = self.settings
        if numerics is None and overflow is None:
            if self._policy is None:
                self._policy = policy_for(self.platform, chosen.numerics, chosen.overflow)
            return self._policy
        jit_options.check_policy(numerics, overflow)
        return policy_for(self.platform, numerics or chosen.numerics, overflow or chosen.overflow)


_targets: dict[str, Target] = {}


def present_target(namespace: str) -> Target:
    """The target of the settings in force; made anew only when they changed."""
    chosen = settings.current()
    target = _targets.get(namespace)
    if target is None or target.settings is not chosen:
        target = _targets[namespace] = Target(chosen, namespace)
    return target


def block_count(core_num: Any, program: Program, target: Target) -> int:
    """How many blocks a launch has; None means all cores of the platform (spec §1.2).

    ValueError for a count below 1, TypeError for what is no integer.
    """
    if core_num is None:
        return target.settings.blocks or default_blocks(target.platform, program.has_cube)
    try:
        count = operator.index(core_num)
    except TypeError:
        raise TypeError(
            f"Parse user launch options failed: 'core_num' must be an integer or None, "
            f"got {core_num!r}"
        ) from None
    if count <= 0:
        raise ValueError(f"'core_num' must be positive, got {count}")
    return count


def is_dry_run() -> bool:
    """Whether the environment asks for checks without execution (spec §1.5); "0" is no."""
    asked = os.environ.get("PYASC_DRY_RUN") or os.environ.get("DRY_RUN") or "0"
    return asked.lower() not in ("0", "false")


def execute(program: Program, marshalled: Marshalled, blocks: int, target: Target) -> None:
    """Run the blocks; prints what the kernel printed, then raises what it deserves.

    KeyboardInterrupt where Ctrl-C stopped the launch; ValueError, before anything runs, where the
    setting `fresh` names what is no array of the kernel; arrays that were copied are written back
    in every case, so that they hold what the device's would.
    """
    chosen = target.settings
    result = _core.launch(
        program,
        marshalled.values,
        blocks,
        target.threads,
        target.checks,
        chosen.max_steps,
        chosen.findings_limit,
        chosen.stop_at_first,
        chosen.schedule,
        chosen.fresh,
    )
    marshalled.write_back()
    if result.printed:
        sys.stdout.write(result.printed)
    if result.interrupted:
        raise KeyboardInterrupt
    findings = result.findings
    if result.findings_dropped:
        settings.note_dropped(result.findings_dropped)
    if findings:
        settings.deliver(findings)
        raise_first(findings)


def raise_first(findings: Sequence[Diagnostic]) -> None:
    """Raise for the first error among `findings`, which are ordered by block."""
    for diagnostic in findings:
        if diagnostic.severity == "error":
            raise exception_for(diagnostic, findings)


def exception_for(diagnostic: Diagnostic, findings: Sequence[Diagnostic]) -> Exception:
    """The exception of a finding's class, with `.diagnostic`, `.diagnostics` and its text."""
    kind = _BUILTIN_CLASSES.get(diagnostic.exception) or getattr(errors, diagnostic.exception)
    error: Any = kind(str(diagnostic))
    error.diagnostic = diagnostic
    error.diagnostics = list(findings)
    return error


def deliver_static(findings: Sequence[Diagnostic]) -> None:
    """Deliver what the trace warned of, at the level the settings give its check."""
    if findings:
        shown = _at_levels(findings)
        settings.deliver(shown)
        raise_first(shown)


def _at_levels(findings: Iterable[Diagnostic]) -> list[Diagnostic]:
    """Warnings of the trace without those whose check is off; errors where it is "error".

    A code without a check stays the warning it is.
    """
    chosen = settings.current().chosen_levels()
    shown = []
    for finding in findings:
        level = _core.level_of(finding.code, chosen) if finding.check else "warn"
        if level != "off":
            shown.append(finding.with_severity("error") if level == "error" else finding)
    return shown


def deliver_refusal(error: Any) -> None:
    """Deliver what was found before a launch was refused, and the refusal itself."""
    findings = _at_levels(getattr(error, "warnings", None) or ())
    diagnostic = getattr(error, "diagnostic", None)
    if diagnostic is not None:
        findings.append(diagnostic)
        error.diagnostics = list(findings)
    settings.deliver(findings)


def changed_global(source: Source, change: Changed) -> Diagnostic:
    """The portability finding for a global that a launch found changed (spec §12.8)."""
    place: Any = source.header
    return _core.make_diagnostic(
        "portability",
        f"'{change.name}', which this kernel reads, changed from {_short(change.before)} to "
        f"{_short(change.after)} between launches; the new value is used",
        path=source.path,
        text=source.text,
        first_line=source.first_line,
        line=place.lineno,
        column=place.col_offset,
        end_line=place.end_lineno,
        end_column=place.end_col_offset,
        help="A device front end refuses this; pass the value as a ConstExpr parameter.",
        severity="warning",
    )


def _short(value: Any) -> str:
    text = repr(value)
    return text if len(text) <= 40 else text[:37] + "..."
