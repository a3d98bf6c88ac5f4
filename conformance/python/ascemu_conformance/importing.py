"""Other tools' dumps as cases: what is common to them, and the writing.

What it is: entries (inputs and outputs of one operation or kernel) to case folders, with a kernel
where one is named. What it is not: the reading of dumps (import_msprobe.py, import_plain.py).
Invariant: bits are taken over unchanged; a case that is written passes the strict check.
"""

from __future__ import annotations

import fnmatch
import json
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from ascemu_conformance.case_data import STORAGE
from ascemu_conformance.case_files import CaseError
from ascemu_conformance.case_schema import check_document
from ascemu_conformance.case_writing import (
    FORMAT,
    VERSION,
    case_files,
    constant,
    digest,
    npy_bytes,
    write_folder,
)

_ALIASES = {
    "half": "float16",
    "float": "float32",
    "double": "float64",
    "fp16": "float16",
    "fp32": "float32",
    "fp64": "float64",
    "bf16": "bfloat16",
    "int": "int32",
    "long": "int64",
}


@dataclass(frozen=True)
class Item:
    """An input or output: `bits` as stored, or the table of a value."""

    name: str
    dtype: str = ""
    bits: np.ndarray | None = None
    value: Mapping[str, Any] | None = None
    kind: str = "scalar"


@dataclass(frozen=True)
class Entry:
    """One call: its inputs and outputs, and what is known of where it comes from."""

    name: str
    inputs: Sequence[Item]
    outputs: Sequence[Item]
    operation: Mapping[str, str] = field(default_factory=dict)
    provenance: Mapping[str, Any] = field(default_factory=dict)
    launch: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class KernelChoice:
    """The kernel that is to have made the outputs, how it is launched, what its parameters are.

    `launch` is as in case.toml; `arguments`: by parameter, the name of an input or output, a
    number, or `const:` and a number.
    """

    file: Path
    function: str
    arguments: Mapping[str, str] = field(default_factory=dict)
    launch: Mapping[str, Any] = field(default_factory=dict)


def dtype_name(text: Any, place: str) -> str:
    """The dtype that torch, MindSpore or CANN call `text`; CaseError for an unknown one."""
    name = re.sub(r"^(torch\.|mindspore\.|dt_)", "", str(text).lower())
    name = _ALIASES.get(name, name)
    if name not in STORAGE:
        raise CaseError(f"{place}: unknown dtype {text!r}; known: {', '.join(STORAGE)}")
    return name


def read_json(data: bytes, place: str) -> dict[str, Any]:
    """A JSON object; CaseError for anything else."""
    try:
        table = json.loads(data.decode("utf-8"))
    except (UnicodeDecodeError, ValueError, RecursionError) as error:
        raise CaseError(f"{place}: not JSON: {error}") from None
    if not isinstance(table, dict):
        raise CaseError(f"{place}: holds {type(table).__name__}, not an object")
    return table


def checked_shape(shape: Any, place: str) -> list[int]:
    """A list of sizes; CaseError for anything else."""
    if not isinstance(shape, list) or not all(type(n) is int and n >= 0 for n in shape):
        raise CaseError(f"{place}: shape is {shape!r}; it is a list of sizes")
    return shape


def write_entries(
    entries: Iterable[Entry],
    out: str | Path,
    *,
    only: str = "*",
    kernel: KernelChoice | None = None,
) -> list[Path]:
    """Write the entries whose name matches `only` as cases below `out`; the folders.

    CaseError where a case is there already or an entry cannot be a case.
    """
    out = Path(out)
    written = []
    for entry in entries:
        if not fnmatch.fnmatchcase(entry.name.rpartition("/")[2], only):
            continue
        document, files = _document(entry, kernel)
        folder = out.joinpath(*(_file_name(part) for part in entry.name.split("/")))
        if folder.exists():
            raise CaseError(f"{folder}: is there already; remove it or choose another folder")
        check_document(document, entry.name)
        folder.parent.mkdir(parents=True, exist_ok=True)
        write_folder(folder, case_files(document, files))
        written.append(folder)
    return written


