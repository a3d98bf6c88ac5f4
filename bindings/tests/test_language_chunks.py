"""Runs the chunked files of the accepted language (language/*.chunks)."""

from pathlib import Path

import pytest
from language_chunks import Chunk, read_chunks

FILES = sorted(Path(__file__).with_name("language").glob("*.chunks"))
CASES = [
    pytest.param(chunk, id=f"{path.stem}-{chunk.first_line}")
    for path in FILES
    for chunk in read_chunks(path)
]


@pytest.mark.parametrize("chunk", CASES)
def test_chunk(chunk: Chunk):
    chunk.run()
