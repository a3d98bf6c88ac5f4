"""The chunk harness itself: what it reads, and that it notices when a chunk differs."""

import pytest
from language_chunks import ChunkFailure, read_chunks

GOOD = """\
# an error
@asc2.jit
def kernel(out_ptr):
    x = {}  ### UnsupportedSyntaxError "Dict syntax" at "{}"
scalars(kernel)
---
# a value
@asc2.jit
def kernel(out_ptr, n):
    gm = asc2.global_tensor(out_ptr, [1])
    asc2.copy_out(n + 1, gm, [0])
assert scalars(kernel, 4) == 5
"""


def chunks_of(tmp_path, text):
    path = tmp_path / "sample.chunks"
    path.write_text(text, encoding="utf-8")
    return read_chunks(path)


def test_chunks_have_the_lines_of_the_file(tmp_path):
    first, second = chunks_of(tmp_path, GOOD)
    assert (first.first_line, second.first_line) == (1, 7)
    assert first.title == "an error"
    assert first.marks[0].line == 4
    assert first.marks[0].at == "{}"
    assert second.marks == ()
    first.run()
    second.run()


def test_empty_chunks_are_left_out(tmp_path):
    assert len(chunks_of(tmp_path, "---\n\n---\nx = 1\n---\n")) == 1


@pytest.mark.parametrize(
    "old, new, said",
    [
        ("x = {}", "x = 1", "was not raised"),
        ('"Dict syntax"', '"List syntax"', "does not match"),
        ('at "{}"', 'at "x"', "the caret stands under"),
        ("UnsupportedSyntaxError", "TypeError", "TypeError expected"),
        ("    x = {}", "    y = {}\n    x = {}", "points at line 4"),
        ('at "{}"', "### cause TypeError", "the cause is NoneType"),
    ],
)
def test_a_wrong_mark_is_noticed(tmp_path, old, new, said):
    chunk = chunks_of(tmp_path, GOOD.replace(old, new))[0]
    with pytest.raises(ChunkFailure, match=said):
        chunk.run()


def test_an_unexpected_error_is_noticed(tmp_path):
    chunk = chunks_of(tmp_path, GOOD.replace("== 5", "== 6"))[1]
    with pytest.raises(ChunkFailure, match="unexpected AssertionError"):
        chunk.run()


WARNS = """\
@asc2.jit
def kernel(out_ptr):
    a, = [1]  ### warning "a tuple target of one name" at "a,"
scalars(kernel)
"""


def test_warnings_are_held_to_their_marks(tmp_path):
    chunks_of(tmp_path, WARNS)[0].run()


@pytest.mark.parametrize(
    "old, new, said",
    [
        ("  ###", "  #", "unexpected warning"),
        ('"a tuple', '"a list', "no warning"),
        ("a, = [1]", "a = 1", "no warning"),
    ],
)
def test_a_wrong_warning_mark_is_noticed(tmp_path, old, new, said):
    chunk = chunks_of(tmp_path, WARNS.replace(old, new))[0]
    with pytest.raises(ChunkFailure, match=said):
        chunk.run()


def test_an_error_without_diagnostic_is_noticed(tmp_path):
    text = 'x = 1 / 0  ### ZeroDivisionError "division"\n'
    with pytest.raises(ChunkFailure, match="has no diagnostic"):
        chunks_of(tmp_path, text)[0].run()
