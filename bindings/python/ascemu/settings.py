"""The settings of ascemu and where findings go.

What it is: one frozen `Settings` for the process, changed by `options()`, and the list of active
`collect()` blocks. Both are plain process-wide state behind a lock, not context variables: a worker
thread sees what the main thread set. Threads that need different settings at the same time must
take turns.
What it is not: the options of `jit`, which belong to one kernel.
Invariant: every value in `current()` is legal. Importing this module does not import the compiled
core.

Environment, read once when the settings are first needed (a bad value is a ValueError that names
the variable): ASCEMU_PLATFORM (a platform's name), ASCEMU_THREADS (a count, 0 for all cores),
ASCEMU_CHECKS (`name=level`, separated by commas), ASCEMU_NUMERICS, ASCEMU_OVERFLOW and
ASCEMU_SCHEDULE (as the options of those names).
"""

from __future__ import annotations

import dataclasses
import difflib
import os
import sys
import threading
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from ascemu.platforms import Backend, Platform, platform_of
from ascemu.policy import NUMERICS, OVERFLOW

if TYPE_CHECKING:
    from ascemu._core import Diagnostic

# The rows of interp/diag/checks.def: every check and its default level.
CHECK_DEFAULTS: Mapping[str, str] = MappingProxyType(
    {
        "location": "error",
        "bounds": "error",
        "capacity": "error",
        "alignment": "error",
        "uninitialised": "error",
        "race": "error",
        "ordering": "error",
        "portability": "warn",
        "numeric": "off",
    }
)
CHECK_LEVELS = ("off", "warn", "error")
SCHEDULES = ("parallel", "sequential", "reverse", "random", "interleave")


@dataclass(frozen=True)
class Settings:
    """What every launch reads; see `options` for the meaning of the fields.

    `chosen_checks` names the checks whose level somebody set: the codes of the others that rest on
    inference about the device only are warnings (docs/diagnostics.md says which).
    """

    platform: Platform = Platform.Ascend950PR_9599
    asc_platform: Platform = Platform.Ascend910B1
    backend: Backend = Backend.Model
    device_id: int | None = None
    numerics: str = "npu"
    overflow: str = "inf"
    checks: Mapping[str, str] = field(default_factory=lambda: CHECK_DEFAULTS)
    chosen_checks: frozenset[str] = frozenset()
    threads: int | None = None
    schedule: str = "parallel"
    max_steps: int = 0
    findings_limit: int = 100
    stop_at_first: bool = False
    fresh: tuple[str, ...] = ()
    blocks: int | None = None
    colour: bool | None = None
    json: bool = False

    def chosen_levels(self) -> dict[str, str]:
        """The levels that somebody set, which is what the core is told."""
        return {name: self.checks[name] for name in self.checks if name in self.chosen_checks}

    def use_colour(self, stream: Any) -> bool:
        """Whether text for `stream` is coloured: as set, else on terminals without NO_COLOR."""
        if self.colour is not None:
            return self.colour
        if os.environ.get("NO_COLOR") or os.environ.get("TERM") == "dumb":
            return False
        return bool(getattr(stream, "isatty", lambda: False)())


class Findings(list["Diagnostic"]):
    """What `collect()` gathers; `dropped` counts what the launches found beyond findings_limit."""

    dropped = 0


_lock = threading.RLock()
_settings: Settings | None = None
_collectors: list[Findings] = []
_printed: set[tuple[str, str | None, int | None]] = set()


def current() -> Settings:
    """The settings in force; ValueError where the environment holds a bad value."""
    global _settings
    with _lock:
        if _settings is None:
            _settings = dataclasses.replace(Settings(), **_from_environment())
        return _settings


class Applied:
    """What `options` returns: leaving it as a context manager restores what the call changed."""

    def __init__(self, before: Mapping[str, Any]) -> None:
        self._before = before

    def __enter__(self) -> Settings:
        return current()

    def __exit__(self, *exc_info: object) -> None:
        _change(self._before)


