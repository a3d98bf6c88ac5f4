"""The pages and the table that say what of the numeric contract is proven, and against what.

What it is: pure functions from the reports in docs/reports/, the recordings of devices and the list
of what hardware leaves open to text. What it is not: a source of numbers; every count comes from a
report that a run wrote. Invariant: a cell says "silicon" only where a recording in
conformance/recordings/ was measured on that chip.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
REPORTS = ROOT / "docs" / "reports"
RECORDINGS = ROOT / "conformance" / "recordings"
UNSPECIFIED = ROOT / "refops" / "target" / "unspecified.json"
TARGETS = ("ieee", "910B", "910_93", "950PR")
CHIPS = TARGETS[1:]
SATURATING = ("910B saturating", "910_93 saturating")
FAMILIES = "binary compare unary cast select reduce normalize matmul creation layout memory".split()


def read_json(path: Path) -> list | dict:
    return json.loads(path.read_text(encoding="utf-8"))


def read_proofs() -> list[dict]:
    """Every entry of the reports that the proofs wrote."""
    return [entry for path in sorted(REPORTS.glob("numerics_*.json")) for entry in read_json(path)]


def read_sweeps() -> list[dict]:
    """The reports of `make test-exhaustive`."""
    return [read_json(path) for path in sorted(REPORTS.glob("exhaustive_*.json"))]


def measured_points() -> list[dict]:
    """The recorded points that are results of a device, each with the chips they stand for."""
    kinds = read_json(RECORDINGS / "evidence.json")
    points = read_json(RECORDINGS / "recorded_device_points.json")["points"]
    return [
        point | {"chips": chips_of(point["device"]), "ops": kinds[point["id"]]["ops"]}
        for point in points
        if kinds[point["id"]]["evidence"] == "measured" and kinds[point["id"]]["ops"]
    ]


def chips_of(device: str) -> list[str]:
    """The chips that a recording's device field names."""
    families = {"A2": "910B", "A3": "910_93", "A2/A3": "910B 910_93", "all": " ".join(CHIPS)}
    if device in families:
        return families[device].split()
    if device.startswith("Ascend950"):
        return ["950PR"]
    return [chip for chip in CHIPS if device.startswith("Ascend" + chip)]


def matrix_rows(ops: list[dict], proofs: list[dict]) -> list[dict]:
    """One row an operation and dtype: for each target what is known of its bits."""
    proven: dict[tuple, int] = {}
    for entry in proofs:
        if entry["mismatches"] == 0:
            key = (entry["op"], entry["dtype"], entry["target"])
            proven[key] = proven.get(key, 0) + entry["vectors"]
    points = measured_points()
    open_points = read_json(UNSPECIFIED)
    rows = []
    for op in ops:
        if op["family"] not in FAMILIES:
            continue
        for dtype in op["dtypes"]:
            cells = {}
            for target in TARGETS:
                cells[target] = {
                    "vectors": proven.get((op["name"], dtype, target), 0),
                    "silicon": [
                        point["id"]
                        for point in points
                        if op["name"] in point["ops"]
                        and source_dtype(point) == dtype
                        and target in point["chips"]
                    ],
                    "unspecified": [
                        fact["clause"]
                        for fact in open_points
                        if op["name"] in fact["ops"]
                        and dtype in fact["dtypes"]
                        and target in fact["chips"]
                    ],
                }
            rows.append({"op": op["name"], "dtype": dtype, "targets": cells})
    return rows


def source_dtype(point: dict) -> str:
    return point.get("dtype") or point["from"]


def cell_text(cell: dict) -> str:
    """What a cell of the page says."""
    words = ["proven" if cell["vectors"] else "implemented"]
    words += ["silicon"] if cell["silicon"] else []
    words += ["open: " + " ".join(cell["unspecified"])] if cell["unspecified"] else []
    return ", ".join(words)


def render_matrix(mark: str, rows: list[dict]) -> str:
    """docs/operation-matrix.md: the rows, dtypes with equal cells together."""
    lines = [
        mark,
        "",
        "# What is known of each operation's bits",
        "",
        "Operation, dtype of the first operand, then one column a target: the mode `ieee` and the "
        "mode `npu` for each chip. *implemented*: tests check its values. *proven*: every vector "
        "of a proof in [the proof report](numerics-proof.md) gives the bits of an independent "
        "oracle. *silicon*: a result measured on that chip is in `conformance/recordings/` and a "
        "test holds us to it. *open*: hardware leaves something unspecified; the clause of the "
        "contract says what, and what we return. `ascemu ops --matrix` prints the table.",
        "",
        "| operation | dtypes | " + " | ".join(f"`{target}`" for target in TARGETS) + " |",
        "|---|---|" + "---|" * len(TARGETS),
    ]
    for op, dtypes, cells in merged_rows(rows):
        lines.append(f"| `{op}` | {dtypes} | " + " | ".join(cells) + " |")
    lines += [
        "",
        "## Left open by hardware",
        "",
        "| clause | operations | chips | what |",
        "|---|---|---|---|",
    ]
    for fact in read_json(UNSPECIFIED):
        ops = ", ".join(f"`{name}`" for name in fact["ops"])
        lines.append(f"| {fact['clause']} | {ops} | {' '.join(fact['chips'])} | {fact['what']} |")
    lines += [
        "",
        "## Measured on silicon",
        "",
        "| recording | device | operation | used as |",
        "|---|---|---|---|",
    ]
    for point in measured_points():
        lines.append(f"| {point['id']} | {point['device']} | `{point['op']}` | {point['use']} |")
    return "\n".join(lines) + "\n"


