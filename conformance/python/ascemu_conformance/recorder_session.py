"""One recording: takes what a launch is given and what it leaves, and writes it as a case.

What it is: part of the recorder; it needs only Python 3.9 and numpy. What it is not: what notices
launches (recorder.py).
Invariant: nothing that belongs to the run is changed or consumed; arrays are copied.
"""

from __future__ import annotations

import inspect
import re
import sys
import threading
import types
from pathlib import Path
from typing import Any

import numpy as np

from ascemu_conformance.case_writing import (
    FORMAT,
    VERSION,
    case_files,
    constant,
    digest,
    npy_bytes,
    partial_folder,
    stored,
    write_folder,
)
from ascemu_conformance.recorder_provenance import provenance

NAMES = ("asc", "asc2", "asctile")  # the language's own packages


class Session:
    """Where the cases of one recording go, and how many there are."""

    def __init__(self, folder: str | Path, max_bytes: int = 1 << 30, limit: int = 0) -> None:
        self.folder = Path(folder).absolute()
        self.folder.mkdir(parents=True, exist_ok=True)
        self.max_bytes, self.limit = max_bytes, limit
        self.recorded: dict[str, int] = {}
        self._lock = threading.Lock()

    def before(self, kernel: Any, launch: Any, args: Any, kwargs: Any) -> dict[str, Any] | None:
        """What a launch is given; None where enough launches of the kernel are recorded."""
        function = _function_of(kernel)
        name = function.__name__
        if self.limit and self.recorded.get(name, 0) >= self.limit:
            return None
        signature = inspect.signature(function)
        overrides = {k: v for k, v in kwargs.items() if k not in signature.parameters}
        kwargs = {k: v for k, v in kwargs.items() if k not in overrides}
        blocks = overrides.pop("core_num", launch[0] if isinstance(launch, tuple) else launch)
        overrides.pop("stream", None)
        files = source_files(function)
        document: dict[str, Any] = {"format": FORMAT, "version": VERSION, "name": name}
        document["kernel"] = _kernel_table(function, files, kernel)
        document["options"] = _options(kernel)
        document["launch"] = {} if blocks is None else {"blocks": int(blocks)}
        if overrides:
            document["launch"]["options"] = {k: constant(v) for k, v in overrides.items()}
        bound = signature.bind(*args, **kwargs).arguments
        parameters = [(signature.parameters[k], v) for k, v in bound.items()]
        document["arguments"], arrays = self._arguments(parameters, files)
        return {"document": document, "files": files, "arrays": arrays}

    def _arguments(self, parameters: Any, files: dict[str, bytes]) -> tuple[Any, dict[str, Any]]:
        """The table of each argument; by name, the arrays themselves and the bits they hold."""
        entries: list[dict[str, Any]] = []
        arrays: dict[str, tuple[Any, np.ndarray]] = {}
        known: dict[Any, str] = {}
        size = 0
        for parameter, value in parameters:
            entry: dict[str, Any] = {"name": parameter.name}
            entries.append(entry)
            is_wrapped = type(value).__name__ == "ConstExpr" and hasattr(value, "value")
            if is_wrapped or _is_constant(parameter.annotation):
                entry["kind"] = "constant"
                entry["value"] = constant(value.value if is_wrapped else value)
                continue
            found = stored(value)
            if found is None or found[1].ndim == 0:
                entry.update(kind="scalar", value=constant(value))
                continue
            dtype, array = found
            entry.update(kind="array", dtype=dtype, shape=list(array.shape))
            place = _place(value)
            if place in known:
                entry["same_as"] = known[place]
                continue
            size += 2 * array.nbytes
            if size > self.max_bytes:
                raise ValueError(f"its arrays take more than max_bytes={self.max_bytes}")
            known[place] = parameter.name
            arrays[parameter.name] = value, array
            entry["data"] = f"inputs/{len(entries) - 1}_{_ascii(parameter.name)}.npy"
            entry["sha256"] = digest(array)
            files[entry["data"]] = npy_bytes(array)
        return entries, arrays

    def after(self, captured: dict[str, Any], kernel: Any) -> None:
        """Add what the launch left in its arrays, and write the case."""
        document, files = captured["document"], captured["files"]
        outputs = []
        for entry in document["arguments"]:
            if entry["name"] not in captured["arrays"]:
                continue
            value, old = captured["arrays"][entry["name"]]
            found = stored(value)
            assert found is not None
            new = found[1]
            table = {key: entry[key] for key in ("name", "dtype", "shape")}
            if old.tobytes() == new.tobytes():
                table["unchanged"] = True
            else:
                table["data"] = entry["data"].replace("inputs/", "outputs/", 1)
                table["sha256"] = digest(new)
                files[table["data"]] = npy_bytes(new)
            outputs.append(table)
        document["outputs"] = outputs
        document["comparison"] = {"rule": "bit-exact"}
        document["provenance"] = provenance(kernel)
        if "platform" in document["provenance"]:
            document["launch"]["platform"] = document["provenance"].pop("platform")
        for name in ("numerics", "overflow"):
            if name in document["provenance"]:
                document["launch"][name] = document["provenance"].pop(name)
        self._write(document, files)

    def _write(self, document: dict[str, Any], files: dict[str, bytes]) -> None:
        kernel = document["name"]
        with self._lock:
            self.recorded[kernel] = number = self.recorded.get(kernel, 0) + 1
            folder = self._claimed(kernel, number)
        write_folder(folder, case_files({**document, "name": folder.name}, files), True)

    def _claimed(self, kernel: str, number: int) -> Path:
        """The first free folder from `number` on; its partial folder keeps other programs off."""
        while True:
            folder = self.folder / f"{_ascii(kernel)}-{number:04d}"
            number += 1
            try:
                partial_folder(folder).mkdir()
            except FileExistsError:
                continue
            if not folder.exists():
                return folder
            partial_folder(folder).rmdir()


