"""Show that the classic mistakes of kernel authors, made in every example, are noticed.

Usage: .venv/bin/python scripts/mutate_examples.py [--report FILE] [EXAMPLE...]

Every mutant of example_mutants.py is run in a process of its own, as `example()` of the module and,
where that notices nothing, as the module's tests. Its verdict is one of

    check        a finding of a check (its name and code), default levels
    refused      the front end or the launch refused it
    value        the example's own comparison, or a test, failed
    equivalent   no finding, every test passed, and the outputs are those of the example, bit by bit
    missed       anything else: the outputs differ and nobody noticed

A missed mutant that EXPLAINED names is counted apart. The status is 0 when none is unexplained.
Arrays from numpy.empty hold a pattern, so that what is never stored is never right by chance.
"""

from __future__ import annotations

import argparse
import contextlib
import dataclasses
import io
import json
import multiprocessing
import os
import signal
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from example_mutants import Mutant, mutants_of
from mutant_pages import CAUGHT

ROOT = Path(__file__).resolve().parent.parent
EXAMPLES = ROOT / "examples"
LIMIT_SECONDS = 120
LIMIT_STEPS = 20_000_000
# (example, operator, what stood there) -> why nothing can notice it.
EXPLAINED: dict[tuple[str, str, str], str] = {}


@dataclasses.dataclass
class Judged:
    """A mutant with what became of it."""

    example: str
    operator: str
    line: int
    before: str
    after: str
    verdict: str
    by: str = ""


def example_names() -> list[str]:
    sys.path.insert(0, str(EXAMPLES))
    import ascemu

    ascemu.activate()
    import run_all

    return run_all.example_names()


def fill_empty_arrays() -> None:
    """numpy.empty and empty_like give arrays full of a pattern that no example computes."""
    import numpy as np

    plain = {"empty": np.empty, "empty_like": np.empty_like}

    def filled(name: str) -> Any:
        def make(*args: Any, **kwargs: Any) -> np.ndarray:
            array = plain[name](*args, **kwargs)
            if array.dtype.kind != "O" and array.flags.c_contiguous:
                array.reshape(-1).view(np.uint8)[:] = 0xA5
            return array

        return make

    for name in plain:
        setattr(np, name, filled(name))


def run_mutant(name: str, text: str) -> dict[str, Any]:
    """In a process of its own: findings, exception, outcome and digest of the module `name`."""
    import importlib

    with tempfile.TemporaryDirectory() as folder:
        (Path(folder) / f"{name}.py").write_text(text, encoding="utf-8")
        sys.path.insert(0, folder)
        import ascemu
        import run_all
        from asc.runtime import config

        config.set_platform(config.Backend.Model, config.Platform.Ascend950PR_9599, check=False)
        ascemu.options(threads=1, max_steps=LIMIT_STEPS)
        fill_empty_arrays()
        result: dict[str, Any] = {"digest": None, "ok": None, "error": None}
        with ascemu.collect() as found:
            try:
                module = importlib.import_module(name)
                outcome = module.example()
                result |= {"ok": bool(outcome.ok), "digest": run_all.digest(outcome.outputs)}
            except Exception as error:
                result["error"] = type(error).__name__
        if result["ok"] and not any(f.check for f in found):
            with ascemu.collect() as found_by_tests:
                result["tests"] = run_tests(Path(folder) / f"{name}.py")
            found += found_by_tests
        result["findings"] = [(f.check, f.code, f.severity) for f in found]
        return result


def run_tests(path: Path) -> bool:
    """Whether the tests of a module pass, run by pytest in this process."""
    import pytest

    options = ["-q", "-x", "-p", "no:cacheprovider", "--rootdir", str(path.parent)]
    return pytest.main([*options, str(path)]) == 0


