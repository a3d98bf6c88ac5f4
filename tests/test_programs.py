"""Programs of tests/fail, each with the text it prints, and their near misses in tests/pass.

What it is: a runner of `fail/<topic>/<name>.py` under `ascemu run`, whose standard error must be
that of `<name>.stderr`, and of `pass/<topic>/<name>.py`, the near miss, which must succeed without
a word. Every code of the diagnostics is fired by a program or listed in IN_CPP. What it is not: a
test of the operations' values (bindings/tests). After a wanted change of a text, `ASCEMU_BLESS=1`
writes the texts anew; read the difference before it is committed.
"""

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import ascemu
import pytest
from ascemu.cli.main import main

HERE = Path(__file__).resolve().parent
FAIL = sorted(HERE.glob("fail/*/*.py"))
PASS = sorted(HERE.glob("pass/*/*.py"))
BLESS = os.environ.get("ASCEMU_BLESS") == "1"
CODE = re.compile(r"^(?:error|warning)\[([\w-]+)\]", re.MULTILINE)
# Codes that no Python program can fire, with the C++ test that does.
IN_CPP = {
    "internal-error": "interp/tests/builder_control_test.cpp",
    "race-unchecked": "interp/tests/race_test.cpp",
}


def name_of(path):
    """`<topic>/<name>` of a program."""
    return f"{path.parent.name}/{path.stem}"


def golden_of(path):
    return path.with_suffix(".stderr")


def normalised(text):
    """The text without the folder of this machine."""
    return text.replace(str(HERE.parent) + os.sep, "")


@pytest.fixture
def run(monkeypatch, capsys):
    """Runs a program in this process; its exit status, output and normalised error output."""
    for name in [name for name in os.environ if name.startswith("ASCEMU")]:
        monkeypatch.delenv(name)
    monkeypatch.setattr(sys, "argv", sys.argv)
    monkeypatch.setattr(sys, "path", list(sys.path))
    monkeypatch.setitem(sys.modules, "__main__", sys.modules["__main__"])

    def execute(path):
        with ascemu.options():
            status = main(["run", "--no-summary", str(path)])
        captured = capsys.readouterr()
        return status, captured.out, normalised(captured.err)

    return execute


@pytest.mark.parametrize("path", FAIL, ids=name_of)
def test_fail(path, run):
    status, out, err = run(path)
    if BLESS:
        golden_of(path).write_text(err, encoding="utf-8")
    assert err == golden_of(path).read_text(encoding="utf-8")
    assert status == (1 if "error[" in err else 0)
    assert out == ""
    assert "Traceback" not in err and str(HERE) not in err


@pytest.mark.parametrize("path", PASS, ids=name_of)
def test_pass(path, run):
    assert run(path) == (0, "", "")


def test_every_program_has_a_near_miss():
    assert [name_of(path) for path in FAIL] == [name_of(path) for path in PASS]


def test_every_golden_text_has_a_program():
    goldens = sorted(HERE.glob("fail/*/*.stderr"))
    assert goldens == [golden_of(path) for path in FAIL]


def test_every_code_is_fired(capsys):
    assert main(["codes", "--json"]) == 0
    codes = {row["code"] for row in json.loads(capsys.readouterr().out)}
    fired = set()
    for path in FAIL:
        fired |= set(CODE.findall(golden_of(path).read_text(encoding="utf-8")))
    assert fired.isdisjoint(IN_CPP)
    assert fired | set(IN_CPP) == codes
    for code, test in IN_CPP.items():
        text = (HERE.parent / test).read_text(encoding="utf-8")
        assert code in text or code.replace("-", "_") in text


def test_a_program_in_a_process_of_its_own():
    path = HERE / "fail/bounds/read_past_the_end.py"
    env = {k: v for k, v in os.environ.items() if not k.startswith(("ASCEMU", "NO_COLOR"))}
    done = subprocess.run(
        [sys.executable, "-m", "ascemu", "run", "--no-summary", str(path)],
        capture_output=True,
        text=True,
        env=env,
    )
    assert done.returncode == 1
    assert normalised(done.stderr) == golden_of(path).read_text(encoding="utf-8")
