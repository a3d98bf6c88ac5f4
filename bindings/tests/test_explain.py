"""`ascemu explain`: clauses in the words of the page, codes in those of their table."""

from pathlib import Path

import pytest
from ascemu import _core
from ascemu.cli import explain
from ascemu.cli.main import main

ROOT = Path(__file__).resolve().parents[2]
CONTRACT = ROOT / "docs" / "numerics.md"
PAGE = """# The contract

What it is, and N9 mentioned.

## N1 Formats
- rule: float16 is binary16,
  float32 binary32.
- evidence: documented

## N17 Compiler rewrites
npu only; never through
a loop.

### N17.1 Cast of a cast
- rule: cast(cast(x, B), C) is cast(x, C) when both casts use the default mode or
  the same mode, and the pair is legal.
- certainty: source

### N17.10 Another one
- rule: the tenth

## Sources
- rule: of no clause
"""


@pytest.fixture
def page(tmp_path, monkeypatch):
    path = tmp_path / "numerics.md"
    path.write_text(PAGE)
    monkeypatch.setattr(explain, "contract_path", lambda: path)
    return path


def printed(capsys, *arguments):
    assert main(["explain", *arguments]) == 0
    return capsys.readouterr().out


def refused(capsys, *arguments):
    with pytest.raises(SystemExit) as caught:
        main(["explain", *arguments])
    assert caught.value.code == 2
    return capsys.readouterr().err


def test_a_clause_is_printed_below_its_family(page, capsys):
    for name in ("N17.1", "n17.1"):
        assert printed(capsys, name) == (
            "N17 Compiler rewrites\n"
            "\n"
            "N17.1 Cast of a cast\n"
            "  rule: cast(cast(x, B), C) is cast(x, C) when both casts use the default mode or the "
            "same mode, and\n"
            "    the pair is legal.\n"
            "  certainty: source\n"
        )


def test_a_family_is_printed_whole(page, capsys):
    text = printed(capsys, "N17")
    assert text.startswith(
        "N17 Compiler rewrites\n  npu only; never through a loop.\n\nN17.1 Cast of a cast\n"
    )
    assert text.endswith("\n\nN17.10 Another one\n  rule: the tenth\n")


def test_a_clause_without_parts(page, capsys):
    assert printed(capsys, "N1") == (
        "N1 Formats\n  rule: float16 is binary16, float32 binary32.\n  evidence: documented\n"
    )


def test_every_code_is_explained(capsys):
    for row in _core.code_table():
        text = printed(capsys, row["code"])
        assert text.startswith(f"{row['code']}: {row['kind']}")
        assert text.endswith(f", raises {row['exception']}\n  {row['help']}\n")
    assert printed(capsys, "read-out-of-bounds").startswith(
        "read-out-of-bounds: trap, check bounds, raises KernelError\n"
    )


def test_unknown_names(page, capsys):
    assert "there is no clause 'N17.3' (did you mean N17.1?)" in refused(capsys, "N17.3")
    assert "there is no clause 'N9'" in refused(capsys, "N9")
    assert "there is no code or clause 'bad-csat' (did you mean bad-cast?)" in refused(
        capsys, "bad-csat"
    )
    assert "required: NAME" in refused(capsys)


def test_a_package_without_the_page(page, capsys):
    page.unlink()
    assert "cannot read the numeric contract" in refused(capsys, "N17.1")


def test_the_installed_page_is_that_of_the_repository():
    assert explain.contract_path().read_bytes() == CONTRACT.read_bytes()


def test_every_clause_of_the_contract_says_something():
    clauses = explain.read_clauses(CONTRACT.read_text(encoding="utf-8"))
    families = {name for name in clauses if "." not in name}
    assert {f"N{number}" for number in range(1, 21)} <= families
    for name, clause in clauses.items():
        parts = [other for other in clauses if other.startswith(name + ".")]
        assert clause.paragraphs or parts, name
