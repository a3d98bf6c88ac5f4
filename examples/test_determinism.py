"""Every example gives the same output bits whatever the number of threads."""

import json
import os
import subprocess
import sys

import run_all


def digests(threads: int) -> dict:
    """Name of every example -> digest of its outputs, from a process with so many threads."""
    finished = subprocess.run(
        [sys.executable, str(run_all.FOLDER / "run_all.py"), "--json"],
        env={**os.environ, "OMP_NUM_THREADS": str(threads)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert finished.returncode == 0, finished.stdout[-4000:] + finished.stderr[-4000:]
    records = [json.loads(line) for line in finished.stdout.splitlines()]
    return {r["name"]: r["digest"] for r in records if r["kind"] == "example"}


def test_same_bits_with_one_and_two_threads():
    one, two = digests(1), digests(2)
    assert sorted(one) == sorted(two) == run_all.example_names()
    assert all(len(value) == 64 for value in one.values())
    assert [name for name in one if one[name] != two[name]] == []
