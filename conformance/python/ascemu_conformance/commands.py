"""The commands that this ring adds to `ascemu`.

What it is: their arguments; each command's own module does the work and is imported when it runs.
Invariant: importing this module imports neither numpy nor the compiled core.
"""

from __future__ import annotations

import argparse
from typing import Any


def add_record(commands: argparse._SubParsersAction) -> None:
    """`ascemu record`."""
    from ascemu.cli.main import add_script_options

    sub = commands.add_parser(
        "record",
        help="run a Python file and record its kernel launches as cases",
        description="Run FILE as `ascemu run` does and leave a case in DIR for every launch. "
        "On a machine with an NPU: --export the recorder and run it there beside the real package.",
        usage="%(prog)s --out DIR [options] FILE [args ...]\n       %(prog)s --export RECORDER.py",
        allow_abbrev=False,
    )
    sub.add_argument("--out", metavar="DIR", required=True, help="where the cases go")
    sub.add_argument(
        "--limit", type=int, default=0, metavar="N", help="record N launches of each kernel at most"
    )
    sub.add_argument(
        "--export",
        action=_Export,
        metavar="FILE",
        help="write the recorder as one file that needs only Python 3.9 and numpy",
    )
    add_script_options(sub)
    sub.set_defaults(command=record, parser=sub)


class _Export(argparse.Action):
    """`--export FILE`: writes the recorder and ends the command."""

    def __call__(
        self, parser: argparse.ArgumentParser, _: Any, value: Any, option: Any = None
    ) -> None:
        from ascemu_conformance.recorder_export import recorder_text

        try:
            with open(value, "w", encoding="utf-8") as file:
                file.write(recorder_text())
        except OSError as error:
            parser.error(f"cannot write {value}: {error.strerror}")
        parser.exit()


def record(arguments: argparse.Namespace) -> int:
    """The command `record`; the exit status is that of `run`."""
    from ascemu.cli import run
    from ascemu.cli.usage import UsageError

    from ascemu_conformance import recorder

    run.apply_settings(arguments)
    try:
        session = recorder.start(arguments.out, limit=arguments.limit)
    except OSError as error:
        raise UsageError(f"--out {arguments.out}: {error.strerror}") from None
    try:
        return run.run_command(arguments)
    finally:
        recorder.stop(session)
