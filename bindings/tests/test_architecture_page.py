"""docs/ names files and folders that exist, and the generated pages match their tables."""

import re
from pathlib import Path

import generate_docs
import pytest
from ascemu.cli.main import make_parser

ROOT = Path(__file__).resolve().parents[2]
PAGES = sorted((ROOT / "docs").glob("*.md"))
PLACES = "refops/ interp/ bindings/ conformance/ bench/ examples/ scripts/ docs/ tests/".split()


def named_paths(text):
    """The paths from the root that a page names in backquotes."""
    for word in re.findall(r"`([A-Za-z_./-]+)`", text):
        if word.startswith(tuple(PLACES)):
            yield word


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_named_paths_exist(page):
    missing = [
        path
        for path in named_paths(page.read_text(encoding="utf-8"))
        if not (ROOT / path).exists() or (ROOT / path).is_dir() != path.endswith("/")
    ]
    assert missing == []


def test_architecture_names_every_ring_and_package():
    named = set(named_paths((ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")))
    package = ROOT / "bindings" / "python" / "ascemu"
    folders = [*ROOT.glob("interp/*/"), *package.glob("*/")]
    expected = {
        f"{folder.relative_to(ROOT)}/"
        for folder in folders
        if folder.is_dir() and folder.name not in ("tests", "fuzz", "__pycache__")
    }
    assert expected - named == set()
    assert "interp/ast/" in named


def test_readme_lists_every_page():
    readme = (ROOT / "docs" / "README.md").read_text(encoding="utf-8")
    listed = re.findall(r"^\| \[[^\]]+\]\(([a-z-]+\.md)\)", readme, re.MULTILINE)
    assert sorted(listed) == [page.name for page in PAGES if page.name != "README.md"]


def test_generated_pages_are_up_to_date(capsys):
    assert generate_docs.main(["--check"]) == 0, capsys.readouterr().out


def test_a_stale_page_is_noticed(monkeypatch, tmp_path, capsys):
    page = tmp_path / "page.md"
    page.write_text("old\n", encoding="utf-8")
    monkeypatch.setattr(generate_docs, "ROOT", tmp_path)
    monkeypatch.setattr(generate_docs, "render_pages", lambda: {page: "new\n"})
    assert generate_docs.main(["--check"]) == 1
    assert page.read_text(encoding="utf-8") == "old\n"
    assert generate_docs.main([]) == 0
    assert page.read_text(encoding="utf-8") == "new\n"
    assert generate_docs.main(["--check"]) == 0
    assert capsys.readouterr().out == ("page.md: differs; run make docs\npage.md: written\n")


def test_quick_start_lists_the_options_of_run():
    text = (ROOT / "docs" / "quick-start.md").read_text(encoding="utf-8")
    listed = re.findall(r"^\| `(--[a-z-]+)", text, re.MULTILINE)
    run = make_parser()._subparsers._group_actions[0].choices["run"]
    options = [o for action in run._actions for o in action.option_strings if o.startswith("--")]
    assert sorted(listed) == sorted(set(options) - {"--help"})


def test_quick_start_lists_the_settings():
    import inspect

    import ascemu

    text = (ROOT / "docs" / "quick-start.md").read_text(encoding="utf-8")
    table = text.split("## Settings\n")[1].split("\n## ")[0]
    listed = re.findall(r"^\| `([a-z_]+)` \|", table, re.MULTILINE)
    assert sorted(listed) == sorted(inspect.signature(ascemu.options).parameters)
