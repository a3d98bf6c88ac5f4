"""The matrix of operations: its facts cite the contract, its claims rest on recorded proofs."""

import json
from pathlib import Path

import numeric_pages
import pytest
from ascemu import _core
from ascemu.cli.explain import read_clauses

ROOT = Path(__file__).resolve().parents[2]
CLAUSES = read_clauses((ROOT / "docs" / "numerics.md").read_text(encoding="utf-8"))
OPS = {row["name"]: row for row in _core.op_table()}
FACTS = numeric_pages.read_json(numeric_pages.UNSPECIFIED)
# Clauses that leave something open which belongs to no tensor operation of the matrix.
WITHOUT_OPERATION = {"N6.2", "N17.5", "N18.1"}


def leaves_open(clause):
    return any(line.startswith("unspecified: ") for line in CLAUSES[clause].paragraphs)


def test_every_open_point_is_an_open_point_of_the_contract():
    for fact in FACTS:
        assert leaves_open(fact["clause"]), fact
        assert fact["what"] and set(fact["chips"]) <= set(numeric_pages.CHIPS)
        for op in fact["ops"]:
            assert set(fact["dtypes"]) & set(OPS[op]["dtypes"]), (fact["clause"], op)


def test_every_open_point_of_the_contract_is_in_the_matrix():
    wanted = {name for name in CLAUSES if "." in name and leaves_open(name)}
    assert wanted - {fact["clause"] for fact in FACTS} == WITHOUT_OPERATION


def test_every_proof_cites_clauses_that_exist():
    proofs = numeric_pages.read_proofs()
    cited = {clause for entry in proofs for clause in entry["clause"].split()}
    assert {clause for clause in cited if clause not in CLAUSES or "." not in clause} == set()


def test_silicon_needs_a_measured_recording():
    """Each cell that says so names recordings of that operation, dtype and chip."""
    evidence = numeric_pages.read_json(numeric_pages.RECORDINGS / "evidence.json")
    rows = json.loads((ROOT / "bindings/python/ascemu/data/operation_matrix.json").read_text())
    seen = set()
    for row in rows:
        assert row["targets"]["ieee"]["silicon"] == []
        for chip in numeric_pages.CHIPS:
            for identifier in row["targets"][chip]["silicon"]:
                assert evidence[identifier]["evidence"] == "measured"
                assert row["op"] in evidence[identifier]["ops"]
                seen.add((row["op"], row["dtype"], chip))
    assert {("div", "float32", "910_93"), ("sqrt", "float16", "910B")} <= seen
    assert not any(chip == "950PR" for _, _, chip in seen)


@pytest.mark.parametrize(
    ("device", "chips"),
    [
        ("Ascend910B3", ["910B"]),
        ("Ascend910B2C", ["910B"]),
        ("Ascend910_93", ["910_93"]),
        ("A2/A3", ["910B", "910_93"]),
        ("Ascend950", ["950PR"]),
        ("all", ["910B", "910_93", "950PR"]),
    ],
)
def test_devices_are_chips(device, chips):
    assert numeric_pages.chips_of(device) == chips


def test_a_proof_with_a_mismatch_proves_nothing():
    entry = {"op": "add", "dtype": "float16", "target": "910B", "vectors": 5, "mismatches": 1}
    rows = numeric_pages.matrix_rows([OPS["add"]], [entry])
    cell = next(row for row in rows if row["dtype"] == "float16")["targets"]["910B"]
    assert cell["vectors"] == 0
    assert numeric_pages.cell_text(cell) == "implemented, open: N2.1 N2.2 N5.2"


def test_nearly_everything_is_proven():
    """What computes floats or integers and has no proof is named here."""
    rows = numeric_pages.matrix_rows(list(OPS.values()), numeric_pages.read_proofs())
    computing = "binary compare unary cast reduce normalize matmul".split()
    missing = {
        (row["op"], target)
        for row in rows
        if OPS[row["op"]]["family"] in computing
        for target, cell in row["targets"].items()
        if not cell["vectors"]
    }
    assert missing == {("zeros_acc", target) for target in numeric_pages.TARGETS}
