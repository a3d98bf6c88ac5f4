"""What a kernel sees of Python's builtins (spec asc2 §2.2, §2.3).

What it is: BUILTINS, and the language's own max, min and sum. What it is not: the lookup
(frontend/). Invariant: a name that is not in BUILTINS is a NameError in a kernel.
"""

from __future__ import annotations

import builtins
import functools
from collections.abc import Callable, Iterable
from typing import Any

from ascemu.dsl.control import parallel_range
from ascemu.dsl.debug import device_assert, kernel_print
from ascemu.dsl.elementwise import add, maximum, minimum
from ascemu.dsl.faults import wrong_type, wrong_value
from ascemu.dsl.local_tensor import LocalTensor
from ascemu.dsl.values import IRValue, PlainValue, describe

_REQUIRED: Any = object()


def _fold(
    values: list[Any],
    on_tensors: Callable[[Any, Any], Any],
    on_scalars: Callable[[Any, Any], Any],
    on_constants: Callable[[list[Any]], Any],
) -> Any:
    """Tensors, scalars and constants each among themselves, then the three results in turn."""
    tensors = [value for value in values if isinstance(value, LocalTensor)]
    scalars = [value for value in values if isinstance(value, PlainValue)]
    constants = [value for value in values if not isinstance(value, (LocalTensor, PlainValue))]
    for value in constants:
        if isinstance(value, IRValue):
            raise wrong_type(f"{describe(value)} has no order and no sum")
    parts = []
    if tensors:
        parts.append(functools.reduce(on_tensors, tensors))
    if scalars:
        parts.append(functools.reduce(on_scalars, scalars))
    if constants:
        parts.append(on_constants(constants))
    return functools.reduce(on_tensors if tensors else on_scalars, parts)


def _elements(name: str, values: tuple[Any, ...]) -> list[Any]:
    if not values:
        raise wrong_type(f"{name} expected at least 1 argument, got 0")
    if len(values) > 1:
        return list(values)
    if not isinstance(values[0], Iterable):
        raise wrong_type(f"{name} of a single value needs an iterable, got {describe(values[0])}")
    return list(values[0])


def _extreme(
    name: str, values: tuple[Any, ...], default: Any, key: Any, on_tensors: Any, on_constants: Any
) -> Any:
    elements = _elements(name, values)
    if not elements:
        if default is _REQUIRED:
            raise wrong_value(f"{name}() arg is an empty sequence")
        return default
    if key is not None:
        elements = [key(element) for element in elements]
    return _fold(elements, on_tensors, lambda a, b: getattr(a, name)(b), on_constants)


def _max(*values: Any, default: Any = _REQUIRED, key: Any = None) -> Any:
    """The largest of several values or of one iterable of tensors, scalars and numbers.

    Tensors combine as `maximum`, scalars in the left one's dtype. `key` is applied to every element
    and the keyed value is returned. ValueError: an empty iterable without default (spec asc2 §2.3).
    """
    return _extreme("max", values, default, key, maximum, builtins.max)


def _min(*values: Any, default: Any = _REQUIRED, key: Any = None) -> Any:
    """The smallest of several values or of one iterable of tensors, scalars and numbers.

    Tensors combine as `minimum`, scalars in the left one's dtype. `key` is applied to every element
    and the keyed value is returned. ValueError: an empty iterable without default (spec asc2 §2.3).
    """
    return _extreme("min", values, default, key, minimum, builtins.min)


def _sum(*values: Any, start: Any = 0) -> Any:
    """The sum of one iterable (plus start), or of several values (spec asc2 §2.3)."""
    if len(values) == 2 and isinstance(values[0], Iterable):
        values, start = values[:1], values[1]
    elements = _elements("sum", values)
    starts_at_nothing = isinstance(start, int) and not isinstance(start, bool) and start == 0
    if not elements or not starts_at_nothing:
        elements.append(start)
    return _fold(elements, add, lambda a, b: a + b, builtins.sum)


for _function, _name in ((_max, "max"), (_min, "min"), (_sum, "sum")):
    _function.__name__ = _function.__qualname__ = _name

BUILTINS: dict[str, Any] = {
    "dict": dict,
    "float": float,
    "int": int,
    "isinstance": isinstance,
    "issubclass": issubclass,
    "len": len,
    "list": list,
    "range": parallel_range,
    "repr": repr,
    "str": str,
    "tuple": tuple,
    "type": type,
    "max": _max,
    "min": _min,
    "sum": _sum,
    "print": kernel_print,
}
# What an assert statement of a kernel calls: (test, message=None).
assert_statement = device_assert