def options(
    *,
    platform: Platform | str | None = None,
    numerics: str | None = None,
    overflow: str | None = None,
    checks: Mapping[str, str] | None = None,
    strict: bool | None = None,
    threads: int | None = None,
    schedule: str | None = None,
    max_steps: int | None = None,
    findings_limit: int | None = None,
    stop_at_first: bool | None = None,
    fresh: Sequence[str] | None = None,
    blocks: int | None = None,
    colour: bool | str | None = None,
    json: bool | None = None,
) -> Applied:
    """Change settings, at once and for the whole process; None leaves a setting unchanged.

    Used as a context manager, the settings that this call changed are restored on leaving.

    platform        the chip that kernels run for, of all three namespaces
    numerics        "npu": as the platform's chip computes; "ieee": exactly as written, one
                    rounding an op; "fp64": every float intermediate in double
    overflow        "inf": infinities and NaN are kept; "saturate": float16 and bfloat16 results
                    are clamped, on 910B and 910_93 with numerics="npu"
    checks          check name -> "off", "warn" or "error", merged over the present levels
    strict          True: portability findings are errors; False: warnings
    threads         OS threads that share the blocks; 0: OMP_NUM_THREADS or all cores
    schedule        "parallel": threads share the blocks; "sequential", "reverse", "random",
                    "random:SEED": one block at a time in that order; "interleave": the blocks
                    take turns at every access of an array. The results of a kernel without races
                    do not depend on it
    max_steps       statements that a block may execute; 0: no limit
    findings_limit  findings kept per launch; the rest is counted
    stop_at_first   True: a launch ends at its first error, its blocks run one after another
    fresh           names of kernel parameters whose arrays start unwritten in every launch: the
                    check uninitialised tells what is read of them before it is written
    blocks          what `kernel[None]` launches; 0: the platform's number of cores
    colour          True, False or "auto": on terminals only, and not under NO_COLOR
    json            print findings as one JSON object a line instead of text

    ValueError for an illegal value.
    """
    given = {name: value for name, value in locals().items() if value is not None}
    if strict is not None and checks is not None and "portability" in checks:
        raise ValueError("strict sets the level of portability; give one of the two")
    return Applied(_change(_checked(given)))


def select_platform(backend: Backend, platform: Platform | None, device_id: int | None) -> None:
    """What `set_platform` does once its arguments are checked; None keeps the platform."""
    changes: dict[str, Any] = {"backend": backend, "device_id": device_id}
    if platform is not None:
        changes |= {"platform": platform, "asc_platform": platform}
    _change(changes)


@contextmanager
def collect() -> Iterator[Findings]:
    """Gather every finding of the launches inside, warnings and the raised ones included."""
    found = Findings()
    with _lock:
        _collectors.append(found)
    try:
        yield found
    finally:
        with _lock:
            _collectors[:] = [other for other in _collectors if other is not found]


def deliver(diagnostics: Iterable[Diagnostic]) -> None:
    """Hand findings to every active `collect()` and print the warnings to stderr.

    A warning is printed once per code, file and line; errors are not printed, they are raised.
    With the setting `json` every finding is printed, errors too.
    """
    for diagnostic in diagnostics:
        with _lock:
            for found in _collectors:
                found.append(diagnostic)
            settings = current()
            is_warning = diagnostic.severity == "warning"
            place = (diagnostic.code, diagnostic.file, diagnostic.line)
            if is_warning and place in _printed:
                continue
            if is_warning:
                _printed.add(place)
            elif not settings.json:
                continue
        if settings.json:
            print(diagnostic.to_json(), file=sys.stderr)
        else:
            print(diagnostic.render(settings.use_colour(sys.stderr)), file=sys.stderr)


def note_dropped(count: int) -> None:
    """Tell every active `collect()` of findings that a launch counted only."""
    with _lock:
        for found in _collectors:
            found.dropped += count


def forget_printed() -> None:
    """Begin a new run: warnings that were printed before are printed again."""
    with _lock:
        _printed.clear()


def parse_checks(text: str) -> dict[str, str]:
    """`name=level[,name=level...]` as the mapping that `options(checks=)` takes."""
    levels = {}
    for part in filter(None, (part.strip() for part in text.split(","))):
        name, equals, level = part.partition("=")
        if not equals:
            raise ValueError(f"{part!r} is not of the form name=level, as in bounds=warn")
        levels[name.strip()] = level.strip()
    return _checked_levels(levels)


def _change(changes: Mapping[str, Any]) -> dict[str, Any]:
    """Put checked values in force; returns the former values of the same fields."""
    global _settings
    if not changes:
        return {}
    with _lock:
        before = current()
        _settings = dataclasses.replace(before, **changes)
        return {name: getattr(before, name) for name in changes}


