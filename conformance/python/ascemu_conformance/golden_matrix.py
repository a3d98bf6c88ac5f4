"""Parameter matrices: a TOML file that says which golden cases there are (docs/golden.md).

What it is: the matrix as recipes, one a case: its case.toml without outputs and its files. What it
is not: what runs them (golden.py).
Invariant: the recipes depend on the matrix, the kernel's files and ascemu's version only, neither
on their order nor on the machine; no code of the kernel is run.
"""

from __future__ import annotations

import hashlib
import itertools
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from ascemu import __version__
from ascemu.settings import Settings

from ascemu_conformance.case import tomllib
from ascemu_conformance.case_data import STORAGE, generate
from ascemu_conformance.case_files import CaseError, checked_name
from ascemu_conformance.case_schema import check_document
from ascemu_conformance.case_writing import FORMAT, VERSION, constant, digest, toml_text
from ascemu_conformance.expressions import evaluate, filled

MATRIX_FORMAT, MATRIX_VERSION = "ascemu-golden", 1
_REQUIRED = {"format": str, "version": int, "kernel": str, "function": str, "arguments": list}
_OPTIONAL = {
    "modules": list,
    "namespace": str,
    "name": str,
    "parameters": dict,
    "exclude": list,
    "launch": dict,
    "comparison": dict,
}
_MOST = 1_000_000
# Written into every case, so that no setting of the machine that makes it has a say.
_DEFAULT_LAUNCH = {"platform": Settings().platform.value, "numerics": "npu", "overflow": "inf"}


@dataclass(frozen=True)
class Recipe:
    """One case to be made: case.toml without outputs, the kernel's files, and their hash."""

    name: str
    document: Mapping[str, Any]
    files: Mapping[str, bytes]
    sha256: str


def read_matrix(path: str | Path) -> list[Recipe]:
    """The recipes of a matrix in the order of its parameters; CaseError, naming the place."""
    path = Path(path)
    try:
        table = tomllib.loads(path.read_bytes().decode("utf-8"))
    except OSError as error:
        raise CaseError(f"{path}: cannot be read: {error.strerror}") from None
    except (ValueError, RecursionError) as error:
        raise CaseError(f"{path}: {error}") from None
    _check(table, str(path))
    files = _kernel_files(table, path)
    recipes: dict[str, Recipe] = {}
    for parameters in _combinations(table, str(path)):
        try:
            recipe = _recipe(table, parameters, files)
        except ValueError as error:
            raise CaseError(f"{path}: with {_text(parameters)}: {error}") from None
        if recipe.name in recipes:
            raise CaseError(
                f"{path}: two cases are named {recipe.name!r}; put every parameter that differs "
                "into name"
            )
        recipes[recipe.name] = recipe
    return list(recipes.values())


def _check(table: Mapping[str, Any], place: str) -> None:
    if table.get("format") != MATRIX_FORMAT or table.get("version") != MATRIX_VERSION:
        raise CaseError(
            f"{place}: format {table.get('format')!r}, version {table.get('version')!r}; a matrix "
            f"has format {MATRIX_FORMAT!r} and version {MATRIX_VERSION}"
        )
    known = {**_REQUIRED, **_OPTIONAL}
    for name, value in table.items():
        if name not in known:
            raise CaseError(f"{place}: unknown key {name!r}; known: {', '.join(known)}")
        if not isinstance(value, known[name]):
            raise CaseError(f"{place}: {name} is {value!r}, not of the type {known[name].__name__}")
    for name in _REQUIRED:
        if name not in table:
            raise CaseError(f"{place}: the key {name!r} is missing")
    for name, values in table.get("parameters", {}).items():
        if not isinstance(values, list) or not values:
            raise CaseError(f"{place}: parameters: {name} is a list of at least one value")


