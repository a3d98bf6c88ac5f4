"""The examples of numerics/: what each mode computes, and the clause that explains it."""

import importlib
import subprocess
import sys

import ascemu
import numpy as np
import pytest
import run_all
from ascemu.cli import main as cli

run_all.prepare()
FOLDER = run_all.FOLDER / "numerics"
sys.path.insert(0, str(FOLDER))

# Of each program: what it prints, one line a mode.
PRINTED = {
    "cast_folding": [
        "ieee: 0 0.000100017 0.000967979 0.0999756",
        "npu: 0 0 0 0",
        "npu, with an explicit round mode: 0 0.000100017 0.000967979 0.0999756",
        "explained by clause N17.1: ascemu explain N17.1",
    ],
    "saturation": [
        "ieee: 4 65024 inf inf 0 0 nan nan",
        "npu: 4 65024 inf inf 0 0 nan nan",
        "npu, saturating: 4 65024 65504 65504 0 0 0 0",
        "explained by clause N4.2: ascemu explain N4.2",
    ],
    "reduction_tree": [
        "ieee: 383",
        "npu, 910B: 506",
        "npu, 950PR: 510",
        "explained by clause N12.1: ascemu explain N12.1",
    ],
}


def test_every_program_is_here():
    programs = {path.stem for path in FOLDER.glob("*.py")} - {"showing"}
    assert programs == PRINTED.keys()


@pytest.mark.parametrize("name", PRINTED)
def test_a_program_prints_its_modes(name):
    command = [sys.executable, "-m", "ascemu", "run", str(FOLDER / f"{name}.py")]
    finished = subprocess.run(command, cwd="/", capture_output=True, text=True, check=False)
    assert finished.returncode == 0, finished.stderr
    assert finished.stdout.splitlines() == PRINTED[name]


@pytest.mark.parametrize("name", PRINTED)
def test_modes_differ_in_bits(name):
    # The events are what these programs are about.
    with ascemu.options(platform="Ascend910B1", checks={"numeric": "off"}):
        shown = importlib.import_module(name).show()
    assert [result.dtype for _, result in shown] == [np.float16] * len(shown)
    assert len({result.tobytes() for _, result in shown}) > 1


@pytest.mark.parametrize("name", PRINTED)
def test_the_clause_is_one_of_the_contract(name, capsys):
    clause = importlib.import_module(name).CLAUSE
    assert cli.main(["explain", clause]) == 0
    assert f"\n{clause} " in capsys.readouterr().out


def test_kernel_files_know_only_the_language():
    for name in PRINTED:
        assert "import ascemu" not in (FOLDER / f"{name}.py").read_text(encoding="utf-8")
