"""What a case.toml may say: every table, every key, its type.

What it is: the strict check of a parsed document. What it is not: a check of the data files.
Invariant: a document that passes has every required key, each of its type, and no other key.
"""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from typing import Any

from ascemu_conformance.case_data import GENERATORS, STORAGE
from ascemu_conformance.case_files import CaseError, checked_name
from ascemu_conformance.case_values import check_value
from ascemu_conformance.case_writing import FORMAT, VERSION

Fields = Mapping[str, tuple[type | tuple[type, ...], bool]]  # type, whether it is required

TOP: Fields = {
    "format": (str, True),
    "version": (int, True),
    "name": (str, True),
    "kernel": (dict, False),
    "operation": (dict, False),
    "options": (dict, False),
    "launch": (dict, False),
    "arguments": (list, True),
    "outputs": (list, True),
    "comparison": (dict, True),
    "provenance": (dict, True),
}
KERNEL: Fields = {
    "file": (str, True),
    "function": (str, True),
    "sha256": (str, True),
    "line": (int, False),
    "namespace": (str, False),
    "modules": (list, False),
    "closure": (dict, False),
}
MODULE: Fields = {"file": (str, True), "sha256": (str, True)}
LAUNCH: Fields = {
    "blocks": (int, False),
    "platform": (str, False),
    "numerics": (str, False),
    "overflow": (str, False),
    "options": (dict, False),
}
ARRAY: Fields = {
    "name": (str, True),
    "kind": (str, True),
    "dtype": (str, True),
    "shape": (list, True),
    "data": (str, False),
    "generator": (dict, False),
    "same_as": (str, False),
    "sha256": (str, False),
}
VALUE: Fields = {"name": (str, True), "kind": (str, True), "value": (dict, True)}
OUTPUT: Fields = {
    "name": (str, True),
    "dtype": (str, True),
    "shape": (list, True),
    "data": (str, False),
    "unchanged": (bool, False),
    "sha256": (str, False),
    "comparison": (dict, False),
}
OPERATION: Fields = {"name": (str, True), "framework": (str, False)}


def check_document(document: Mapping[str, Any], case: str) -> None:
    """CaseError, which names the place in case.toml, for what the format does not know."""
    if document.get("format") != FORMAT:
        raise CaseError(f"{case}: case.toml: format is {document.get('format')!r}, not {FORMAT!r}")
    version = document.get("version")
    if type(version) is not int or version != VERSION:
        remedy = (
            "install a newer ascemu"
            if isinstance(version, int) and version > VERSION
            else ("record or generate it anew")
        )
        raise CaseError(
            f"{case}: case.toml: version {version!r}; version {VERSION} is read: {remedy}"
        )
    _check(document, TOP, f"{case}: case.toml")
    if "kernel" in document:
        _check_kernel(document["kernel"], f"{case}: kernel")
    if "operation" in document:
        _check(document["operation"], OPERATION, f"{case}: operation")
    launch = document.get("launch", {})
    _check(launch, LAUNCH, f"{case}: launch")
    if launch.get("blocks", 1) < 1:
        raise CaseError(f"{case}: launch: blocks is {launch['blocks']}; it is at least 1")
    for name, value in launch.get("options", {}).items():
        check_value(value, f"{case}: launch: options: {name}")
    arrays = _check_arguments(document["arguments"], case)
    for index, output in enumerate(document["outputs"]):
        place = f"{case}: outputs[{index}]"
        _check(output, OUTPUT, place)
        _check_array(output, place, ("data", "unchanged"))
        shape = arrays.get(output["name"])
        if "kernel" in document and shape != (output["dtype"], output["shape"]):
            raise CaseError(
                f"{place}: {output['name']!r} is no array argument of this dtype and shape"
            )
    tables = [output["comparison"] for output in document["outputs"] if "comparison" in output]
    for table in (document["comparison"], *tables):
        if not isinstance(table.get("rule"), str):
            raise CaseError(f"{case}: comparison: rule is missing; it names a rule of comparison")