def _kernel_files(table: Mapping[str, Any], path: Path) -> dict[str, bytes]:
    files = {}
    for name in (table["kernel"], *table.get("modules", [])):
        source = path.parent / checked_name(name, str(path))
        try:
            files[f"kernel/{name}"] = source.read_bytes()
        except OSError as error:
            raise CaseError(f"{path}: {name} cannot be read: {error.strerror}") from None
    return files


def _combinations(table: Mapping[str, Any], place: str) -> Iterator[dict[str, Any]]:
    axes = table.get("parameters", {})
    count = 1
    for values in axes.values():
        count *= len(values)
    if count > _MOST:
        raise CaseError(f"{place}: {count} combinations; at most {_MOST} are allowed")
    for values in itertools.product(*axes.values()):
        parameters = dict(zip(axes, values, strict=True))
        try:
            excluded = any(evaluate(text, parameters) for text in table.get("exclude", []))
        except ValueError as error:
            raise CaseError(f"{place}: exclude: {error}") from None
        if not excluded:
            yield parameters


def _recipe(
    table: Mapping[str, Any], parameters: dict[str, Any], files: Mapping[str, bytes]
) -> Recipe:
    template = table.get("name", "-".join([table["function"], *(f"{{{p}}}" for p in parameters)]))
    name = str(filled(template, parameters))
    if not re.fullmatch(r"[A-Za-z0-9_][A-Za-z0-9_.+-]{0,199}", name):
        raise ValueError(f"the name {name!r} is no file name; use letters, digits and _ . + -")
    sources = list(files)
    kernel = {
        "file": sources[0],
        "function": table["function"],
        "sha256": digest(files[sources[0]]),
    }
    if "namespace" in table:
        kernel["namespace"] = table["namespace"]
    if len(sources) > 1:
        kernel["modules"] = [{"file": n, "sha256": digest(files[n])} for n in sources[1:]]
    arguments = [
        _argument(filled(argument, parameters), name)
        if isinstance(argument, dict)
        else _refuse(f"the argument {argument!r} is no table")
        for argument in table["arguments"]
    ]
    document: dict[str, Any] = {
        "format": FORMAT,
        "version": VERSION,
        "name": name,
        "kernel": kernel,
        "launch": {**_DEFAULT_LAUNCH, **filled(table.get("launch", {}), parameters)},
        "arguments": arguments,
        "outputs": [],
        "comparison": filled(table.get("comparison", {"rule": "bit-exact"}), parameters),
        "provenance": {"source": "golden", "packages": {"ascemu": __version__}},
    }
    if parameters:
        document["provenance"]["parameters"] = parameters
    check_document(document, name)
    recipe = hashlib.sha256(toml_text(document).encode("utf-8")).hexdigest()
    document["provenance"]["recipe"] = recipe
    return Recipe(name, document, files, recipe)


def _refuse(text: str) -> Any:
    raise ValueError(text)


def _argument(table: dict[str, Any], case: str) -> dict[str, Any]:
    """An argument as case.toml has it: seeds given, plain values described."""
    table = {"kind": "array", **table}
    if table["kind"] == "array":
        if isinstance(table.get("generator"), dict):
            seed = hashlib.sha256(f"{case}/{table.get('name')}".encode()).digest()[:6]
            table["generator"] = {"seed": int.from_bytes(seed, "big"), **table["generator"]}
        return table
    value, dtype = table.get("value"), table.pop("dtype", None)
    if dtype is not None:
        if dtype not in STORAGE or isinstance(value, dict):
            raise ValueError(f"the scalar {table.get('name')!r} of dtype {dtype!r} has no number")
        bits = generate({"kind": "constant", "value": value}, dtype, [1])
        text = "0x" + np.ascontiguousarray(bits).tobytes()[::-1].hex()
        table["value"] = {"type": "number", "dtype": dtype, "bits": text}
    elif not isinstance(value, dict):
        table["value"] = constant(value)
    return table


def _text(parameters: Mapping[str, Any]) -> str:
    return ", ".join(f"{name}={value!r}" for name, value in parameters.items()) or "no parameters"
