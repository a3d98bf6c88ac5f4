"""`schedule`: orders of the blocks, as a kernel with a race shows them."""

import subprocess
import sys

import ascemu
import numpy as np
import pytest
from ascemu import settings
from ascemu.dropin import asc2

CHOSEN = ["parallel", "sequential", "reverse", "random:5", "interleave"]


@pytest.fixture(autouse=True)
def unchanged_settings():
    with ascemu.options(schedule=settings.current().schedule):
        yield


@asc2.jit
def counter(x_ptr):
    """A race: every block notes the count that it sees and adds one to it."""
    gm = asc2.global_tensor(x_ptr, [5])
    seen = asc2.copy_in(gm, [0])
    asc2.copy_out(seen, gm, [asc2.block_idx() + 1])
    asc2.copy_out(seen + 1, gm, [0])


@pytest.mark.parametrize(
    ("schedule", "expected"),
    [
        ("sequential", [4, 0, 1, 2, 3]),
        ("reverse", [4, 3, 2, 1, 0]),
        ("interleave", [1, 0, 0, 0, 0]),
    ],
)
def test_a_race_gives_what_the_order_makes_of_it(schedule, expected):
    x = np.zeros(5, np.int32)
    with ascemu.options(schedule=schedule, checks={"race": "off"}):
        counter[4](x)
    assert x.tolist() == expected


def test_random_orders_repeat():
    orders = []
    for seed in (1, 1, 2):
        x = np.zeros(5, np.int32)
        with ascemu.options(schedule=f"random:{seed}", checks={"race": "off"}):
            counter[4](x)
        orders.append(x.tolist())
    assert orders[0] == orders[1] != orders[2]
    assert sorted(orders[2]) == [0, 1, 2, 3, 4]


def test_the_finding_of_the_race_does_not_depend_on_the_order():
    texts = set()
    for schedule in CHOSEN:
        with ascemu.options(schedule=schedule), pytest.raises(ascemu.KernelError) as caught:
            counter[4](np.zeros(5, np.int32))
        texts.add("\n".join(map(str, caught.value.diagnostics)))
    assert len(texts) == 1
    assert "[data-race]" in texts.pop()


def ascemu_run(*arguments):
    command = [sys.executable, "-m", "ascemu", "run", *map(str, arguments)]
    return subprocess.run(command, capture_output=True, text=True, check=False)


def test_command_line(tmp_path):
    script = tmp_path / "script.py"
    script.write_text("from ascemu import settings\nprint(settings.current().schedule)\n")
    assert ascemu_run("--schedule", "random:3", script).stdout == "random:3\n"
    refused = ascemu_run("--schedule=random:", script)
    assert refused.returncode == 2
    assert "schedule='random:': must be one of parallel, sequential" in refused.stderr
