"""Every example gives the same output bits whatever the threads and the order of the blocks."""

import json
import os
import subprocess
import sys

import pytest
import run_all


def digests(**environment: str) -> dict:
    """Name of every example -> digest of its outputs, from a process with that environment."""
    finished = subprocess.run(
        [sys.executable, str(run_all.FOLDER / "run_all.py"), "--json"],
        env={**os.environ, **environment},
        capture_output=True,
        text=True,
        check=False,
    )
    assert finished.returncode == 0, finished.stdout[-4000:] + finished.stderr[-4000:]
    records = [json.loads(line) for line in finished.stdout.splitlines()]
    return {r["name"]: r["digest"] for r in records if r["kind"] == "example"}


@pytest.fixture(scope="module")
def of_one_thread():
    return digests(OMP_NUM_THREADS="1", ASCEMU_SCHEDULE="parallel")


def assert_same(one, other):
    assert sorted(one) == sorted(other) == run_all.example_names()
    assert all(len(value) == 64 for value in one.values())
    assert [name for name in one if one[name] != other[name]] == []


def test_same_bits_with_one_and_two_threads(of_one_thread):
    assert_same(of_one_thread, digests(OMP_NUM_THREADS="2", ASCEMU_SCHEDULE="parallel"))


@pytest.mark.parametrize("schedule", ["sequential", "reverse", "random:1", "interleave"])
def test_same_bits_in_every_order_of_the_blocks(of_one_thread, schedule):
    assert_same(of_one_thread, digests(ASCEMU_SCHEDULE=schedule))