def _checked(given: Mapping[str, Any]) -> dict[str, Any]:
    """The fields of Settings that the arguments of `options` stand for."""
    changes: dict[str, Any] = {}
    for name, value in given.items():
        if name == "platform":
            changes["platform"] = changes["asc_platform"] = platform_of(value)
        elif name == "numerics":
            changes[name] = checked_numerics(value)
        elif name == "overflow":
            changes[name] = checked_overflow(value)
        elif name == "schedule":
            changes[name] = checked_schedule(value)
        elif name in ("checks", "strict"):
            levels = _checked_levels(value) if name == "checks" else _strict_levels(value)
            present = changes.get("checks", current().checks)
            chosen = changes.get("chosen_checks", current().chosen_checks)
            changes["checks"] = MappingProxyType({**present, **levels})
            changes["chosen_checks"] = chosen | levels.keys()
        elif name in ("threads", "blocks"):
            changes[name] = _checked_count(name, value, least=0) or None
        elif name == "max_steps":
            changes[name] = _checked_count(name, value, least=0)
        elif name == "findings_limit":
            changes[name] = _checked_count(name, value, least=1)
        elif name == "colour":
            if not (isinstance(value, bool) or value == "auto"):
                raise ValueError(f"colour={value!r}: must be True, False or 'auto'")
            changes[name] = None if value == "auto" else value
        elif name == "fresh":
            changes[name] = _checked_names(name, value)
        elif name in ("json", "stop_at_first"):
            if not isinstance(value, bool):
                raise ValueError(f"{name}={value!r}: must be True or False")
            changes[name] = value
    return changes


def checked_numerics(value: Any) -> str:
    """A name of a numeric mode; ValueError for any other value."""
    if not isinstance(value, str) or value not in NUMERICS:
        raise ValueError(f"numerics={value!r}: must be one of {', '.join(NUMERICS)}")
    return value


def checked_overflow(value: Any) -> str:
    """A name of an overflow mode; ValueError for any other value."""
    if not isinstance(value, str) or value not in OVERFLOW:
        raise ValueError(f"overflow={value!r}: must be one of {', '.join(OVERFLOW)}")
    return value


def checked_schedule(value: Any) -> str:
    """The text of a schedule; ValueError for any other value."""
    name, colon, seed = value.partition(":") if isinstance(value, str) else ("", "", "")
    is_seed = seed.isascii() and seed.isdecimal() and int(seed) < 2**64
    if name not in SCHEDULES or (colon and not (name == "random" and is_seed)):
        legal = ", ".join(SCHEDULES)
        raise ValueError(
            f"schedule={value!r}: must be one of {legal}, or random:SEED with a number below 2^64"
        )
    return value


def _checked_levels(levels: object) -> dict[str, str]:
    if not isinstance(levels, Mapping):
        raise ValueError(f"checks={levels!r}: must map check names to levels")
    for name, level in levels.items():
        if name not in CHECK_DEFAULTS:
            close = difflib.get_close_matches(str(name), CHECK_DEFAULTS, n=1)
            hint = f" (did you mean {close[0]!r}?)" if close else ""
            legal = ", ".join(CHECK_DEFAULTS)
            raise ValueError(f"unknown check {name!r}{hint}; the checks are: {legal}")
        if level not in CHECK_LEVELS:
            legal = ", ".join(CHECK_LEVELS)
            raise ValueError(f"check {name!r} has the level {level!r}; the levels are: {legal}")
    return dict(levels)


def _checked_names(name: str, value: object) -> tuple[str, ...]:
    names = tuple(value) if isinstance(value, list | tuple) else (None,)
    if not all(isinstance(each, str) and each.isidentifier() for each in names):
        raise ValueError(f"{name}={value!r}: must be a list of names of kernel parameters")
    return names


def _strict_levels(value: object) -> dict[str, str]:
    if not isinstance(value, bool):
        raise ValueError(f"strict={value!r}: must be True or False")
    return {"portability": "error" if value else "warn"}


def _checked_count(name: str, value: object, least: int) -> int:
    if isinstance(value, bool) or not isinstance(value, int) or value < least:
        raise ValueError(f"{name}={value!r}: must be an integer of at least {least}")
    return value


def _from_environment() -> dict[str, Any]:
    readers = {
        "ASCEMU_PLATFORM": lambda text: {
            "platform": platform_of(text),
            "asc_platform": platform_of(text),
        },
        "ASCEMU_THREADS": lambda text: {"threads": _parse_threads(text)},
        "ASCEMU_CHECKS": lambda text: {
            "checks": MappingProxyType({**CHECK_DEFAULTS, **parse_checks(text)}),
            "chosen_checks": frozenset(parse_checks(text)),
        },
        "ASCEMU_NUMERICS": lambda text: {"numerics": checked_numerics(text)},
        "ASCEMU_OVERFLOW": lambda text: {"overflow": checked_overflow(text)},
        "ASCEMU_SCHEDULE": lambda text: {"schedule": checked_schedule(text)},
    }
    changes: dict[str, Any] = {}
    for variable, reader in readers.items():
        text = os.environ.get(variable)
        if not text:
            continue
        try:
            changes |= reader(text)
        except ValueError as error:
            raise ValueError(f"environment variable {variable}={text!r}: {error}") from None
    return changes


def _parse_threads(text: str) -> int | None:
    if not text.strip().isdecimal():
        raise ValueError("must be an integer of at least 0")
    return int(text) or None
