"""Every example gives the same output bits whatever the number of threads."""

import json
import os
import subprocess
import sys

import pytest
import run_all


def digests(threads: int) -> dict:
    environment = {**os.environ, "OMP_NUM_THREADS": str(threads)}
    finished = subprocess.run(
        [sys.executable, str(run_all.FOLDER / "run_all.py"), "--json"],
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )
    assert finished.returncode == 0, finished.stdout[-4000:] + finished.stderr[-4000:]
    records = [json.loads(line) for line in finished.stdout.splitlines()]
    return {r["name"]: r["digest"] for r in records if r["kind"] == "example"}


@pytest.fixture(scope="module")
def by_threads():
    return {threads: digests(threads) for threads in (1, 2)}


def test_every_example_ran(by_threads):
    assert sorted(by_threads[1]) == run_all.example_names()
    assert all(len(value) == 64 for value in by_threads[1].values())


@pytest.mark.parametrize("name", run_all.example_names())
def test_same_bits_with_one_and_two_threads(by_threads, name):
    assert by_threads[1][name] == by_threads[2][name]
