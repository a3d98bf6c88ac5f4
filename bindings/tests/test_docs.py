"""The links between the Markdown pages lead somewhere, and the check notices where they do not."""

from pathlib import Path

from check_docs import broken_links

ROOT = Path(__file__).resolve().parents[2]


def test_pages_have_no_broken_links():
    pages = [*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md"), *ROOT.glob("conformance/*.md")]
    assert ROOT / "README.md" in pages
    assert [line for page in pages for line in broken_links(ROOT, page)] == []


def test_broken_links_are_found(tmp_path):
    page = tmp_path / "page.md"
    page.write_text(
        "# The `only` heading\n[a](absent.md) [b](page.md#absent) [c](#the-only-heading)\n"
        "[d](https://example.org/x) `[e](absent.md)`\n```\n[f](absent.md)\n```\n",
        encoding="utf-8",
    )
    assert list(broken_links(tmp_path, page)) == [
        "page.md:2: no such file: absent.md",
        "page.md:2: no such heading: page.md#absent",
    ]