def _is_constant(annotation: Any) -> bool:
    return "ConstExpr" in (annotation if isinstance(annotation, str) else repr(annotation))


def _place(value: Any) -> Any:
    """What tells whether two arguments are the same array."""
    if isinstance(value, np.ndarray):
        return (value.__array_interface__["data"][0], value.shape, value.strides, value.dtype.str)
    if hasattr(value, "data_ptr") and hasattr(value, "stride"):
        return (value.data_ptr(), tuple(value.shape), value.stride(), str(value.dtype))
    return ("object", id(value))


def _ascii(name: str) -> str:
    return re.sub("[^A-Za-z0-9_]", "_", name)


def _root(names: dict[str, Any]) -> Path:
    """The folder that has to be on sys.path for a module with these globals to be imported."""
    package = names.get("__package__") or ""
    return Path(names["__file__"]).resolve().parents[len(package.split(".")) if package else 0]


def source_files(function: Any) -> dict[str, bytes]:
    """The kernel's file, first, and what its module and those it uses imported from beside it."""
    source = inspect.getsourcefile(function)
    if source is None:
        raise OSError("the file of the kernel cannot be found")
    own = Path(source).resolve()
    first = function.__globals__
    root = _root(first) if first.get("__file__") else own.parent
    found = {own}
    pending, visited = [first], set()
    while pending:
        names = pending.pop()
        visited.add(id(names))
        for used in _used_modules(names):
            path = Path(used.get("__file__") or ".").resolve()
            if id(used) in visited or path.suffix != ".py" or root not in path.parents:
                continue
            if "site-packages" not in path.parts:
                found.add(path)
                pending.append(used)
    ordered = sorted(found, key=lambda path: (path != own, path))
    return {f"kernel/{path.relative_to(root).as_posix()}": path.read_bytes() for path in ordered}


def _used_modules(names: dict[str, Any]) -> list[dict[str, Any]]:
    """The globals of the modules that a module's globals are or come from, and of its packages.

    Nothing but dictionaries is looked into: an attribute may be computed, and have effects.
    """
    parts = (names.get("__package__") or "").split(".")
    used = {".".join(parts[: count + 1]) for count in range(len(parts))}
    for value in list(names.values()):
        if isinstance(value, types.ModuleType):
            used.add(_globals_of(value).get("__name__"))
        elif isinstance(value, (types.FunctionType, type)):
            used.add(value.__module__)
        elif isinstance(getattr(type(value), "__getitem__", None), types.FunctionType):
            inner = getattr(value, "__dict__", {}).get("fn")
            used.add(getattr(inner, "__module__", None))
    own = {name for name in used if isinstance(name, str) and name.partition(".")[0] not in NAMES}
    modules = [sys.modules.get(name) for name in sorted(own)]
    return [_globals_of(m) for m in modules if isinstance(m, types.ModuleType)]


def _globals_of(module: types.ModuleType) -> dict[str, Any]:
    """A module's names, without making a lazy one load."""
    return object.__getattribute__(module, "__dict__")


def _function_of(kernel: Any) -> Any:
    """The Python function of a kernel: its `fn`, what it wraps, or the one function it holds."""
    names = getattr(kernel, "__dict__", {})
    held = [value for value in names.values() if isinstance(value, types.FunctionType)]
    found = names.get("fn") or names.get("__wrapped__") or (held[0] if held else kernel)
    return inspect.unwrap(found)


def _kernel_table(function: Any, files: dict[str, bytes], kernel: Any) -> dict[str, Any]:
    sources = [name for name in files if name.startswith("kernel/")]
    table: dict[str, Any] = {"file": sources[0], "function": function.__qualname__}
    table["sha256"] = digest(files[sources[0]])
    table["line"] = function.__code__.co_firstlineno
    if isinstance(getattr(kernel, "namespace", None), str):
        table["namespace"] = kernel.namespace
    if len(sources) > 1:
        table["modules"] = [{"file": name, "sha256": digest(files[name])} for name in sources[1:]]
    cells = zip(function.__code__.co_freevars, function.__closure__ or ())  # noqa: B905
    closure = {name: constant(cell.cell_contents) for name, cell in cells}
    return {**table, "closure": closure} if closure else table


def _options(kernel: Any) -> dict[str, Any]:
    """The options the kernel was made with, as far as they are plain values."""
    found: dict[str, Any] = {}
    for name, value in list(getattr(kernel, "__dict__", {}).items()):
        if "option" in name and not name.startswith("_"):
            table = value if isinstance(value, dict) else getattr(value, "__dict__", {})
            found.update({k: v for k, v in table.items() if type(v) in (str, int, float, bool)})
    return found
