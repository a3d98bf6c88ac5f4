"""The commands that this ring adds to `ascemu`.

What it is: their arguments; each command's own module does the work and is imported when it runs.
Invariant: importing this module imports neither numpy nor the compiled core.
"""

from __future__ import annotations

import argparse
import os
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


def add_golden(commands: argparse._SubParsersAction) -> None:
    """`ascemu golden generate` and `ascemu golden check`."""
    sub = commands.add_parser(
        "golden",
        help="make golden cases from a parameter matrix, or check a tree of cases",
        description="Make golden cases of a kernel, or run a tree of cases again.",
        epilog="exit status: 0 all as it should be, 1 a case deviates, 2 something could not run",
    )
    actions = sub.add_subparsers(title="actions", metavar="ACTION", required=True)
    make = actions.add_parser("generate", help="make the cases of MATRIX that are not there yet")
    make.add_argument("matrix", metavar="MATRIX", help="a TOML file (docs/golden.md)")
    make.add_argument("--out", metavar="DIR", required=True, help="where the cases go")
    verify = actions.add_parser("check", help="verify and run every case at or below DIR")
    verify.add_argument("root", metavar="DIR", help="a case or a folder with cases")
    verify.add_argument(
        "--trust", action="store_true", help="run kernel files that are not the recorded ones too"
    )
    for action, command in ((make, golden_generate), (verify, golden_check)):
        action.add_argument(
            "--workers",
            type=_positive,
            metavar="N",
            default=os.cpu_count() or 1,
            help="processes on this machine (default: one a core)",
        )
        action.add_argument(
            "--scheduler", metavar="ADDRESS", help="distribute over the workers of a dask scheduler"
        )
        action.set_defaults(command=command, parser=action)


def golden_generate(arguments: argparse.Namespace) -> int:
    """The command `golden generate`."""
    from ascemu_conformance import golden

    return _reported(
        "made",
        golden.generate,
        arguments.matrix,
        arguments.out,
        workers=arguments.workers,
        scheduler=arguments.scheduler,
    )


def golden_check(arguments: argparse.Namespace) -> int:
    """The command `golden check`."""
    from ascemu_conformance import golden

    return _reported(
        "the same",
        golden.check,
        arguments.root,
        workers=arguments.workers,
        scheduler=arguments.scheduler,
        trust=arguments.trust,
    )


def _reported(verb: str, command: Any, *args: Any, **kwargs: Any) -> int:
    from ascemu.cli.usage import UsageError

    from ascemu_conformance import golden
    from ascemu_conformance.case_files import CaseError

    try:
        summary = command(*args, **kwargs)
    except (CaseError, OSError, RuntimeError) as error:
        raise UsageError(str(error)) from None
    print(*golden.report_lines(summary, verb), sep="\n")
    return int(summary.exit_code)


def _positive(text: str) -> int:
    if not text.isdecimal() or int(text) < 1:
        raise argparse.ArgumentTypeError(f"{text!r} is not a number of at least 1")
    return int(text)


def add_import(commands: argparse._SubParsersAction) -> None:
    """`ascemu import`."""
    sub = commands.add_parser(
        "import",
        help="make cases of a dump of msprobe, or of .bin files with a JSON description",
        description="Make cases of SOURCE: a folder with dumps of msprobe (dump.json), or a JSON "
        "description of .bin files (docs/import.md).",
        allow_abbrev=False,
    )
    sub.add_argument("source", metavar="SOURCE", help="a folder, a dump.json or a description")
    sub.add_argument("--out", metavar="DIR", required=True, help="where the cases go")
    sub.add_argument("--only", metavar="PATTERN", default="*", help="calls of these names only")
    sub.add_argument("--kernel", metavar="FILE", help="the kernel that made the outputs")
    sub.add_argument("--function", metavar="NAME", help="its name in FILE")
    sub.add_argument("--blocks", type=_positive, metavar="N", help="how many blocks it had")
    sub.add_argument("--platform", metavar="NAME", help="what it ran on")
    sub.add_argument(
        "--argument",
        action="append",
        default=[],
        metavar="NAME=ITEM",
        help="a parameter and what it is: input.0, output.0, a number, const:NUMBER; repeated, in "
        "order",
    )
    sub.set_defaults(command=import_dump, parser=sub)


def import_dump(arguments: argparse.Namespace) -> int:
    """The command `import`."""
    from pathlib import Path

    from ascemu.cli.usage import UsageError

    from ascemu_conformance import importing
    from ascemu_conformance.case_files import CaseError
    from ascemu_conformance.import_msprobe import find_dumps, read_dump
    from ascemu_conformance.import_plain import read_description

    if (arguments.kernel is None) != (arguments.function is None):
        raise UsageError("--kernel and --function go together")
    if (arguments.argument or arguments.blocks or arguments.platform) and not arguments.kernel:
        raise UsageError("--argument, --blocks and --platform say how --kernel was launched")
    named = [text.partition("=") for text in arguments.argument]
    if not all(name and item for name, _, item in named):
        raise UsageError("--argument is NAME=ITEM")
    kernel = None
    if arguments.kernel is not None:
        given = {name: item for name, _, item in named}
        launch = {name: getattr(arguments, name) for name in ("blocks", "platform")}
        launch = {name: value for name, value in launch.items() if value is not None}
        kernel = importing.KernelChoice(Path(arguments.kernel), arguments.function, given, launch)
    source = Path(arguments.source)
    try:
        if source.is_dir():
            dumps = [(path, path.parent.relative_to(source)) for path in find_dumps(source)]
            if not dumps:
                raise UsageError(f"{source}: there is no dump.json in or below it")
            entries = (
                entry
                for path, folder in dumps
                for entry in read_dump(path, "".join(f"{part}/" for part in folder.parts))
            )
        else:
            is_dump = source.name == "dump.json"
            entries = iter(read_dump(source) if is_dump else read_description(source))
        written = importing.write_entries(
            entries, arguments.out, only=arguments.only, kernel=kernel
        )
    except (CaseError, OSError) as error:
        raise UsageError(str(error)) from None
    print(f"{len(written)} cases in {arguments.out}")
    return 0 if written else 2
