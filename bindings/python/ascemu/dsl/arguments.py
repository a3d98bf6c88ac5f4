"""The one argument binder of the operations: Python classes in, builder arguments out.

What it is: one function per kind of argument; each raises TypeError naming the argument, what it
must be and what it got (spec asc2 §8). What it is not: checks of dtypes, shapes, counts and ranges,
which the builder makes. Invariant: a result can be passed to the builder as it is.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np

from ascemu._core import Value
from ascemu.dsl.constexpr import ConstExpr
from ascemu.dsl.dtypes import DataType, RoundMode, TensorLocation
from ascemu.dsl.faults import wrong_type, wrong_value
from ascemu.dsl.global_tensor import GlobalTensor
from ascemu.dsl.local_tensor import LocalTensor
from ascemu.dsl.values import PlainValue, describe, is_number, unwrap


def check_type(name: str, value: Any, kinds: type | tuple[type, ...], wanted: str) -> None:
    """TypeError "'name' argument must be X, got Y" unless `value` is an instance of `kinds`."""
    if not isinstance(value, kinds):
        raise wrong_type(f"'{name}' argument must be {wanted}, got {describe(value)}")


def tensor_arg(name: str, value: Any) -> Value:
    """A LocalTensor."""
    check_type(name, value, LocalTensor, "LocalTensor")
    return value.value


def global_arg(name: str, value: Any) -> Value:
    """A GlobalTensor."""
    check_type(name, value, GlobalTensor, "GlobalTensor")
    return value.value


def number_arg(name: str, value: Any) -> Any:
    """A Python number or a PlainValue."""
    if isinstance(value, PlainValue) or is_number(value):
        return unwrap(value)
    raise wrong_type(f"'{name}' argument must be a number, got {describe(value)}")


def optional_number_arg(name: str, value: Any) -> Any:
    """A number or None."""
    return None if value is None else number_arg(name, value)


def runtime_int_arg(name: str, value: Any) -> Any:
    """A Python int or a PlainValue (whose dtype the builder checks)."""
    plain = unwrap(value)
    if isinstance(value, PlainValue) or isinstance(plain, int):
        return plain
    raise wrong_type(f"'{name}' argument must be an integer, got {describe(value)}")


def runtime_ints_arg(name: str, values: Any) -> list[Any]:
    """An iterable of runtime integers: offsets, real_shape, dimensions of a global tensor."""
    result = []
    for value in _items(name, values):
        plain = unwrap(value)
        if not isinstance(value, PlainValue) and not isinstance(plain, int):
            raise wrong_type(f"All values in '{name}' must be integers, got {describe(value)}")
        result.append(plain)
    return result


def static_ints_arg(name: str, values: Any) -> list[int]:
    """An iterable of integers known while tracing: shapes, axes."""
    result = []
    for value in _items(name, values):
        plain = unwrap(value)
        if isinstance(value, PlainValue):
            raise wrong_type(
                f"All values in '{name}' must be integers known while tracing, got "
                f"{describe(value)}",
                help="Pass the size as a ConstExpr parameter; only real_shape and offsets may be "
                "runtime values.",
            )
        if not isinstance(plain, int):
            raise wrong_type(f"All values in '{name}' must be integers, got {describe(value)}")
        result.append(int(plain))
    return result


def _items(name: str, values: Any) -> list[Any]:
    if isinstance(values, ConstExpr):
        values = values.value
    if isinstance(values, (str, bytes)) or not isinstance(values, Iterable):
        raise wrong_type(
            f"'{name}' argument must be a sequence of integers, got {describe(values)}",
            help=f"Write [{values}]." if is_number(values) else "",
        )
    return list(values)


def static_int_arg(name: str, value: Any) -> int:
    """A Python int (or numpy integer) known while tracing."""
    plain = unwrap(value)
    if isinstance(plain, int):
        return int(plain)
    raise wrong_type(f"'{name}' argument must be int, got {describe(value)}")


def bool_arg(name: str, value: Any) -> bool:
    """A Python bool."""
    plain = value.value if isinstance(value, ConstExpr) else value
    if isinstance(plain, (bool, np.bool_)):
        return bool(plain)
    raise wrong_type(f"'{name}' argument must be bool, got {describe(value)}")


def dtype_arg(name: str, value: Any) -> str:
    """A DataType, as its name."""
    check_type(name, value, DataType, "DataType")
    return value.name


def optional_dtype_arg(name: str, value: Any) -> str | None:
    """A DataType or None, as its name."""
    if value is None:
        return None
    check_type(name, value, DataType, "DataType or None")
    return value.name


def round_mode_arg(name: str, value: Any) -> int:
    """A RoundMode, as its number."""
    check_type(name, value, RoundMode, "RoundMode")
    return int(value)


def location_arg(name: str, value: Any) -> str:
    """A TensorLocation or its name, as its name; ValueError for an unknown name."""
    if isinstance(value, TensorLocation):
        return value.name
    if isinstance(value, str):
        if value in TensorLocation.__members__:
            return value
        legal = ", ".join(TensorLocation.__members__)
        raise wrong_value(f"'{name}' argument must be one of {legal}, got '{value}'")
    raise wrong_type(f"'{name}' argument must be TensorLocation or str, got {describe(value)}")
