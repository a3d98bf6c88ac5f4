"""The console script `ascemu`; `python -m ascemu` is the same.

Exit status: what the script that `run` executes exits with; 1 where a finding or another exception
ends it, 2 for wrong usage, 130 after Ctrl-C.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence

from ascemu._version import __version__
from ascemu.cli import check, explain, listing, run
from ascemu.cli.usage import UsageError
from ascemu.extensions import add_commands
from ascemu.platforms import Platform


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command that `argv` (default: the process's arguments) names."""
    parser = make_parser()
    arguments = parser.parse_args(argv)
    try:
        return arguments.command(arguments)
    except UsageError as error:
        arguments.parser.error(str(error))


def make_parser() -> argparse.ArgumentParser:
    """The parser of the whole command line; docs/ and tests read it too."""
    parser = argparse.ArgumentParser(
        prog="ascemu",
        description="Runs Ascend NPU kernels written in asc2 on the CPU.",
        allow_abbrev=False,
    )
    parser.add_argument("--version", action="version", version=f"ascemu {__version__}")
    commands = parser.add_subparsers(title="commands", metavar="COMMAND", required=True)
    _add_run(commands)
    _add_check(commands)
    for name, command, text in (
        ("ops", listing.list_ops, "list the operations and the dtypes they take"),
        ("codes", listing.list_codes, "list the codes of the diagnostics"),
        ("checks", listing.list_checks, "list the checks, their levels and what they watch"),
        ("platforms", listing.list_platforms, "list the platforms and their memories"),
    ):
        sub = commands.add_parser(name, help=text, description=text.capitalize() + ".")
        sub.add_argument("--json", action="store_true", help="print one JSON array")
        if name == "ops":
            text = "what is proven of each operation's bits, by dtype and chip"
            sub.add_argument("--matrix", action="store_true", help=text)
        sub.set_defaults(command=command, parser=sub)
    sub = commands.add_parser(
        "explain",
        help="print what a diagnostic code or a clause of the numeric contract says",
        description="Print what a diagnostic code or a clause of the numeric contract says.",
    )
    sub.add_argument(
        "name", metavar="NAME", help="a code, as in bad-cast, or a clause, as in N17.1"
    )
    sub.set_defaults(command=explain.explain, parser=sub)
    add_commands(commands)
    return parser


def _add_run(commands: argparse._SubParsersAction) -> None:
    sub = commands.add_parser(
        "run",
        help="run a Python file with asc, asc2 and asctile resolving to ascemu",
        description="Run FILE as the main program; asc, asc2 and asctile resolve to ascemu.",
        usage="%(prog)s [options] FILE [args ...]",
        allow_abbrev=False,
    )
    add_script_options(sub)
    sub.set_defaults(command=run.run_command, parser=sub)


def add_script_options(sub: argparse.ArgumentParser) -> None:
    """The arguments of a command that runs a script as `run` does."""
    sub.add_argument("file", metavar="FILE", help="the script; what follows it is handed to it")
    sub.add_argument("args", nargs=argparse.REMAINDER, help=argparse.SUPPRESS)
    _add_settings(sub)
    sub.add_argument("--json", action="store_true", help="print findings as JSON, one a line")
    sub.add_argument(
        "--no-summary", action="store_true", help="do not sum up the findings of a run at its end"
    )
    sub.add_argument(
        "--memory", action="store_true", help="print what each kernel needs of on-chip memories"
    )
    sub.add_argument("--traceback", action="store_true", help="add Python's traceback to a finding")


def _add_check(commands: argparse._SubParsersAction) -> None:
    sub = commands.add_parser(
        "check",
        help="check the kernels of a Python file without being given inputs",
        description="Import FILE, call its tests that need nothing, and trace and run every kernel "
        "that nothing launched with generated inputs; says what was not checked.",
        allow_abbrev=False,
    )
    sub.add_argument("file", metavar="FILE", help="a file with kernels at its module level")
    _add_settings(sub)
    sub.add_argument("--json", action="store_true", help="print one JSON object")
    sub.set_defaults(command=check.check_command, parser=sub)


def _add_settings(sub: argparse.ArgumentParser) -> None:
    """The options of the commands that launch kernels."""
    sub.add_argument("--platform", metavar="NAME", help=f"as in {Platform.Ascend950PR_9599.value}")
    sub.add_argument("--threads", type=int, metavar="N", help="threads that share the blocks")
    sub.add_argument(
        "--schedule",
        metavar="ORDER",
        help="of the blocks: parallel, sequential, reverse, random[:SEED] or interleave",
    )
    sub.add_argument("--blocks", type=int, metavar="N", help="what kernel[None] launches")
    sub.add_argument("--numerics", metavar="MODE", help="npu, ieee or fp64")
    sub.add_argument("--overflow", metavar="MODE", help="inf or saturate")
    sub.add_argument("--max-steps", type=int, metavar="N", help="statements a block may execute")
    sub.add_argument(
        "--check",
        action="append",
        default=[],
        metavar="NAME=LEVEL",
        help="set a check to off, warn or error; may be repeated",
    )
    sub.add_argument("--strict", action="store_true", help="portability findings are errors")
    sub.add_argument("--stop-at-first", action="store_true", help="end a launch at its first error")
    sub.add_argument(
        "--fresh",
        action="append",
        default=[],
        metavar="NAME",
        help="a kernel parameter whose array starts unwritten; may be repeated",
    )


if __name__ == "__main__":
    sys.exit(main())
