"""Runs cases on ascemu: a case's kernel file becomes a kernel, its tables become arguments.

What it is: the one place where code of a case is executed, and only files whose hash is the
recorded one, or that are trusted. What it is not: a judge of the outputs.
Invariant: a run starts from the recorded inputs and changes neither the case nor the settings.
"""

from __future__ import annotations

import ast
import contextlib
import functools
import importlib
import sys
import tempfile
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
from ascemu import settings
from ascemu.dropin.activation import activate

from ascemu_conformance.case import Case
from ascemu_conformance.case_data import as_values
from ascemu_conformance.case_files import CaseError
from ascemu_conformance.case_values import restored
from ascemu_conformance.case_writing import digest

_LANGUAGES = ("asc2", "asctile", "asc", "asc.runtime.config")


class Kernels:
    """The kernels of cases, each file imported once; leaving it removes the copies on disk."""

    def __init__(self, trust: bool = False) -> None:
        self._trust = trust
        self._folder = tempfile.TemporaryDirectory(prefix="ascemu-cases-")
        self._modules: dict[str, ModuleType] = {}

    def __enter__(self) -> Kernels:
        return self

    def __exit__(self, *exc_info: object) -> None:
        self._folder.cleanup()

    def kernel(self, case: Case) -> Any:
        """The kernel of a case, ready to be launched.

        CaseError where the case has none, its files are not the recorded ones, or they do not
        define it; what importing them raises passes through.
        """
        files = case.kernel_files(self._trust)
        key = digest(repr([(name, digest(data)) for name, data in files.items()]).encode())
        module = self._modules.get(key)
        if module is None:
            root = Path(self._folder.name) / key[:16]
            for name, data in files.items():
                path = root / name
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_bytes(data)
            module = self._modules[key] = _imported(root, next(iter(files)))
        assert case.kernel is not None
        name = case.kernel["function"]
        found = _inner(case, module) if "<locals>" in name else getattr(module, name, None)
        if not hasattr(found, "__getitem__"):
            raise CaseError(f"{case.path}: {case.kernel['file']} defines no kernel {name!r}")
        return found


def run_case(
    case: Case, kernels: Kernels, *, platform: str | None = None, numerics: str | None = None
) -> dict[str, np.ndarray]:
    """Launch a case; the content of each of its outputs afterwards, as stored, by name.

    `platform` and `numerics` replace those of the case. CaseError where the case cannot be run;
    what the launch raises passes through.
    """
    kernel = kernels.kernel(case)
    find = functools.partial(_find, _module_of(kernel))
    arguments, arrays = _arguments(case, find)
    options = {
        name: restored(table, find, f"{case.path}: launch: options: {name}")
        for name, table in case.launch.get("options", {}).items()
    }
    chosen = {
        "platform": platform or case.launch.get("platform"),
        "numerics": numerics or case.launch.get("numerics"),
        "overflow": "inf" if numerics not in (None, "npu") else case.launch.get("overflow"),
    }
    with settings.options(**chosen):
        kernel[case.launch.get("blocks")](**arguments, **options)
    return {output["name"]: arrays[output["name"]] for output in case.outputs}


def _arguments(
    case: Case, find: Callable[[str, str], Any]
) -> tuple[dict[str, Any], dict[str, np.ndarray]]:
    """The arguments of the launch by name, and the stored bits behind those that are arrays."""
    import asc2

    arguments: dict[str, Any] = {}
    arrays: dict[str, np.ndarray] = {}
    for table in case.arguments:
        name, kind = table["name"], table["kind"]
        if kind != "array":
            value = restored(table["value"], find, f"{case.path}: argument {name}")
            arguments[name] = asc2.ConstExpr(value) if kind == "constant" else value
        elif "same_as" in table:
            arguments[name] = arguments[table["same_as"]]
        else:
            arrays[name] = case.input_bits(name)
            arguments[name] = as_values(arrays[name], table["dtype"])
    return arguments, arrays


def _imported(root: Path, name: str) -> ModuleType:
    """The module in the file `name` below `root`; nothing of it stays in sys.modules."""
    activate()
    dotted = ".".join(Path(name).with_suffix("").parts)
    with _on_path(root):
        return importlib.import_module(dotted)


@contextlib.contextmanager
def _on_path(root: Path) -> Iterator[None]:
    """`root` first on sys.path, its modules hiding those of the same names for a while."""
    tops = {path.stem for path in root.iterdir()}
    hidden = {name: sys.modules.pop(name) for name in list(sys.modules) if _top(name) in tops}
    sys.path.insert(0, str(root))
    importlib.invalidate_caches()
    try:
        yield
    finally:
        sys.path.remove(str(root))
        for name in [name for name in sys.modules if _top(name) in tops]:
            del sys.modules[name]
        sys.modules.update(hidden)


def _top(name: str) -> str:
    return name.partition(".")[0]


def _inner(case: Case, module: ModuleType) -> Any:
    """A kernel that is defined inside a function: made of its `def`, with the closure recorded."""
    assert case.kernel is not None and module.__file__ is not None
    place = f"{case.path}: kernel {case.kernel['function']}"
    find = functools.partial(_find, module)
    closure: Mapping[str, Any] = case.kernel.get("closure", {})
    names = {name: restored(value, find, place) for name, value in closure.items()}
    tree = ast.parse(Path(module.__file__).read_bytes())
    node: Any = tree
    for part in case.kernel["function"].replace(".<locals>", "").split("."):
        inner = (n for n in ast.walk(node) if isinstance(n, (ast.FunctionDef, ast.ClassDef)))
        node = next((n for n in inner if n.name == part and n is not node), None)
        if node is None:
            raise CaseError(f"{place}: there is no such function in {case.kernel['file']}")
    tree.body = [node]
    namespace = {**vars(module), **names}
    exec(compile(tree, module.__file__, "exec", dont_inherit=True), namespace)
    return namespace[node.name]


def _module_of(kernel: Any) -> Mapping[str, Any]:
    return getattr(kernel, "fn", kernel).__globals__


def _find(names: Any, kind: str, name: str) -> Any:
    """What a dtype, an enum or a function is called in the language, else in the kernel's file."""
    for language in _LANGUAGES:
        found = getattr(importlib.import_module(language), name, None)
        if found is not None:
            return found
    found = (names if isinstance(names, Mapping) else vars(names)).get(name)
    if found is None:
        raise CaseError(f"the {kind} {name!r} is neither in the language nor in the kernel's file")
    return found
