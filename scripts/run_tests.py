"""Run test suites one after another and close with one line: `N passed, N failed[, N skipped]`.

Usage: .venv/bin/python scripts/run_tests.py SUITE...   (the suites are those of `SUITES`)

What a suite needs beyond scripts/setup.sh it builds itself, in the folder of its CMake preset.
Reports land in reports/; the closing line is also kept in reports/summary.txt.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import sysconfig
import time
from collections.abc import Callable
from pathlib import Path

from tally import Tally, read_junit

ROOT = Path(__file__).resolve().parent.parent
REPORTS = ROOT / "reports"
VENV_BIN = ROOT / ".venv" / "bin"
JOBS = str(os.cpu_count() or 1)
SMOKE_TREES, FULL_TREES = 20_000, 1_000_000
# Variables that would change what the tests see.
DROPPED = {"ASCEMU", "PYASC_DRY_RUN", "PYTHONPATH", "PYTEST_ADDOPTS"}


def run(command: list[str | Path], **extra_env: str) -> int:
    """Run `command` in the root, the environment's tools first on PATH; return its status."""
    env = {name: value for name, value in os.environ.items() if name not in DROPPED}
    env["PATH"] = f"{VENV_BIN}{os.pathsep}{env['PATH']}"
    sys.stdout.flush()
    return subprocess.run([str(part) for part in command], cwd=ROOT, env=env | extra_env).returncode


def build_preset(preset: str) -> bool:
    """Configure and build `preset` in build-<preset>; False where either fails."""
    log = REPORTS / f"build-{preset}.log"
    for command in (["--preset", preset], ["--build", "--preset", preset, "-j", JOBS]):
        with log.open("a", encoding="utf-8") as sink:
            status = subprocess.run(
                [str(VENV_BIN / "cmake"), *command],
                cwd=ROOT,
                stdout=sink,
                stderr=subprocess.STDOUT,
            ).returncode
        if status:
            print(log.read_text(encoding="utf-8")[-8000:])
            return False
    return True


def run_ctest(name: str, build: str, **extra_env: str) -> Tally:
    """Run the C++ tests of the build folder `build`."""
    report = REPORTS / f"{name}.xml"
    command = ["ctest", "--test-dir", build, "--output-on-failure", "--progress", "-j", JOBS]
    command += ["--no-tests=error", "--output-junit", report]
    return read_junit(report, run(command, **extra_env))


def run_pytest(name: str, python: Path, **extra_env: str) -> Tally:
    """Run the Python tests with the interpreter `python`."""
    report = REPORTS / f"{name}.xml"
    command = [
        python,
        "-m",
        "pytest",
        "-n",
        "2",
        "--dist",
        "loadgroup",
        "-q",
        f"--junitxml={report}",
    ]
    return read_junit(report, run(command, **extra_env))


def run_fuzzers(trees: int) -> Tally:
    """Feed `trees` random trees to every fuzz target of build-fuzz; each target is one test."""
    targets = sorted(ROOT.glob("build-fuzz/*/*_fuzz"))
    tally = Tally() if targets else Tally(failed=1)
    for target in targets:
        log = REPORTS / f"{target.name}.log"
        command = [target, f"-runs={trees}", "-seed=1", "-timeout=20", "-rss_limit_mb=4096"]
        command += ["-verbosity=0", "-print_final_stats=1", f"-artifact_prefix={REPORTS}/"]
        with log.open("w", encoding="utf-8") as sink:
            status = subprocess.run(
                [str(part) for part in command], cwd=ROOT, stdout=sink, stderr=subprocess.STDOUT
            ).returncode
        print(f"{target.name}: {trees} trees, {'failed' if status else 'clean'}")
        if status:
            print(log.read_text(encoding="utf-8", errors="replace")[-4000:])
        tally += Tally(failed=1) if status else Tally(passed=1)
    return tally


def has_clang() -> bool:
    """Whether Clang 19 is here; says so where it is not."""
    if shutil.which("clang++-19"):
        return True
    print("skipped: this system offers no clang++-19")
    return False


def check_dev() -> Tally:
    """The C++ tests; the numeric proofs among them leave their entries in reports/numerics/."""
    proofs = REPORTS / "numerics"
    proofs.mkdir(exist_ok=True)
    return run_ctest("ctest", "build", ASCEMU_PROOF_REPORTS=str(proofs))


