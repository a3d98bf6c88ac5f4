"""The accounting of on-chip memories as Python sees it: options, table, `ascemu run --memory`."""

import sys

import ascemu
import asctile
import numpy as np
import pytest
from ascemu.cli.main import main
from ascemu.launch import memory
from ascemu.platforms import Platform, capacities

TILE = 16384  # 64 KiB


def chained(x_ptr, y_ptr):
    x_gm = asctile.global_tensor(x_ptr, [TILE])
    y_gm = asctile.global_tensor(y_ptr, [TILE])
    x = asctile.copy_in(x_gm, [0], [TILE])
    for step in asctile.static_range(3):
        x = x + float(step)
    asctile.copy_out(x, y_gm, [0])


def launch(**options):
    """The programs of one launch of `chained`."""
    x = np.zeros(TILE, np.float32)
    with memory.watch() as programs:
        asctile.jit(chained, **options)[1](x, x)
    return programs


@pytest.mark.parametrize(
    "options",
    [
        {"reuse_alloc": 1},
        {"reuse_alloc": 2},
        {"reuse_ub": True},
        {"reuse_ub_in_out": True},
    ],
)
def test_reuse_makes_it_fit(options):
    (use,) = launch(**options)[0].memory_table()
    assert use["memory"] == "UB"
    assert (use["at_least"], use["about"], use["capacity"]) == (65536, 131072, 253952)


def test_what_does_not_fit_is_refused():
    with pytest.raises(RuntimeError, match="UB overflow: 253952 bytes are available") as caught:
        launch()
    assert caught.value.diagnostic.code == "capacity-exceeded"
    assert caught.value.diagnostic.check == "capacity"


@pytest.mark.parametrize(
    ("options", "codes"),
    [
        ({"static_alloc": False}, ["capacity-estimate"]),
        ({"vf_fusion": True}, ["capacity-estimate"]),
        ({"reuse_alloc": 1}, []),
    ],
)
def test_what_is_not_sure_is_a_warning(options, codes):
    with ascemu.collect() as found:
        launch(**options)
    assert [(finding.code, finding.severity) for finding in found] == [
        (code, "warning") for code in codes
    ]


def test_the_level_lifts_it():
    with ascemu.collect() as found, ascemu.options(checks={"capacity": "warn"}):
        launch()
    assert [finding.severity for finding in found] == ["warning"]
    with ascemu.collect() as found, ascemu.options(checks={"capacity": "off"}):
        launch()
    assert not found


@pytest.mark.parametrize("platform", ["Ascend910B1", "Ascend910_9362", "Ascend950PR_9599"])
def test_capacities_are_those_of_the_platforms(platform):
    with ascemu.options(platform=platform, checks={"capacity": "off"}):
        (use,) = launch()[0].memory_table()
    assert use["capacity"] == capacities(Platform(platform)).ub_size


def test_options_of_the_launch_count_too():
    x = np.zeros(TILE, np.float32)
    kernel = asctile.jit(chained)
    kernel[1](x, x, reuse_alloc=1)
    with pytest.raises(RuntimeError, match="UB overflow"):
        kernel[1](x, x)


def test_watchers_are_apart():
    with memory.watch() as outer:
        with memory.watch() as inner:
            pass
        launch(reuse_alloc=1)
    assert (len(outer), len(inner)) == (1, 0)


def test_run_prints_the_table(tmp_path, capsys, monkeypatch):
    monkeypatch.setattr(sys, "argv", sys.argv)
    monkeypatch.setattr(sys, "path", list(sys.path))
    monkeypatch.setitem(sys.modules, "__main__", sys.modules["__main__"])
    path = tmp_path / "kernel.py"
    path.write_text(
        "import asctile\n"
        "import numpy as np\n"
        "\n"
        "@asctile.jit\n"
        "def double(x_ptr):\n"
        "    gm = asctile.global_tensor(x_ptr, [8, 16])\n"
        "    x = asctile.copy_in(gm, [0, 0], [8, 16])\n"
        "    asctile.copy_out(asctile.softmax(x), gm, [0, 0])\n"
        "\n"
        "double[1](np.zeros((8, 16), np.float32))\n"
        "double[1](np.zeros((8, 16), np.float32))\n",
        encoding="utf-8",
    )
    assert main(["run", "--memory", str(path)]) == 0
    assert capsys.readouterr().err == (
        "ascemu: memory of double (the device compiler counts it):\n"
        "  UB: at least 1024, about 1664 of 253952 bytes\n"
        "        640  scratch of softmax for float32 tensor [8, 16] (approximate)  kernel.py:8\n"
        "        512  'x' float32 tensor [8, 16]  kernel.py:7\n"
        "        512  float32 tensor [8, 16]  kernel.py:8\n"
    )
