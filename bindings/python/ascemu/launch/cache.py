"""The cache of specialised programs of one kernel.

What it is: the key of a specialisation, and the comparison of what a trace read outside the kernel
with what is there now (spec asc2 §1.8, 12.8).
What it is not: a file cache; nothing outlives the process.
Invariant: a program is only re-used where a new trace would give the same program.
"""

from __future__ import annotations

import dataclasses
import enum
import types
from collections.abc import Iterable, Iterator
from typing import Any

import numpy as np

from ascemu.dsl.dtypes import DataType
from ascemu.frontend.names import Dependency

_DEEPEST = 16
_IMMUTABLE = (str, bytes, type(None))
_CONTAINERS = (list, dict, set, bytearray, np.ndarray)


class Uncacheable(Exception):
    """A constant whose state cannot be keyed, such as an iterator."""


class _Identity:
    """An object as a key: equal to itself only, and kept alive."""

    __slots__ = ("value",)

    def __init__(self, value: Any) -> None:
        self.value = value

    def __hash__(self) -> int:
        return id(self.value)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Identity) and other.value is self.value


def key_of(value: Any, depth: int = 0) -> Any:
    """A hashable key that is equal only for constants of the same type and structure.

    Uncacheable for iterators, for what holds one, and for what is nested without end.
    """
    kind = type(value)
    if kind is int or kind is bool or kind in _IMMUTABLE:
        return kind, value
    if kind is float:
        return kind, value.hex()
    if depth > _DEEPEST:
        raise Uncacheable(f"{kind.__name__} is nested too deeply for a cache key")
    deeper = depth + 1
    if isinstance(value, (tuple, list)):
        return kind, tuple([key_of(item, deeper) for item in value])
    if isinstance(value, dict):
        items = value.items()
        return kind, tuple([(key_of(name, deeper), key_of(item, deeper)) for name, item in items])
    if isinstance(value, (set, frozenset)):
        return kind, frozenset(key_of(item, deeper) for item in value)
    if isinstance(value, bytearray):
        return kind, bytes(value)
    if isinstance(value, (np.ndarray, np.generic)):
        return kind, str(value.dtype), value.shape, value.tobytes()
    if isinstance(value, DataType):
        return kind, value.name
    if isinstance(value, Iterator):
        raise Uncacheable(f"{kind.__name__} cannot be part of a cache key")
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        names = [field.name for field in dataclasses.fields(value)]
        return kind, tuple([(name, key_of(getattr(value, name), deeper)) for name in names])
    if callable(value) or isinstance(value, (enum.Enum, types.ModuleType)):
        return _Identity(value)
    return kind, _Identity(value), repr(value), key_of(getattr(value, "__dict__", None), deeper)


class Changed:
    """What `check` found: the name and how its value differs."""

    __slots__ = ("name", "before", "after")

    def __init__(self, name: str, before: Any, after: Any) -> None:
        self.name, self.before, self.after = name, before, after


class Watch:
    """What a trace read outside the kernel, to be compared with the present quickly."""

    def __init__(self, dependencies: Iterable[Dependency]) -> None:
        self._globals: list[tuple[dict[str, Any], str, Any]] = []
        self._others: list[Dependency] = []
        self._contents: list[tuple[str, Any, Any]] = []
        self.cacheable = True
        for dependency in dependencies:
            if isinstance(dependency.holder, dict):
                self._globals.append(dependency)
            else:
                self._others.append(dependency)
            if isinstance(dependency.value, _CONTAINERS):
                self._snapshot(dependency)

    def check(self) -> Changed | None:
        """The first thing that changed since the trace, or None."""
        for holder, name, value in self._globals:
            now = holder.get(name, _Gone)
            if now is not value and not _same(now, value):
                return Changed(name, value, now)
        for dependency in self._others:
            now = _present(dependency.holder, dependency.name)
            if now is not dependency.value and not _same(now, dependency.value):
                return Changed(dependency.name, dependency.value, now)
        for name, container, key in self._contents:
            if _content_key(container) != key:
                return Changed(name, "its earlier content", container)
        return None

    def _snapshot(self, dependency: Dependency) -> None:
        key = _content_key(dependency.value)
        if key is Uncacheable:
            self.cacheable = False
        self._contents.append((dependency.name, dependency.value, key))


class _Gone:
    """The present value of a name that does not exist any more."""


def _content_key(container: Any) -> Any:
    try:
        return key_of(container)
    except Uncacheable:
        return Uncacheable


def _present(holder: Any, name: str) -> Any:
    if isinstance(holder, types.CellType):
        try:
            return holder.cell_contents
        except ValueError:
            return _Gone
    return getattr(holder, name, _Gone)


def _same(now: Any, before: Any) -> bool:
    """Whether two different objects are equal constants."""
    if type(now) is not type(before) or not isinstance(now, (int, float, str, bytes, tuple)):
        return False
    try:
        return bool(key_of(now) == key_of(before))
    except Uncacheable:
        return False
