"""`ascemu check`: which kernels are launched, tried with generated inputs or skipped, and why."""

import json
import subprocess
import sys

import pytest

KERNELS = """\
import asc
import asc2
import numpy as np


@asc2.jit
def fine(x_ptr: asc.GlobalAddress, y_ptr, n: int, TILE: asc2.ConstExpr[int]):
    x = asc2.global_tensor(x_ptr, [n])
    y = asc2.global_tensor(y_ptr, [n])
    for i in asc2.range(asc2.block_idx(), asc2.ceildiv(n, TILE), asc2.block_num()):
        asc2.copy_out(asc2.copy_in(x, [i * TILE], [TILE]), y, [i * TILE])


@asc2.jit
def refused(x_ptr, TILE: asc2.ConstExpr[int]):
    x = asc2.global_tensor(x_ptr, [TILE])
    asc2.copy_out(3 < asc2.copy_in(x, [0], [TILE]), x, [0])


@asc2.jit
def too_short(x_ptr):
    x = asc2.global_tensor(x_ptr, [1000000])
    asc2.copy_out(asc2.copy_in(x, [999936], [64]).sum(), x, [0])


@asc2.jit
def by_the_test(x_ptr):
    x = asc2.global_tensor(x_ptr, [64])
    asc2.copy_out(asc2.copy_in(x, [0], [64]).relu(), x, [0])


@asc2.jit
def integers_only(x_ptr):
    x = asc2.global_tensor(x_ptr, [64])
    asc2.copy_out(asc2.copy_in(x, [0], [64]) & 7, x, [0])


@asc2.jit
def no_value(x_ptr, shape: asc2.ConstExpr):
    x = asc2.global_tensor(x_ptr, shape)


@asc2.jit
def added(a, b):
    return a + b


def test_it():
    by_the_test[1](np.zeros(64, np.float32))
"""


def check(path, *arguments):
    return subprocess.run(
        [sys.executable, "-m", "ascemu", "check", *arguments, str(path)],
        capture_output=True,
        text=True,
    )


@pytest.fixture
def kernels(tmp_path):
    path = tmp_path / "kernels.py"
    path.write_text(KERNELS, encoding="utf-8")
    return path


def test_every_kernel_is_accounted_for(kernels):
    done = check(kernels)
    assert done.returncode == 1
    assert done.stderr == ""
    assert "error[bad-argument-type]: AttributeError: < is not defined" in done.stdout
    assert f"--> {kernels}:17:19" in done.stdout
    assert "   = found with: x_ptr: float32[262144], TILE=64" in done.stdout
    lines = done.stdout.splitlines()
    assert lines[-10:-3] == [
        "fine (line 7): traced and run with x_ptr: float32[262144], y_ptr: float32[262144], n=64, "
        "TILE=64",
        "refused (line 15): refused with x_ptr: float32[262144], TILE=64",
        "too_short (line 21): traced and run with x_ptr: float32[262144]",
        "by_the_test (line 27): launched by the file itself",
        "integers_only (line 33): traced and run with x_ptr: int32[262144]",
        "no_value (line 39): not checked: ConstExpr parameter 'shape' has no default, and no type "
        "to make a value of",
        "added (line 44): not launched: it returns a value: checked where kernels call it",
    ]
    assert lines[-3:-1] == [
        "1 finding:",
        f"  error[bad-argument-type]  1 x  at {kernels}:17",
    ]
    assert lines[-1].startswith("not checked: array bounds")


def test_the_report_as_json(kernels):
    report = json.loads(check(kernels, "--json").stdout)
    how = {kernel["kernel"]: kernel["how"] for kernel in report["kernels"]}
    assert how == {
        "fine": "generated",
        "refused": "traced",
        "too_short": "generated",
        "by_the_test": "launched",
        "integers_only": "generated",
        "no_value": "skipped",
        "added": "called",
    }
    assert [row["code"] for row in report["summary"]] == ["bad-argument-type"]


def test_an_error_of_the_file_itself(tmp_path):
    path = tmp_path / "broken.py"
    path.write_text("import asc2\n\nraise KeyError('x')\n", encoding="utf-8")
    done = check(path)
    assert done.returncode == 1
    assert "importing the file raised KeyError: 'x'" in done.stdout
    assert check(tmp_path / "absent.py").returncode == 2


def test_tests_that_skip_or_exit(tmp_path):
    path = tmp_path / "optional.py"
    skips = "import pytest\n\n\ndef test_optional():\n    pytest.importorskip('no_such_module')\n"
    path.write_text(skips, encoding="utf-8")
    done = check(path)
    assert (done.returncode, done.stderr) == (0, "")
    path.write_text(f"{skips}\n\ndef test_exits():\n    raise SystemExit(3)\n", encoding="utf-8")
    done = check(path)
    assert (done.returncode, done.stderr) == (1, "")
    assert "test_exits raised SystemExit: 3" in done.stdout
    path.write_text("raise SystemExit('no device')\n", encoding="utf-8")
    done = check(path)
    assert (done.returncode, done.stderr) == (1, "")
    assert "importing the file raised SystemExit: no device" in done.stdout
