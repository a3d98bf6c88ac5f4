"""The values of a case that are no arrays: tables in case.toml to Python values.

What it is: the inverse of `case_writing.constant`. What it is not: able to make what the recorder
could not describe ("opaque"), which is a CaseError.
Invariant: floats are made from their bits; nothing is evaluated.
"""

from __future__ import annotations

import struct
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from ascemu_conformance.case_data import STORAGE, as_values
from ascemu_conformance.case_files import CaseError

_FIELDS = {
    "none": set(),
    "bool": {"value"},
    "int": {"value"},
    "str": {"value"},
    "float": {"bits", "value"},
    "number": {"dtype", "bits"},
    "tuple": {"items"},
    "list": {"items"},
    "dtype": {"name"},
    "enum": {"class", "name"},
    "function": {"name"},
    "opaque": {"text"},
}
_DEEPEST = 16
_PYTHON = {"bool": bool, "int": int, "str": str}


def check_value(table: Any, place: str, depth: int = 0) -> None:
    """CaseError where `table` is not the description of a value."""
    if not isinstance(table, dict) or table.get("type") not in _FIELDS or depth > _DEEPEST:
        raise CaseError(f"{place}: {table!r} describes no value; its type is one of {_known()}")
    kind = table["type"]
    if set(table) != _FIELDS[kind] | {"type"}:
        wanted = ", ".join(sorted(_FIELDS[kind])) or "nothing else"
        raise CaseError(f"{place}: a value of type {kind!r} has {wanted} beside its type")
    if kind in _PYTHON and type(table["value"]) is not _PYTHON[kind]:
        raise CaseError(f"{place}: {table['value']!r} is no {kind}")
    if kind in ("tuple", "list"):
        if not isinstance(table["items"], list):
            raise CaseError(f"{place}: items of a {kind} are a list")
        for index, item in enumerate(table["items"]):
            check_value(item, f"{place}[{index}]", depth + 1)
    for name in ("name", "class", "text", "bits", "dtype"):
        if name in table and not isinstance(table[name], str):
            raise CaseError(f"{place}: {name} is a string, not {table[name]!r}")
    if kind == "number" and table["dtype"] not in STORAGE:
        raise CaseError(f"{place}: unknown dtype {table['dtype']!r}; known: {', '.join(STORAGE)}")
    if kind == "float" and table["bits"] != _float_bits(table["value"], table["bits"]):
        raise CaseError(f"{place}: the float {table['value']!r} does not have bits {table['bits']}")
    if "bits" in table:
        _bytes(table["bits"], STORAGE[table.get("dtype", "float64")].itemsize, place)


def restored(table: Mapping[str, Any], find: Callable[[str, str], Any], place: str) -> Any:
    """The value; `find(kind, name)` gives what "dtype", "enum" and "function" name."""
    kind = table["type"]
    if kind == "none":
        return None
    if kind in _PYTHON:
        return table["value"]
    if kind == "float":
        return struct.unpack("<d", _bytes(table["bits"], 8, place))[0]
    if kind == "number":
        storage = STORAGE[table["dtype"]]
        stored = np.frombuffer(_bytes(table["bits"], storage.itemsize, place), storage)
        return as_values(stored, table["dtype"])[0]
    if kind in ("tuple", "list"):
        items = [restored(item, find, place) for item in table["items"]]
        return items if kind == "list" else tuple(items)
    if kind == "enum":
        return find(kind, table["class"])[table["name"]]
    if kind in ("dtype", "function"):
        return find(kind, table["name"])
    raise CaseError(
        f"{place}: the recorder could not describe {table['text']}; this case can be compared, "
        "but not run"
    )


def _bytes(bits: str, size: int, place: str) -> bytes:
    try:
        if bits[:2] != "0x" or len(bits) != 2 + 2 * size:
            raise ValueError
        return bytes.fromhex(bits[2:])[::-1]
    except ValueError:
        raise CaseError(f"{place}: {bits!r} is not 0x and {2 * size} hexadecimal digits") from None


def _float_bits(value: Any, bits: str) -> str:
    """The bits of a float; those given where it is a NaN, whose payload TOML cannot write."""
    if isinstance(value, float) and value != value:
        return bits
    return "0x" + struct.pack(">d", value).hex() if isinstance(value, float) else ""


def _known() -> str:
    return ", ".join(_FIELDS)