def merged_rows(rows: list[dict]) -> Iterable[tuple[str, str, list[str]]]:
    """The rows of one operation whose cells are equal, as one."""
    table: dict[tuple, list[str]] = {}
    for row in rows:
        cells = tuple(cell_text(row["targets"][target]) for target in TARGETS)
        table.setdefault((row["op"], cells), []).append(row["dtype"])
    for (op, cells), dtypes in table.items():
        yield op, " ".join(dtypes), list(cells)


def render_proofs(mark: str, proofs: list[dict], sweeps: list[dict]) -> str:
    """docs/numerics-proof.md: how many vectors, against which oracle, with how many mismatches."""
    vectors = sum(entry["vectors"] for entry in proofs)
    mismatches = sum(entry["mismatches"] for entry in proofs)
    lines = [
        mark,
        "",
        "# Proof of the numeric contract",
        "",
        "Each proof runs one operation over a set of vectors and compares every bit with an oracle "
        "that shares no code with the product: `make test` runs them all and compares the counts "
        "with the reports below; `make proof` writes the reports and this page.",
        "",
        f"{len(proofs)} proofs, {vectors:,} vectors, {mismatches} mismatches.",
        "",
        "| path | set | proofs | vectors | mismatches |",
        "|---|---|--:|--:|--:|",
    ]
    for path, name in (("dsl", "through a kernel run by the interpreter"), ("refops", "in refops")):
        for kind in ("exhaustive", "vectors"):
            chosen = [e for e in proofs if e["path"] == path and e["set"] == kind]
            if chosen:
                lines.append(f"| {name} | {kind} | {counts(chosen)} |")
    columns = [*TARGETS, *SATURATING]
    for path, title in (("dsl", "Through the kernel language"), ("refops", "In refops")):
        chosen = [entry for entry in proofs if entry["path"] == path]
        if not chosen:
            continue
        targets = [target for target in columns if any(e["target"] == target for e in chosen)]
        lines += [
            "",
            f"## {title}",
            "",
            "Vectors a target; where an operation has round modes, all of them together.",
            "",
            "| operation | dtype | result | modes | "
            + " | ".join(targets)
            + " | clauses | oracle |",
            "|---|---|---|--:|" + "--:|" * len(targets) + "---|---|",
        ]
        lines += list(operation_lines(chosen, targets))
    lines += [
        "",
        "## Every operand",
        "",
        "Sweeps of `make test-exhaustive`, mode `ieee`: every float32 operand of a function, every "
        "pair of float16 operands.",
        "",
        "| sweep | operands | mismatches | largest error (ulp) | at |",
        "|---|--:|--:|--:|---|",
    ]
    for sweep in sweeps:
        lines.append(
            f"| {sweep['name']} | {sweep['count']:,} | {sweep['mismatches']} | "
            f"{sweep.get('max_error_ulp', '')} | {sweep.get('witness', '')} |"
        )
    return "\n".join(lines) + "\n"


def counts(entries: list[dict]) -> str:
    vectors = sum(entry["vectors"] for entry in entries)
    return f"{len(entries)} | {vectors:,} | {sum(entry['mismatches'] for entry in entries)}"


def operation_lines(proofs: list[dict], targets: list[str]) -> Iterable[str]:
    """One table row an operation, dtype and result."""
    groups: dict[tuple, list[dict]] = {}
    for entry in proofs:
        groups.setdefault((entry["op"], entry["dtype"], entry["result"]), []).append(entry)
    for (op, dtype, result), entries in sorted(groups.items()):
        modes = len({entry["mode"] for entry in entries})
        cells = []
        for target in targets:
            vectors = sum(entry["vectors"] for entry in entries if entry["target"] == target)
            cells.append(f"{vectors:,}" if vectors else "")
        clauses = sorted({word for entry in entries for word in entry["clause"].split()})
        oracles = sorted({entry["oracle"] for entry in entries})
        yield (
            f"| `{op}` | {dtype} | {result} | {modes} | "
            + " | ".join(cells)
            + f" | {' '.join(clauses)} | {'; '.join(oracles)} |"
        )
