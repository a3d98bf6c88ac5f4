"""Dumps of msprobe (the package mindstudio-probe) as entries.

What it is: the reader of a `dump.json` with level L0, L1 or mix and of the tensors beside it:
`.npy`, and `.pt` as torch.save writes contiguous tensors. What it is not: an unpickler; of a `.pt`
only the raw bytes are taken, dtype and shape come from dump.json.
Invariant: only regular files below the dump's folder are read.
"""

from __future__ import annotations

import io
import re
import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np

from ascemu_conformance.case_data import STORAGE, read_npy, size_bytes
from ascemu_conformance.case_files import CaseError, CaseFiles
from ascemu_conformance.case_writing import constant
from ascemu_conformance.importing import Entry, Item, checked_shape, dtype_name, read_json

_TENSORS = ("torch.Tensor", "mindspore.Tensor", "numpy.ndarray")
_FOLDER = "dump_tensor_data"
_INPUTS = {
    "input_args": "input",
    "input_kwargs": "input",
    "input": "input",
    "parameters": "parameters",
}
_LONGEST_JSON = 1 << 28


def find_dumps(root: Path) -> list[Path]:
    """The `dump.json` files at or below a folder, sorted."""
    return sorted(path for path in root.rglob("dump.json") if not path.is_symlink())


def read_dump(path: Path, prefix: str = "") -> Iterator[Entry]:
    """The calls of a dump whose tensors were saved; CaseError, naming the call, for a damaged one.

    `prefix`, such as "step0/rank0/", goes before the names.
    """
    table = read_json(CaseFiles(path.parent).read(path.name, _LONGEST_JSON), str(path))
    calls = table.get("data")
    if not isinstance(calls, dict):
        raise CaseError(f"{path}: has no object 'data'; it is no dump of msprobe")
    if table.get("task") == "statistics":
        raise CaseError(
            f"{path}: holds statistics only; dump again with the task 'tensor', which saves data"
        )
    facts = {"imported": "msprobe"}
    facts |= {key: str(table[key]) for key in ("task", "level") if key in table}
    for name, call in calls.items():
        files = CaseFiles(path.parent)
        place = f"{path}: {name}"
        if not isinstance(call, dict):
            raise CaseError(f"{place}: is no object")
        inputs = [
            item
            for key, word in _INPUTS.items()
            for item in _items(call.get(key), word, files, place)
        ]
        outputs = list(_items(call.get("output"), "output", files, place))
        if any(item.bits is not None for item in outputs):
            operation = {"name": name}
            if isinstance(table.get("framework"), str):
                operation["framework"] = table["framework"]
            yield Entry(prefix + name.replace("/", "_"), inputs, outputs, operation, facts)


def _items(value: Any, name: str, files: CaseFiles, place: str) -> Iterator[Item]:
    """The tensors and values of a call, nested lists and tables as `input.0.1`, `input.dim`."""
    if isinstance(value, list):
        for index, item in enumerate(value):
            yield from _items(item, f"{name}.{index}", files, place)
    elif not isinstance(value, dict):
        if name.count("."):
            yield Item(name, value=constant(value))
    elif value.get("type") in _TENSORS:
        yield _tensor(value, name, files, f"{place}: {name}")
    elif isinstance(value.get("type"), str):
        plain = value.get("value")
        described = constant(plain) if isinstance(plain, (bool, int, float, str)) else None
        opaque = {"type": "opaque", "text": f"{value['type']} {plain!r}"[:200]}
        yield Item(name, value=described or opaque)
    else:
        for key, item in value.items():
            yield from _items(item, f"{name}.{key}", files, place)


def _tensor(table: dict[str, Any], name: str, files: CaseFiles, place: str) -> Item:
    data_name = table.get("data_name")
    if not isinstance(data_name, str):
        raise CaseError(f"{place}: its data were not saved; dump with the task 'tensor'")
    dtype = dtype_name(table.get("dtype"), place)
    shape = checked_shape(table.get("shape"), place)
    data = files.read(f"{_FOLDER}/{data_name}")
    place = f"{place}: {data_name}"
    if data_name.endswith(".pt"):
        return Item(name, dtype, _torch_bits(data, dtype, shape, place))
    if not data_name.endswith(".npy"):
        raise CaseError(f"{place}: neither .npy nor .pt")
    if dtype == "bfloat16":
        return Item(name, dtype, _narrowed(read_npy(data, "float32", shape, place), place))
    return Item(name, dtype, read_npy(data, dtype, shape, place))


def _narrowed(wide: np.ndarray, place: str) -> np.ndarray:
    """The bfloat16 bits of values that were widened to float32 to be saved."""
    bits = wide.view(np.uint32)
    if np.any(bits & 0xFFFF):
        raise CaseError(f"{place}: holds values that are no bfloat16")
    return (bits >> 16).astype("<u2")


def _torch_bits(data: bytes, dtype: str, shape: list[int], place: str) -> np.ndarray:
    """The bytes of the one storage in a file of torch.save; nothing in it is unpickled."""
    size = size_bytes(dtype, shape)
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            names = {entry.filename: entry for entry in archive.infolist()}
            stored = [name for name in names if re.fullmatch(r"[^/]+/data/\d+", name)]
            orders = [name for name in names if re.fullmatch(r"[^/]+/byteorder", name)]
            if len(stored) != 1 or names[stored[0]].file_size != size:
                found = [names[name].file_size for name in stored]
                raise CaseError(
                    f"{place}: storages of {found} bytes; {dtype} of shape {shape} needs one of "
                    f"{size}; save it with torch.save(tensor.contiguous().clone(), path)"
                )
            if orders and archive.open(orders[0]).read(7) != b"little":
                raise CaseError(f"{place}: saved on a big-endian machine, which is not read")
            with archive.open(stored[0]) as file:
                raw = file.read(size + 1)
    except (zipfile.BadZipFile, OSError, NotImplementedError, RuntimeError) as error:
        raise CaseError(f"{place}: not a file of torch.save: {error}") from None
    if len(raw) != size:
        raise CaseError(f"{place}: damaged: {len(raw)} of {size} bytes")
    return np.frombuffer(raw, STORAGE[dtype]).reshape(shape)
