"""Cases as Python objects (docs/case-format.md): what a kernel was given and what came out.

What it is: the reader of a case's folder or zip. What it is not: what runs kernels (running.py) or
compares outputs.
Invariant: a `Case` passed the strict check of its case.toml; its data are checked when they are
asked for. No code of a case is run and nothing is written.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from ascemu_conformance.case_data import generate, read_npy, size_bytes
from ascemu_conformance.case_files import DEFAULT_LIMITS, CaseError, CaseFiles, Limits
from ascemu_conformance.case_schema import check_document
from ascemu_conformance.case_writing import digest

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

_LONGEST_HEADER = 1 << 16


@dataclass(frozen=True)
class Case:
    """A case: `document` is its case.toml as checked, `files` its files."""

    document: Mapping[str, Any]
    files: CaseFiles

    @property
    def name(self) -> str:
        return str(self.document["name"])

    @property
    def path(self) -> Path:
        return self.files.path

    @property
    def kernel(self) -> Mapping[str, Any] | None:
        """The table of the kernel; None in a case that only holds data."""
        return self.document.get("kernel")

    @property
    def launch(self) -> Mapping[str, Any]:
        return self.document.get("launch", {})

    @property
    def arguments(self) -> list[Mapping[str, Any]]:
        return list(self.document["arguments"])

    @property
    def outputs(self) -> list[Mapping[str, Any]]:
        return list(self.document["outputs"])

    @property
    def provenance(self) -> Mapping[str, Any]:
        return self.document["provenance"]

    def comparison(self, output: str) -> Mapping[str, Any]:
        """The rule of comparison of an output: its own, else the case's."""
        return self._output(output).get("comparison") or self.document["comparison"]

    def input_bits(self, name: str) -> np.ndarray:
        """The array argument `name` before the launch, as stored; CaseError for damaged data."""
        table = self._argument(name)
        if "same_as" in table:
            return self.input_bits(table["same_as"])
        return self._bits(table, f"{self.path}: argument {name}")

    def output_bits(self, name: str) -> np.ndarray:
        """The recorded content of `name` after the launch, as stored."""
        table = self._output(name)
        if table.get("unchanged"):
            return self.input_bits(name)
        return self._bits(table, f"{self.path}: output {name}")

    def kernel_files(self, trust: bool = False) -> dict[str, bytes]:
        """The kernel's Python files by name below `kernel/`, the kernel's own first.

        CaseError where there is no kernel, and where a file is not the one that the case records,
        unless it is trusted.
        """
        if self.kernel is None:
            raise CaseError(f"{self.path}: this case has no kernel: it can be compared, not run")
        found = {}
        for table in (self.kernel, *self.kernel.get("modules", [])):
            data = self.files.read(table["file"], 1 << 24)
            if digest(data) != table["sha256"] and not trust:
                raise CaseError(
                    f"{self.path}: {table['file']} is not the file that was recorded: sha256 "
                    f"{digest(data)}, recorded {table['sha256']}; it is not run without --trust"
                )
            found[table["file"].removeprefix("kernel/")] = data
        return found

    def all_files(self) -> dict[str, bytes]:
        """Every file that the case names, case.toml included, by name."""
        tables: list[Mapping[str, Any]] = [*self.arguments, *self.outputs]
        names = ["case.toml", *(table["data"] for table in tables if "data" in table)]
        if self.kernel is not None:
            names += [table["file"] for table in (self.kernel, *self.kernel.get("modules", []))]
        return {name: self.files.read(name) for name in names}

    def check_data(self, trust: bool = False) -> None:
        """Read everything; CaseError for the first thing that is damaged.

        A kernel file that is not the recorded one is damage unless it is trusted.
        """
        if self.kernel is not None:
            self.kernel_files(trust)
        for argument in self.arguments:
            if argument["kind"] == "array":
                self.input_bits(argument["name"])
        for output in self.outputs:
            self.output_bits(output["name"])

    def _argument(self, name: str) -> Mapping[str, Any]:
        for table in self.arguments:
            if table["name"] == name and table["kind"] == "array":
                return table
        raise CaseError(f"{self.path}: there is no array argument {name!r}")

    def _output(self, name: str) -> Mapping[str, Any]:
        for table in self.outputs:
            if table["name"] == name:
                return table
        raise CaseError(f"{self.path}: there is no output {name!r}")

    def _bits(self, table: Mapping[str, Any], place: str) -> np.ndarray:
        size = size_bytes(table["dtype"], table["shape"])
        if size > self.files.limits.file_bytes:
            raise CaseError(
                f"{place}: {size} bytes; at most {self.files.limits.file_bytes} are allowed"
            )
        if "generator" in table:
            try:
                bits = generate(table["generator"], table["dtype"], table["shape"])
            except ValueError as error:
                raise CaseError(f"{place}: {error}") from None
        else:
            data = self.files.read(table["data"], size + _LONGEST_HEADER)
            bits = read_npy(data, table["dtype"], table["shape"], f"{place}: {table['data']}")
        if "sha256" in table and digest(bits) != table["sha256"]:
            raise CaseError(f"{place}: damaged: its sha256 is not the recorded one; copy it anew")
        return bits


def load_case(path: str | Path, limits: Limits = DEFAULT_LIMITS) -> Case:
    """The case in a folder or a zip; CaseError where its case.toml is not one."""
    return open_case(CaseFiles(path, limits))


def open_case(files: CaseFiles) -> Case:
    """The case that these are the files of; CaseError where its case.toml is not one."""
    text = files.read("case.toml", files.limits.toml_bytes)
    try:
        document = tomllib.loads(text.decode("utf-8"))
    except (ValueError, RecursionError) as error:  # TOMLDecodeError, and numbers too long
        raise CaseError(f"{files.path}: case.toml: {error}") from None
    check_document(document, str(files.path))
    return Case(document, files)


def find_cases(root: str | Path) -> Iterator[Path]:
    """The folders with a case.toml and the zips at or below `root`, sorted; links are left out."""
    root = Path(root)
    if root.is_file() or (root / "case.toml").is_file():
        yield root
        return
    if not root.is_dir():
        raise CaseError(f"{root}: there is no such folder")
    for path in sorted(root.iterdir()):
        if path.is_symlink() or path.name.startswith("."):
            continue
        if path.is_dir():
            yield from find_cases(path)
        elif path.suffix == ".zip":
            yield path
