"""The outputs of every example are the same bits whatever computes them.

Forced instruction sets (those that this processor has, the widest is the default) and thread
counts; scripts/run_tests.py compares the builds of two compilers in the suite `clang`.
"""

import importlib

import ascemu
import pytest
import run_all
from ascemu import _core

run_all.prepare()
LEVELS = _core._vector_levels()
MODES = ("ieee", "npu")


@pytest.fixture
def forced():
    """The function that forces an instruction set for all threads; undone at the end."""
    yield _core._force_vector_level
    _core._force_vector_level(LEVELS[-1])


@pytest.mark.parametrize("numerics", MODES)
@pytest.mark.parametrize("name", run_all.example_names())
def test_instruction_sets_and_threads(name, numerics, forced):
    module = importlib.import_module(name)
    digests = {}
    with ascemu.options(numerics=numerics):
        for level in LEVELS:
            forced(level)
            assert _core._vector_level() == level
            for threads in (1, 2):
                with ascemu.options(threads=threads):
                    digests[level, threads] = run_all.digest(module.example().outputs)
    assert len(digests) == 2 * len(LEVELS)
    assert len(set(digests.values())) == 1, digests


def test_the_instruction_sets_are_there_and_others_are_refused():
    assert LEVELS[0] == "baseline"
    with pytest.raises(ValueError, match="this processor has no vector level 'mmx'"):
        _core._force_vector_level("mmx")
