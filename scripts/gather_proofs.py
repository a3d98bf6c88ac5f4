"""Gather what the numeric proofs of a test run recorded into docs/reports/.

The proofs (bindings/tests/test_numerics_*.py, refops/tests/proof_*_test.cpp) write one entry each
to reports/numerics/; `make proof` runs them and this. Entries keep one line each, in a fixed order,
so that a change shows as a change of lines.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
FOUND = ROOT / "reports" / "numerics"
IDENTITY = ("path", "set", "op", "dtype", "result", "mode", "target")


def gathered(entries: list[dict]) -> str:
    """The JSON text of `entries`, sorted."""
    entries = sorted(entries, key=lambda entry: [entry[name] for name in IDENTITY])
    return "[\n" + ",\n".join(json.dumps(entry) for entry in entries) + "\n]\n"


def main() -> int:
    entries = [json.loads(path.read_text(encoding="utf-8")) for path in FOUND.glob("*.json")]
    wrong = [entry for entry in entries if entry["mismatches"]]
    for entry in wrong:
        print("differs:", *(entry[name] for name in IDENTITY))
    for path in ("dsl", "refops"):
        chosen = [entry for entry in entries if entry["path"] == path]
        target = ROOT / "docs" / "reports" / f"numerics_{path}.json"
        if chosen:
            target.write_text(gathered(chosen), encoding="utf-8")
        vectors = sum(entry["vectors"] for entry in chosen)
        print(f"{path}: {len(chosen)} proofs, {vectors} vectors")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
