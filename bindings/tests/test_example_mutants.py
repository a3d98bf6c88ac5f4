"""The mutants of the examples: which edits there are, how they are judged, a run of one example."""

import json
import subprocess
import sys
from pathlib import Path

import pytest
from example_mutants import OPERATORS, mutants_of
from mutate_examples import noticed

ROOT = Path(__file__).resolve().parents[2]
SOURCE = """import asc2


def plain(x):
    return asc2.copy_in(x, [0], [8])


@asc2.jit
def kernel(x_ptr, y_ptr, rows, tile_cols: asc2.ConstExpr[int]):
    x_gm = asc2.global_tensor(x_ptr, [rows, 64])
    for i in asc2.range(asc2.block_idx(), rows, 2, gm_barrier=True):
        x = asc2.copy_in(
            x_gm, [i, 0], [1, tile_cols], pad_value=0.0
        )
        asc2.copy_out(x, x_gm, [i, 0], real_shape=[1, 3])
"""


def changes(operator):
    return [(m.line, m.before, m.after) for m in mutants_of(SOURCE) if m.operator == operator]


def test_every_mistake_is_made_where_it_can_be():
    rows = {name: changes(name) for name in OPERATORS}
    copy_in = "asc2.copy_in(x_gm, [i, 0], [1, tile_cols]"
    copy_out = "asc2.copy_out(x, x_gm, [i, 0]"
    loop = "asc2.range(asc2.block_idx(), rows, 2"
    tensor = "x_gm = asc2.global_tensor(x_ptr, [rows, 64])"
    assert rows == {
        "offset off by one tile": [(13, "i", "i + 1"), (15, "i", "i + 1")],
        "forgotten real_shape": [(15, f"{copy_out}, real_shape=[1, 3])", f"{copy_out})")],
        "wrong location": [
            (
                12,
                f"{copy_in}, pad_value=0.0)",
                f"{copy_in}, pad_value=0.0, location=asc2.TensorLocation.L1)",
            )
        ],
        "missing pad": [(12, f"{copy_in}, pad_value=0.0)", f"{copy_in})")],
        "missing barrier": [(11, f"{loop}, gm_barrier=True)", f"{loop})")],
        "tile too large": [
            (10, tensor, f"tile_cols = tile_cols * 4096; {tensor}"),
            (13, "tile_cols", "tile_cols * 4096"),
        ],
        "blocks overlap": [(11, "asc2.block_idx()", "(asc2.block_idx() // 2)")],
        "wrong stride": [
            (10, "64", "64 + 1"),
            (10, "[rows, 64]", "[64, rows]"),
            (11, "2", "2 * 2"),
        ],
        "output never stored": [(15, f"{copy_out}, real_shape=[1, 3])", "pass")],
    }


def test_a_mutant_keeps_the_lines():
    for mutant in mutants_of(SOURCE):
        compile(mutant.text, "kernel.py", "exec")
        assert mutant.text != SOURCE
        assert mutant.text.count("\n") == SOURCE.count("\n")


RIGHT = {"ok": True, "tests": True, "digest": "d", "error": None, "findings": []}


@pytest.mark.parametrize(
    ("changed", "verdict"),
    [
        ({}, ("equivalent", "")),
        ({"digest": "e"}, ("missed", "within tolerance")),
        ({"ok": False}, ("value", "example")),
        ({"tests": False}, ("value", "tests")),
        ({"findings": [["race", "data-race", "error"]]}, ("check", "race: data-race")),
        ({"error": "RuntimeError", "ok": None}, ("refused", "RuntimeError")),
        (
            {"error": "CodegenError", "ok": None, "findings": [[None, "bad-shape", "error"]]},
            ("refused", "bad-shape"),
        ),
        ({"died": -11}, ("missed", '{"ok": true')),
    ],
)
def test_verdicts(changed, verdict):
    kind, by = noticed({**RIGHT, **changed}, "d")
    assert kind == verdict[0]
    assert by.startswith(verdict[1])


def test_the_report_is_of_these_examples():
    rows = json.loads((ROOT / "docs/reports/example_mutants.json").read_text(encoding="utf-8"))
    listed = [tuple(r[k] for k in ("example", "operator", "line", "before", "after")) for r in rows]
    sources = {e: (ROOT / f"examples/{e}.py").read_text(encoding="utf-8") for e, *_ in listed}
    made = [
        (example, m.operator, m.line, m.before, m.after)
        for example, source in sources.items()
        for m in mutants_of(source)
    ]
    assert listed == made, "the examples changed: run scripts/run_tests.py mutants"


def test_a_run_over_one_example(tmp_path):
    report = tmp_path / "mutants.json"
    script = ROOT / "scripts" / "mutate_examples.py"
    done = subprocess.run(
        [sys.executable, script, "--report", report, "masked_lanes"],
        capture_output=True,
        text=True,
    )
    rows = json.loads(report.read_text(encoding="utf-8"))
    stores = [row["verdict"] for row in rows if row["operator"] == "output never stored"]
    assert stores == ["value", "value"]
    assert done.stdout.splitlines()[-1].startswith(f"{len(rows)} mutants: ")
