"""The examples as a collection: their hook, the broken kernels, the table in README.md."""

import ast
import importlib
import re
import subprocess
import sys

import ascemu
import pytest
import run_all

run_all.prepare()


def table_rows(heading: str):
    """First cells of the table under `heading` in README.md."""
    text = (run_all.FOLDER / "README.md").read_text(encoding="utf-8")
    section = text.split(f"## {heading}\n", 1)[1].split("\n## ", 1)[0]
    return re.findall(r"^\| `([a-z0-9_/]+)\.py` \|", section, re.MULTILINE)


def imported_modules(path):
    """Top-level module names that a file imports anywhere."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name.split(".")[0] for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            yield node.module.split(".")[0]


def test_readme_lists_every_example_once():
    assert table_rows("Kernels") == run_all.example_names()


def test_readme_lists_every_broken_kernel_once():
    assert table_rows("Broken on purpose") == ["broken/" + n for n in run_all.broken_names()]


def test_there_are_enough_examples():
    assert len(run_all.example_names()) >= 18
    assert len(run_all.broken_names()) >= 4


@pytest.mark.parametrize("name", run_all.example_names())
def test_example_reports_itself_and_is_seeded(name):
    module = importlib.import_module(name)
    result = module.example()
    assert result.ok, result.verdict
    assert result.name == name
    assert result.checks == len(result.outputs) > 0
    assert result.elements == sum(output.size for output in result.outputs) > 0
    assert run_all.digest(module.example().outputs) == run_all.digest(result.outputs)


@pytest.mark.parametrize("name", run_all.example_names() + run_all.broken_names())
def test_kernel_files_know_only_the_language(name):
    path = run_all.FOLDER / f"{name}.py"
    if not path.exists():
        path = run_all.BROKEN / f"{name}.py"
    assert "ascemu" not in path.read_text(encoding="utf-8")
    allowed = {"asc", "asc2", "asctile", "checking", "math", "ml_dtypes", "numpy", "pytest"}
    assert set(imported_modules(path)) <= allowed


def run_as_program(path):
    """`ascemu run` of a file, from another folder."""
    command = [sys.executable, "-m", "ascemu", "run", str(path)]
    return subprocess.run(command, cwd="/", capture_output=True, text=True, check=False)


def test_an_example_is_a_program():
    finished = run_as_program(run_all.FOLDER / "transpose.py")
    assert finished.returncode == 0, finished.stderr
    assert finished.stdout == ("transpose: 8 blocks, 51512 elements, 2 checks, max error 0, ok\n")


def test_a_broken_kernel_ends_its_program():
    path = run_all.BROKEN / "misspelled_name.py"
    finished = run_as_program(path)
    assert finished.returncode == 1
    assert finished.stdout == ""
    assert "did you mean 'offset'?" in finished.stderr
    assert f"{path.name}:24:35" in finished.stderr


@pytest.mark.parametrize("name", run_all.broken_names())
def test_broken_kernel_is_refused(name):
    record = run_all.run_broken(name)
    assert record.ok, record.verdict


@pytest.mark.parametrize("name", run_all.broken_names())
def test_broken_kernel_is_explained(name):
    module = importlib.import_module(name)
    with pytest.raises(Exception) as caught:
        module.launch()
    diagnostic = caught.value.diagnostic
    assert isinstance(diagnostic, ascemu.Diagnostic)
    assert diagnostic.severity == "error"
    assert diagnostic.file.endswith(f"{name}.py")
    assert diagnostic.line > 0
    assert diagnostic.column > 0
    assert diagnostic.help


def test_a_wrong_result_is_reported():
    record = run_all.Record("x", ok=False)
    assert not record.ok
    checking = importlib.import_module("checking")
    wrong = checking.check([1.0, 2.5], [1.0, 2.0])
    assert not wrong.ok
    assert wrong.max_error == 0.5
    assert wrong.verdict == (
        "1 of 2 elements differ, first at (1,): got 2.5, expected 2 (rtol 0, atol 0)"
    )
