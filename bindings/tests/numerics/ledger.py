"""The record of what was proven: one entry a proof, with the number of vectors and of mismatches.

What it is: every comparison of a proof goes through `prove`, which counts, writes an entry to
reports/numerics/ and fails on the first mismatch with the operands. The entries, gathered by
scripts/gather_proofs.py, are docs/reports/numerics_dsl.json; docs/numerics-proof.md and the matrix
of operations are made from that file. Invariant: an entry in the repository is what this run found.
"""

from __future__ import annotations

import json
import os
import re
from pathlib import Path

import numpy as np

ROOT = Path(__file__).resolve().parents[3]
REPORTS = ROOT / "reports" / "numerics"
COMMITTED = ROOT / "docs" / "reports" / "numerics_dsl.json"
IDENTITY = ("path", "set", "op", "dtype", "result", "mode", "target")


def identity(entry: dict) -> tuple:
    """What tells one entry from another."""
    return tuple(entry[name] for name in IDENTITY)


def prove(
    got: np.ndarray,
    expected: np.ndarray,
    operands: tuple[np.ndarray, ...],
    **entry: str,
) -> None:
    """Every pattern equal; `entry` says what was compared (IDENTITY, clause, oracle)."""
    assert got.shape == expected.shape and got.dtype == expected.dtype
    wrong = got != expected
    found = {
        "path": "dsl",
        "set": entry["set"],
        "op": entry["op"],
        "dtype": entry["dtype"],
        "result": entry.get("result", entry["dtype"]),
        "mode": entry.get("mode", "nearest"),
        "target": entry["target"],
        "clause": entry["clause"],
        "oracle": entry["oracle"],
        "vectors": int(got.size),
        "mismatches": int(wrong.sum()),
    }
    REPORTS.mkdir(parents=True, exist_ok=True)
    name = re.sub(r"[^a-z0-9]+", "-", " ".join(identity(found)).lower())
    path = REPORTS / f"{name}.json"
    path.write_text(json.dumps(found) + "\n", encoding="utf-8")
    if wrong.any():
        at = int(np.argmax(wrong))
        given = ", ".join(f"{int(x[at]):#x}" for x in operands)
        raise AssertionError(
            f"{found['mismatches']} of {found['vectors']} differ; first: {found['op']}({given}) is "
            f"{int(got[at]):#x}, expected {int(expected[at]):#x}"
        )
    if "ASCEMU_NEW_PROOFS" not in os.environ:
        known = {identity(old): old for old in json.loads(COMMITTED.read_text(encoding="utf-8"))}
        assert known.get(identity(found)) == found, (
            f"{COMMITTED.relative_to(ROOT)} does not hold this result: run `make proof`"
        )