def check_python() -> Tally:
    return run_pytest("pytest", VENV_BIN / "python")


def check_smoke() -> Tally:
    """Clang 19, both sanitizers and the fuzz targets in one build: tests, then a few trees."""
    if not has_clang():
        return Tally(skipped=1)
    if not build_preset("fuzz"):
        return Tally(failed=1)
    return run_ctest("ctest-fuzz", "build-fuzz") + run_fuzzers(SMOKE_TREES)


def check_fuzz() -> Tally:
    """As the smoke, with the full number of trees."""
    if not has_clang():
        return Tally(skipped=1)
    if not build_preset("fuzz"):
        return Tally(failed=1)
    return run_ctest("ctest-fuzz", "build-fuzz") + run_fuzzers(FULL_TREES)


def check_clang() -> Tally:
    """The C++ tests as Clang 19 compiles them, warnings as errors; the examples' bits as GCC's."""
    if not has_clang():
        return Tally(skipped=1)
    if not build_preset("clang"):
        return Tally(failed=1)
    tally = run_ctest("ctest-clang", "build-clang")
    python = make_environment("build-clang")
    return tally + (compare_compilers(python) if python else Tally(failed=1))


def example_digests(name: str, python: Path, numerics: str) -> dict[str, str]:
    """The digest of every example's outputs, kept in reports/digests-<name>-<numerics>.json."""
    env = {key: value for key, value in os.environ.items() if key not in DROPPED}
    lines = subprocess.run(
        [str(python), "examples/run_all.py", "--json"],
        cwd=ROOT,
        env=env | {"ASCEMU_NUMERICS": numerics},
        capture_output=True,
        text=True,
    ).stdout.splitlines()
    records = [json.loads(line) for line in lines]
    digests = {r["name"]: r["digest"] for r in records if r["kind"] == "example"}
    path = REPORTS / f"digests-{name}-{numerics}.json"
    path.write_text(json.dumps(digests, indent=1) + "\n", encoding="utf-8")
    return digests


def compare_compilers(python: Path) -> Tally:
    """Every example, in each mode, gives the same bits from the builds of GCC and Clang."""
    tally = Tally()
    for numerics in ("ieee", "npu"):
        gcc = example_digests("gcc", VENV_BIN / "python", numerics)
        clang = example_digests("clang", python, numerics)
        if not gcc or set(gcc) != set(clang):
            print(f"{numerics}: the examples of the two builds are not the same")
            tally += Tally(failed=1)
        for name, digest in gcc.items():
            same = bool(digest) and clang.get(name) == digest
            print(
                *([] if same else [f"{numerics}: {name} differs between GCC and Clang\n"]), end=""
            )
            tally += Tally(passed=1) if same else Tally(failed=1)
    return tally


def make_environment(build: str) -> Path | None:
    """Give a build folder a Python environment whose ascemu is that build.

    It borrows the packages of .venv through a path file (which does not run .venv's own path files,
    hence not its editable ascemu) and holds an editable install of its own.
    """
    environment = ROOT / build / "venv"
    python = environment / "bin" / "python"
    create = [VENV_BIN / "python", "-m", "venv", "--clear", "--without-pip", environment]
    if run(create):
        return None
    site = next(environment.glob("lib/python*/site-packages"))
    (site / "borrowed.pth").write_text(sysconfig.get_path("purelib") + "\n", encoding="utf-8")
    core = next(ROOT.glob(f"{build}/bindings/_core*.so"), None)
    if core is None:
        print(f"{build} holds no compiled module")
        return None
    package = site / "ascemu"
    package.mkdir()
    for entry in (ROOT / "bindings" / "python" / "ascemu").iterdir():
        (package / entry.name).symlink_to(entry)
    (package / core.name).symlink_to(core)
    script = environment / "bin" / "ascemu"
    script.write_text(
        f"#!{python}\nimport sys\nfrom ascemu.cli.main import main\nsys.exit(main())\n",
        encoding="utf-8",
    )
    script.chmod(0o755)
    return python


def preloaded_runtime() -> str:
    """The libraries an instrumented module needs ahead of everything else in the process."""
    names = ("libasan.so", "libubsan.so", "libstdc++.so")
    paths = [
        subprocess.run(
            ["g++", f"-print-file-name={name}"], capture_output=True, text=True, check=True
        ).stdout.strip()
        for name in names
    ]
    return " ".join(paths)


