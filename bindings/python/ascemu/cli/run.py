"""`ascemu run FILE [args]`: a script as the main program, with ascemu's modules in place.

Invariant: the script sees what `python FILE args` would show it (`__name__`, `__file__`,
`sys.argv`, its folder first on sys.path); only asc, asc2 and asctile resolve differently.
"""

from __future__ import annotations

import argparse
import builtins
import os
import sys
import traceback
from types import CodeType, ModuleType, TracebackType
from typing import TYPE_CHECKING

from ascemu import settings, summary
from ascemu.cli.usage import UsageError
from ascemu.dropin.activation import activate
from ascemu.launch import memory

if TYPE_CHECKING:
    from ascemu._core import Program


def run_command(arguments: argparse.Namespace) -> int:
    """The command `run`; returns the exit status, lets the script's own SystemExit through."""
    apply_settings(arguments)
    path = os.path.abspath(arguments.file)
    code = _compile(path, arguments.file)
    with settings.collect() as found, memory.watch() as programs:
        try:
            _execute(code, path, [arguments.file, *arguments.args])
        except KeyboardInterrupt:
            print("ascemu: interrupted", file=sys.stderr)
            return 130
        except Exception as error:
            return _report(error, found, arguments.traceback)
        finally:
            if arguments.memory:
                _print_memory(programs)
            if not arguments.no_summary:
                _sum_up(found)
    return 0


def apply_settings(arguments: argparse.Namespace) -> None:
    """Put the command line's settings in force and ascemu's modules in place; else UsageError."""
    try:
        settings.current()
        settings.options(
            platform=arguments.platform,
            numerics=arguments.numerics,
            overflow=arguments.overflow,
            checks=settings.parse_checks(",".join(arguments.check)) or None,
            strict=arguments.strict or None,
            stop_at_first=arguments.stop_at_first or None,
            fresh=arguments.fresh or None,
            threads=arguments.threads,
            schedule=arguments.schedule,
            blocks=arguments.blocks,
            max_steps=arguments.max_steps,
            json=arguments.json or None,
        )
        activate()
    except (ValueError, RuntimeError) as error:
        raise UsageError(str(error)) from None


def _print_memory(programs: list[Program]) -> None:
    """Print the table of every kernel as compiled; equal ones once."""
    sys.stdout.flush()
    for text in dict.fromkeys("\n".join(memory.memory_lines(program)) for program in programs):
        print("ascemu: " + text, file=sys.stderr)


def _sum_up(found: settings.Findings) -> None:
    """Print what was found by code, where that is more than one finding said already."""
    if len(found) + found.dropped < 2 or settings.current().json:
        return
    sys.stdout.flush()
    print(file=sys.stderr)
    lines = summary.summary_lines(summary.facts_of(found), found.dropped)
    print("ascemu: " + "\n".join(lines), file=sys.stderr)


def _compile(path: str, given: str) -> CodeType:
    try:
        with open(path, "rb") as file:
            source = file.read()
    except OSError as error:
        raise UsageError(f"cannot read {given}: {error.strerror}") from None
    try:
        return compile(source, path, "exec", dont_inherit=True)
    except (SyntaxError, ValueError) as error:
        print(*traceback.format_exception_only(error), sep="", end="", file=sys.stderr)
        raise SystemExit(1) from None


def _execute(code: CodeType, path: str, arguments: list[str]) -> None:
    module = ModuleType("__main__")
    module.__file__ = path
    module.__builtins__ = builtins
    sys.modules["__main__"] = module
    sys.argv = arguments
    sys.path.insert(0, os.path.dirname(path))
    exec(code, module.__dict__)


def _report(error: Exception, found: list, with_traceback: bool) -> int:
    """Print what ended the script: a finding as its diagnostic, all else as Python would."""
    sys.stdout.flush()
    diagnostic = getattr(error, "diagnostic", None)
    if diagnostic is None or with_traceback:
        shown = error.with_traceback(_own_frames_dropped(error.__traceback__))
        print(*traceback.format_exception(shown), sep="", end="", file=sys.stderr)
    if diagnostic is None or (with_traceback and not settings.current().json):
        return 1
    if settings.current().json:
        if all(other is not diagnostic for other in found):
            print(diagnostic.to_json(), file=sys.stderr)
    else:
        print(diagnostic.render(settings.current().use_colour(sys.stderr)), file=sys.stderr)
    return 1


def _own_frames_dropped(trace: TracebackType | None) -> TracebackType | None:
    """The traceback from the script's first frame on."""
    while trace is not None and trace.tb_frame.f_code.co_filename == __file__:
        trace = trace.tb_next
    return trace
