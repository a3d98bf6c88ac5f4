"""Raw `.bin` files with a JSON description (docs/import.md) as entries.

What it is: the reader of a description as operator test benches write them: inputs and outputs,
each with a name, a dtype, a shape and a file. What it is not: tolerant of sizes that do not fit.
Invariant: only regular files in or below the description's folder are read.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from ascemu_conformance.case_data import STORAGE, size_bytes
from ascemu_conformance.case_files import CaseError, CaseFiles
from ascemu_conformance.case_writing import constant
from ascemu_conformance.importing import Entry, Item, checked_shape, dtype_name, read_json

_KNOWN = {"name", "op", "blocks", "platform", "device", "inputs", "outputs"}
_PAIRS = {"input_desc": "inputs", "output_desc": "outputs", "case_name": "name"}


def read_description(path: Path) -> list[Entry]:
    """The one entry of a description; CaseError, naming the place, for what it must not say."""
    files = CaseFiles(path.parent)
    table = read_json(files.read(path.name, 1 << 24), str(path))
    table = {_PAIRS.get(key, key): value for key, value in table.items()}
    for key in table:
        if key not in _KNOWN:
            raise CaseError(f"{path}: unknown key {key!r}; known: {', '.join(sorted(_KNOWN))}")
    for key in ("inputs", "outputs"):
        if not isinstance(table.get(key), list) or not table[key]:
            raise CaseError(f"{path}: {key} is a list of at least one table")
    launch = {key: table[key] for key in ("blocks", "platform") if key in table}
    provenance = {"imported": "bin", **{key: table[key] for key in ("device",) if key in table}}
    operation = {"name": str(table["op"])} if "op" in table else {}
    inputs, outputs = (
        [_item(row, f"{key[:-1]}.{at}", files, str(path)) for at, row in enumerate(table[key])]
        for key in ("inputs", "outputs")
    )
    name = str(table.get("name", path.stem))
    return [Entry(name.replace("/", "_"), inputs, outputs, operation, provenance, launch)]


def _item(row: Any, default: str, files: CaseFiles, path: str) -> Item:
    place = f"{path}: {default}"
    if not isinstance(row, dict):
        raise CaseError(f"{place}: {row!r} is no table")
    name = str(row.get("name", default))
    file = row.get("file")
    if file is None:
        if "value" not in row or isinstance(row["value"], (dict, list)):
            raise CaseError(f"{place}: neither a file nor a value")
        kind = row.get("kind", "scalar")
        if kind not in ("scalar", "constant"):
            raise CaseError(f"{place}: kind is {kind!r}; it is 'scalar' or 'constant'")
        return Item(name, value=constant(row["value"]), kind=kind)
    dtype = dtype_name(row.get("dtype", row.get("type")), place)
    shape = checked_shape(row.get("shape"), place)
    size = size_bytes(dtype, shape)
    data = files.read(str(file))
    if len(data) != size:
        raise CaseError(
            f"{place}: {file} has {len(data)} bytes; {dtype} of shape {shape} needs {size}"
        )
    return Item(name, dtype, np.frombuffer(data, STORAGE[dtype]).reshape(shape))
