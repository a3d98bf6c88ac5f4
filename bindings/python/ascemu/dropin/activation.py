"""Makes `import asc`, `asc2` and `asctile` resolve to the modules of ascemu.dropin.

What it is: one finder, first on sys.meta_path while active. A name it resolves and the same name
below ascemu.dropin are the same module object.
What it is not: an installation; nothing is found without `activate()`, and an installed package of
the same name is shadowed only between `activate()` and `deactivate()`.
Invariant: a module of another package is never replaced in sys.modules.
"""

from __future__ import annotations

import importlib
import importlib.util
import sys
from collections.abc import Sequence
from importlib.abc import Loader, MetaPathFinder
from importlib.machinery import ModuleSpec
from types import ModuleType

NAMES = ("asc", "asc2", "asctile")
HOME = "ascemu.dropin"
# Paths under which public code imports a module that is defined elsewhere; submodules follow.
SYNONYMS = {
    "asc.language": "asc",
    "asc.language.tile": "asc2",
    **{
        f"{generation}.{path}": goal
        for generation in ("asc2", "asctile")
        for path, goal in {
            "codegen": "asc.codegen",
            "language": generation,
            "lib": "asc.lib",
            "profiling": "asc.lib.profiling",
            "runtime": "asc.runtime",
        }.items()
    },
}


class _Alias(Loader):
    """Loads a module of ascemu.dropin under its public name, without making a second one."""

    def __init__(self, target: str) -> None:
        self._target = target
        self._own_spec: ModuleSpec | None = None

    def create_module(self, spec: ModuleSpec) -> ModuleType:
        module = importlib.import_module(self._target)
        self._own_spec = module.__spec__
        return module

    def exec_module(self, module: ModuleType) -> None:
        # The import system has put the alias's spec on the module; give it its own back.
        module.__spec__ = self._own_spec


class _Finder(MetaPathFinder):
    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        if fullname.partition(".")[0] not in NAMES:
            return None
        goal = f"{HOME}.{resolve_synonym(fullname)}"
        found = importlib.util.find_spec(goal)
        if found is None:
            return None
        is_package = found.submodule_search_locations is not None
        spec = ModuleSpec(fullname, _Alias(goal), origin=found.origin, is_package=is_package)
        if is_package:
            spec.submodule_search_locations = found.submodule_search_locations
        return spec


def resolve_synonym(fullname: str) -> str:
    """The name of the module that `fullname` stands for, by its longest prefix in SYNONYMS."""
    if fullname in SYNONYMS:
        return SYNONYMS[fullname]
    parent, _, name = fullname.rpartition(".")
    return f"{resolve_synonym(parent)}.{name}" if parent else fullname


_finder = _Finder()


def is_active() -> bool:
    """Whether `import asc2` finds ascemu's module."""
    return _finder in sys.meta_path


def activate() -> None:
    """Let `import asc`, `asc2` and `asctile` find ascemu's modules; a second call does nothing.

    RuntimeError where another package of one of these names is already imported: modules that hold
    it would go on using it.
    """
    for name in NAMES:
        module = sys.modules.get(name)
        if module is not None and not _is_ours(module):
            place = getattr(module, "__file__", None) or "an unknown place"
            raise RuntimeError(
                f"ascemu.activate() came too late: {name!r} is already imported from {place}. "
                f"Call it before the first import of {name}, or start with 'ascemu run'."
            )
    if not is_active():
        sys.meta_path.insert(0, _finder)
        importlib.invalidate_caches()


def deactivate() -> None:
    """Undo `activate()`: later imports find what is installed; modules already held stay usable."""
    if is_active():
        sys.meta_path.remove(_finder)
    for name, module in list(sys.modules.items()):
        if name.partition(".")[0] in NAMES and _is_ours(module):
            del sys.modules[name]


def _is_ours(module: ModuleType | None) -> bool:
    return getattr(module, "__name__", "").startswith(HOME + ".")