def _document(entry: Entry, kernel: KernelChoice | None) -> tuple[dict[str, Any], dict[str, bytes]]:
    files: dict[str, bytes] = {}
    document: dict[str, Any] = {"format": FORMAT, "version": VERSION, "name": entry.name}
    if kernel is not None:
        try:
            source = kernel.file.read_bytes()
        except OSError as error:
            raise CaseError(f"{kernel.file}: cannot be read: {error.strerror}") from None
        name = f"kernel/{_file_name(kernel.file.stem)}.py"
        files[name] = source
        table = {"file": name, "function": kernel.function, "sha256": digest(source)}
        document["kernel"] = table
    if entry.operation:
        document["operation"] = dict(entry.operation)
    document["launch"] = {**entry.launch, **(kernel.launch if kernel else {})}
    inputs = entry.inputs if kernel is None else _parameters(entry, kernel)
    document["arguments"] = [
        _argument(item, f"inputs/{index}.npy", files) for index, item in enumerate(inputs)
    ]
    document["outputs"] = [
        _array(item, f"outputs/{index}.npy", files)
        for index, item in enumerate(_renamed(entry.outputs, kernel))
        if item.bits is not None
    ]
    document["comparison"] = {"rule": "bit-exact"}
    document["provenance"] = {"source": "import", **entry.provenance}
    return document, files


def _argument(item: Item, data: str, files: dict[str, bytes]) -> dict[str, Any]:
    if item.bits is None:
        return {"name": item.name, "kind": item.kind, "value": dict(item.value or {})}
    table = _array(item, data, files)
    return {"name": table.pop("name"), "kind": "array", **table}


def _array(item: Item, data: str, files: dict[str, bytes]) -> dict[str, Any]:
    assert item.bits is not None
    files[data] = npy_bytes(item.bits)
    table = {"name": item.name, "dtype": item.dtype, "shape": list(item.bits.shape)}
    return {**table, "data": data, "sha256": digest(item.bits)}


def _parameters(entry: Entry, kernel: KernelChoice) -> list[Item]:
    """The kernel's arguments: those named, else inputs and outputs under their own names.

    An output that is no input begins as zeros.
    """
    known = {item.name: item for item in entry.outputs}
    known = {name: _zeros(item) for name, item in known.items() if item.bits is not None}
    known |= {item.name: item for item in entry.inputs}
    if not kernel.arguments:
        return list(known.values())
    found = []
    for parameter, text in kernel.arguments.items():
        if text in known:
            item = known[text]
            found.append(Item(parameter, item.dtype, item.bits, item.value, item.kind))
            continue
        is_constant = text.startswith("const:")
        kind = "constant" if is_constant else "scalar"
        value = constant(_number(text.removeprefix("const:"), parameter, entry, known))
        found.append(Item(parameter, value=value, kind=kind))
    return found


def _renamed(outputs: Sequence[Item], kernel: KernelChoice | None) -> list[Item]:
    if kernel is None or not kernel.arguments:
        return list(outputs)
    parameters = {text: parameter for parameter, text in kernel.arguments.items()}
    return [
        Item(parameters[item.name], item.dtype, item.bits)
        for item in outputs
        if item.name in parameters
    ]


def _zeros(item: Item) -> Item:
    assert item.bits is not None
    return Item(item.name, item.dtype, np.zeros_like(item.bits))


def _number(text: str, parameter: str, entry: Entry, known: Mapping[str, Item]) -> int | float:
    for kind in (int, float):
        try:
            return kind(text)
        except ValueError:
            continue
    raise CaseError(
        f"{entry.name}: argument {parameter}={text!r} is neither a number nor one of "
        f"{', '.join(known)}"
    )


def _file_name(text: str) -> str:
    name = re.sub(r"[^A-Za-z0-9_.+-]", "_", text)[:200]
    return name if re.match("[A-Za-z0-9_]", name) else f"_{name}"
