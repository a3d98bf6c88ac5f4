"""The contract's page: every clause is complete, and the tests it names exist and name it."""

import re
from pathlib import Path

import pytest
from ascemu.cli.explain import read_clauses

ROOT = Path(__file__).resolve().parents[2]
TEXT = (ROOT / "docs" / "numerics.md").read_text(encoding="utf-8")
CLAUSES = {name: clause for name, clause in read_clauses(TEXT).items() if "." in name}
KEYS = {"rule", "npu", "A2", "A5", "ieee", "fp64", "evidence", "certainty", "unspecified", "proof"}
CERTAINTIES = "documented source measured golden claim conflicting decision unknown".split()


def items(clause):
    """The `key: text` paragraphs of a clause."""
    return [(key, text) for key, _, text in (line.partition(": ") for line in clause.paragraphs)]


def complaints(clause):
    """What a clause lacks, one line each."""
    found = dict(items(clause))
    for key, text in items(clause):
        if key not in KEYS or not text:
            yield f"{clause.name}: unexpected line {key!r}"
    if not {"rule", "npu", "A2", "A5", "fp64"} & set(found):
        yield f"{clause.name}: no rule"
    for key in ("evidence", "certainty", "proof"):
        if key not in found:
            yield f"{clause.name}: no {key}"
    certainty = found.get("certainty", "")
    if not any(re.search(rf"\b{word}\b", certainty) for word in CERTAINTIES):
        yield f"{clause.name}: certainty {certainty!r} is none of {', '.join(CERTAINTIES)}"
    if re.search(r"\b(unknown|conflicting)\b", certainty) and "unspecified" not in found:
        yield f"{clause.name}: unknown on hardware, but no line says what we return"
    names = [name.strip() for name in found.get("proof", "").split(",")]
    texts = [(ROOT / name).read_text(encoding="utf-8") for name in names if (ROOT / name).is_file()]
    if len(texts) != len(names):
        yield f"{clause.name}: a proof that is no file: {found.get('proof')}"
    family = clause.name.partition(".")[0]
    if not any(re.search(rf"\b{family}(\.\d+)?\b", text) for text in texts):
        yield f"{clause.name}: none of its proofs names the clause"


@pytest.mark.parametrize("name", CLAUSES)
def test_every_clause_is_complete(name):
    assert list(complaints(CLAUSES[name])) == []


def test_an_incomplete_clause_is_noticed():
    page = "### N99.1 Nothing\n- rule: x\n- certainty: sure\n- proof: absent.cpp, README.md\n"
    assert list(complaints(read_clauses(page)["N99.1"])) == [
        "N99.1: no evidence",
        "N99.1: certainty 'sure' is none of " + ", ".join(CERTAINTIES),
        "N99.1: a proof that is no file: absent.cpp, README.md",
        "N99.1: none of its proofs names the clause",
    ]


def test_the_clauses_are_numbered_without_gaps():
    families = {}
    for name in CLAUSES:
        family, part = name.split(".")
        families.setdefault(family, []).append(int(part))
    assert list(families) == [f"N{number}" for number in range(1, 21)]
    for family, parts in families.items():
        assert parts == list(range(1, len(parts) + 1)), family


def test_code_and_tests_name_only_clauses_that_exist():
    known = set(CLAUSES) | {name.partition(".")[0] for name in CLAUSES}
    for folder, pattern in (("refops", "*.h"), ("refops", "*.cpp"), ("interp", "*.h")):
        for path in (ROOT / folder).rglob(pattern):
            text = path.read_text(encoding="utf-8")
            named = set(re.findall(r"(?<![\w.])(N\d{1,2}(?:\.\d+)?)\b", text))
            assert named <= known, f"{path.relative_to(ROOT)}: {sorted(named - known)}"