def check_asan() -> Tally:
    """All C++ and all Python tests under AddressSanitizer and UndefinedBehaviorSanitizer."""
    if not build_preset("asan"):
        return Tally(failed=1)
    tally = run_ctest("ctest-asan", "build-asan")
    python = make_environment("build-asan")
    if python is None:
        return tally + Tally(failed=1)
    # CPython keeps memory until it exits, so leaks are the C++ tests' business.
    return tally + run_pytest(
        "pytest-asan",
        python,
        LD_PRELOAD=preloaded_runtime(),
        ASAN_OPTIONS="detect_leaks=0",
        ASCEMU_SANITIZED="1",
    )


def check_exhaustive() -> Tally:
    """Every float32 operand of the elementary functions, every float16 pair; each sweep is a test.

    An interrupted run goes on where it stopped; the reports are part of the documentation.
    """
    program = ROOT / "build" / "refops" / "tests" / "exhaustive" / "refops_exhaustive"
    if not program.exists():
        print(f"{program} is not built; run scripts/setup.sh")
        return Tally(failed=1)
    listing = subprocess.run([str(program), "--list"], capture_output=True, text=True, check=True)
    names = listing.stdout.split()
    command: list[str | Path] = [program, *names, "--threads", JOBS]
    command += ["--reports", ROOT / "docs" / "reports"]
    command += ["--checkpoints", ROOT / ".cache" / "exhaustive"]
    tally = Tally()
    if run(command) not in (0, 1):
        return Tally(failed=len(names))
    for name in names:
        report = ROOT / "docs" / "reports" / f"exhaustive_{name}.json"
        found = json.loads(report.read_text(encoding="utf-8")) if report.exists() else {}
        complete = found.get("count") == 2**32 and found.get("mismatches") == 0
        tally += Tally(passed=1) if complete else Tally(failed=1)
    return tally


def check_mutation() -> Tally:
    """Wrong orders, groups and roundings in a copy of the sources; each noticed one is a test."""
    script = ROOT / "scripts" / "mutate_numerics.py"
    found = subprocess.run([sys.executable, str(script)], stdout=subprocess.PIPE, text=True)
    print(found.stdout, end="")
    verdicts = [line.rpartition(": ")[2] for line in found.stdout.splitlines() if ": " in line]
    killed = verdicts.count("killed")
    if found.returncode != 0:
        return Tally(passed=killed, failed=max(1, len(verdicts) - killed))
    return Tally(passed=killed)


def check_mutants() -> Tally:
    """Classic mistakes in every example; each mutant that is noticed or equal is a test."""
    script = ROOT / "scripts" / "mutate_examples.py"
    report = ROOT / "docs" / "reports" / "example_mutants.json"
    status = run([VENV_BIN / "python", script, "--report", report])
    if status not in (0, 1):
        return Tally(failed=1)
    verdicts = [row["verdict"] for row in json.loads(report.read_text(encoding="utf-8"))]
    missed = verdicts.count("missed")
    return Tally(passed=len(verdicts) - missed, failed=max(1, missed) if status else 0)


SUITES: dict[str, Callable[[], Tally]] = {
    "ctest": check_dev,
    "pytest": check_python,
    "smoke": check_smoke,
    "asan": check_asan,
    "clang": check_clang,
    "fuzz": check_fuzz,
    "exhaustive": check_exhaustive,
    "mutation": check_mutation,
    "mutants": check_mutants,
}


def main(names: list[str]) -> int:
    """Run the named suites in the given order and print the closing line."""
    unknown = [name for name in names if name not in SUITES]
    if unknown or not names:
        print(f"usage: run_tests.py SUITE...; suites: {', '.join(SUITES)}", file=sys.stderr)
        return 2
    shutil.rmtree(REPORTS, ignore_errors=True)
    REPORTS.mkdir()
    lines, total = [], Tally()
    for name in names:
        print(f"== {name}", flush=True)
        start = time.monotonic()
        tally = SUITES[name]()
        lines.append(f"{name}: {tally} ({time.monotonic() - start:.0f} s)")
        total += tally
    (REPORTS / "summary.txt").write_text(f"{total}\n", encoding="utf-8")
    print("", *lines, total, sep="\n", flush=True)
    return total.exit_code


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
