"""`fresh`: arrays of kernel parameters that start unwritten, by setting and command line."""

import subprocess
import sys

import ascemu
import numpy as np
import pytest
from ascemu import settings
from ascemu.dropin import asc2


@asc2.jit
def accumulate(x_ptr, y_ptr, count: asc2.ConstExpr):
    x = asc2.copy_in(asc2.global_tensor(x_ptr, [16]), [0], [16])
    y_gm = asc2.global_tensor(y_ptr, [16])
    asc2.copy_out(x + asc2.copy_in(y_gm, [0], [16]), y_gm, [0])


@asc2.jit
def fill_and_add(y_ptr):
    y_gm = asc2.global_tensor(y_ptr, [16])
    asc2.copy_out(asc2.full([16], 1.0), y_gm, [0])
    asc2.atomic_add(asc2.full([16], 1.0), y_gm, [0])


def arrays():
    return np.ones(16, np.float32), np.full(16, 4, np.float32)


def test_nothing_is_fresh_by_default():
    x, y = arrays()
    accumulate[1](x, y, 1)
    assert (y == 5).all()


def test_a_read_is_told_and_changes_nothing():
    x, y = arrays()
    with ascemu.options(fresh=("y_ptr",)), pytest.raises(ascemu.KernelError) as caught:
        accumulate[1](x, y, 1)
    diagnostic = caught.value.diagnostic
    assert (diagnostic.code, diagnostic.check) == ("never-written", "uninitialised")
    assert diagnostic.message == (
        "copy_out stores 16 undefined elements into 'y_gm' (parameter 'y_ptr')"
    )
    assert "loads what nothing has written of 'y_gm' (parameter 'y_ptr')" in str(diagnostic)
    assert (y == 5).all()


def test_what_a_store_wrote_is_not_fresh():
    y = np.zeros(16, np.float32)
    with ascemu.options(fresh=["y_ptr"]):
        fill_and_add[1](y)
    assert (y == 2).all()


def test_another_parameter_over_the_same_array_is_fresh_too():
    x, _ = arrays()
    with (
        ascemu.options(fresh=["y_ptr"], checks={"ordering": "off"}),
        pytest.raises(ascemu.KernelError, match="stores 16 undefined elements"),
    ):
        accumulate[1](x, x, 1)


def test_without_the_check_nothing_is_told():
    x, y = arrays()
    with ascemu.options(fresh=["y_ptr"], checks={"uninitialised": "off"}):
        accumulate[1](x, y, 1)
    assert (y == 5).all()


@pytest.mark.parametrize("name", ["z_ptr", "count"])
def test_unknown_names_are_refused_before_anything_runs(name):
    x, y = arrays()
    with ascemu.options(fresh=["y_ptr", name]), pytest.raises(ValueError) as caught:
        accumulate[1](x, y, 1)
    assert caught.value.diagnostic.message == (
        f"accumulate: fresh names '{name}', which is no array parameter of kernel 'accumulate'; "
        "those are: x_ptr, y_ptr"
    )
    assert (y == 4).all()


@pytest.mark.parametrize("given", ["y_ptr", ["a b"], [1], {"y_ptr"}])
def test_illegal_values(given):
    with pytest.raises(ValueError) as caught:
        ascemu.options(fresh=given)
    assert str(caught.value) == f"fresh={given!r}: must be a list of names of kernel parameters"


def test_it_is_restored_and_taken_back():
    with ascemu.options(fresh=["y_ptr"]):
        assert settings.current().fresh == ("y_ptr",)
        with ascemu.options(fresh=[]):
            assert settings.current().fresh == ()
        assert settings.current().fresh == ("y_ptr",)
    assert settings.current().fresh == ()


def test_command_line(tmp_path):
    script = tmp_path / "script.py"
    script.write_text("from ascemu import settings\nprint(settings.current().fresh)\n")
    command = [sys.executable, "-m", "ascemu", "run", "--fresh", "a", "--fresh=b", str(script)]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    assert done.stdout == "('a', 'b')\n"