def in_a_fork(name: str, text: str) -> dict[str, Any]:
    """`run_mutant` in a forked process; a death or a time beyond the limit is its result."""
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(reading)
        signal.alarm(LIMIT_SECONDS)
        silence = os.open(os.devnull, os.O_WRONLY)
        os.dup2(silence, 1)
        os.dup2(silence, 2)
        with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()):
            try:
                answer = run_mutant(name, text)
            except BaseException as error:
                answer = {"harness": f"{type(error).__name__}: {error}"}
        with os.fdopen(writing, "w") as stream:
            json.dump(answer, stream)
        os._exit(0)
    os.close(writing)
    with os.fdopen(reading) as stream:
        text = stream.read()
    _, status = os.waitpid(child, 0)
    return json.loads(text) if text else {"died": os.waitstatus_to_exitcode(status)}


def judge(name: str, mutant: Mutant, digest: str) -> Judged:
    """Run a mutant and say who noticed it."""
    verdict, by = noticed(in_a_fork(name, mutant.text), digest)
    place = (name, mutant.operator, mutant.line, mutant.before, mutant.after)
    return Judged(*place, verdict, by)


def noticed(result: dict[str, Any], digest: str) -> tuple[str, str]:
    if "died" in result or "harness" in result:
        return "missed", json.dumps(result)
    checks = [f"{check}: {code}" for check, code, _ in result["findings"] if check]
    if checks:
        return "check", checks[0]
    if result["error"]:
        codes = [code for _, code, severity in result["findings"] if severity == "error"]
        return "refused", codes[0] if codes else result["error"]
    if not result["ok"]:
        return "value", "example"
    if not result["tests"]:
        return "value", "tests"
    return ("equivalent", "") if result["digest"] == digest else ("missed", "within tolerance")


def judged_example(name: str) -> list[Judged]:
    """Every mutant of one example; RuntimeError where the example itself is not clean."""
    source = (EXAMPLES / f"{name}.py").read_text(encoding="utf-8")
    plain = in_a_fork(name, source)
    if not plain.get("ok") or not plain.get("tests") or any(c for c, _, _ in plain["findings"]):
        raise RuntimeError(f"{name} is not clean before it is changed: {plain}")
    return [judge(name, mutant, plain["digest"]) for mutant in mutants_of(source)]


def judged_examples(names: list[str]) -> Iterator[list[Judged]]:
    context = multiprocessing.get_context("fork")
    with context.Pool(os.cpu_count(), maxtasksperchild=1) as pool:
        yield from pool.imap(judged_example, names, chunksize=1)


def main(argv: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--report", type=Path, metavar="FILE", help="write the verdicts as JSON")
    parser.add_argument("examples", nargs="*", metavar="EXAMPLE")
    arguments = parser.parse_args(argv)
    names = example_names()
    everything: list[Judged] = []
    for judged in judged_examples(arguments.examples or names):
        everything += judged
        tally = Counter(one.verdict for one in judged)
        print(f"{judged[0].example if judged else '?'}: {dict(tally)}", flush=True)
    unexplained = 0
    for one in everything:
        if one.verdict == "missed":
            reason = EXPLAINED.get((one.example, one.operator, one.before))
            unexplained += reason is None
            one.by = reason or one.by
            place = f"{one.example}:{one.line} {one.operator}"
            print(f"missed: {place}: {one.before} -> {one.after} ({one.by})")
    if arguments.report:
        rows = ",\n".join(json.dumps(dataclasses.asdict(one)) for one in everything)
        arguments.report.write_text(f"[\n{rows}\n]\n", encoding="utf-8")
    tally = Counter(one.verdict for one in everything)
    caught = sum(tally[verdict] for verdict in CAUGHT)
    kinds = f"{caught} caught, {tally['equivalent']} equivalent, {tally['missed']} missed"
    print(f"{len(everything)} mutants: {kinds} ({unexplained} unexplained)")
    return 0 if unexplained == 0 else 1


if __name__ == "__main__":
    sys.exit(main())