def _check_kernel(kernel: Any, place: str) -> None:
    _check(kernel, KERNEL, place)
    for module in (kernel, *kernel.get("modules", [])):
        if module is not kernel:
            _check(module, MODULE, f"{place}: modules")
        checked_name(module["file"], place)
        if not module["file"].startswith("kernel/") or not module["file"].endswith(".py"):
            raise CaseError(f"{place}: {module['file']} is not kernel/....py")
        _check_digest(module, place)
    for name, value in kernel.get("closure", {}).items():
        check_value(value, f"{place}: closure: {name}")


def _check_arguments(arguments: list[Any], case: str) -> dict[str, tuple[str, list[int]]]:
    """The dtype and shape of each array argument, by name."""
    arrays: dict[str, tuple[str, list[int]]] = {}
    names = set()
    for index, argument in enumerate(arguments):
        place = f"{case}: arguments[{index}]"
        kind = argument.get("kind") if isinstance(argument, dict) else None
        if kind not in ("array", "scalar", "constant"):
            raise CaseError(f"{place}: kind is {kind!r}; it is 'array', 'scalar' or 'constant'")
        _check(argument, ARRAY if kind == "array" else VALUE, place)
        if argument["name"] in names:
            raise CaseError(f"{place}: a second argument {argument['name']!r}")
        names.add(argument["name"])
        if kind != "array":
            check_value(argument["value"], f"{place}: value")
            continue
        _check_array(argument, place, ("data", "generator", "same_as"))
        described = argument["dtype"], argument["shape"]
        if "same_as" in argument and arrays.get(argument["same_as"]) != described:
            raise CaseError(f"{place}: same_as {argument['same_as']!r} is no such earlier array")
        if "generator" in argument:
            _check_generator(argument["generator"], place)
        arrays[argument["name"]] = described
    return arrays


def _check_generator(table: Mapping[str, Any], place: str) -> None:
    kind = table.get("kind")
    if kind not in GENERATORS:
        raise CaseError(f"{place}: unknown generator {kind!r}; known: {', '.join(GENERATORS)}")
    known = {"kind", "seed", *GENERATORS[kind]}
    for name, value in table.items():
        is_number = isinstance(value, (int, float)) and not isinstance(value, bool)
        if name not in known or (name != "kind" and not (is_number and math.isfinite(value))):
            raise CaseError(f"{place}: generator {kind!r} has no {name}={value!r}")
    if type(table.get("seed", 0)) is not int or table.get("seed", 0) < 0:
        raise CaseError(f"{place}: seed is an integer of at least 0")


def _check_array(table: Mapping[str, Any], place: str, sources: tuple[str, ...]) -> None:
    if table["dtype"] not in STORAGE:
        raise CaseError(f"{place}: unknown dtype {table['dtype']!r}; known: {', '.join(STORAGE)}")
    if not all(type(extent) is int and 0 <= extent < 2**48 for extent in table["shape"]):
        raise CaseError(f"{place}: shape is {table['shape']!r}; it is a list of sizes")
    if len(table["shape"]) > 32:
        raise CaseError(f"{place}: shape has {len(table['shape'])} axes; at most 32 are allowed")
    given = [name for name in sources if name in table]
    if len(given) != 1 or table.get("unchanged") is False:
        raise CaseError(f"{place}: has {given or 'none'} of {', '.join(sources)}; one is needed")
    if "data" in table:
        checked_name(table["data"], place)
    _check_digest(table, place)


def _check_digest(table: Mapping[str, Any], place: str) -> None:
    if "sha256" in table and not re.fullmatch("[0-9a-f]{64}", table["sha256"]):
        raise CaseError(f"{place}: sha256 is {table['sha256']!r}; it is 64 hexadecimal digits")


def _check(table: Any, fields: Fields, place: str) -> None:
    if not isinstance(table, dict):
        raise CaseError(f"{place}: {table!r} is no table")
    for name in table:
        if name not in fields:
            raise CaseError(f"{place}: unknown key {name!r}; known: {', '.join(fields)}")
    for name, (kind, is_required) in fields.items():
        if name not in table:
            if is_required:
                raise CaseError(f"{place}: the key {name!r} is missing")
        elif not isinstance(table[name], kind) or (kind is int and isinstance(table[name], bool)):
            raise CaseError(f"{place}: {name} is {table[name]!r}, not of the type {kind.__name__}")
