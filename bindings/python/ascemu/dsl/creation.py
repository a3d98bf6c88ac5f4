"""Tiles made from nothing (spec asc2 §6.8, §11.1).

The newest generation has no location argument; `full_at` and its companions are the older forms
that the namespace asc2 keeps, where the only legal location was UB.
"""

from __future__ import annotations

from typing import Any

from ascemu.dsl.arguments import (
    dtype_arg,
    location_arg,
    number_arg,
    optional_dtype_arg,
    static_ints_arg,
    tensor_arg,
)
from ascemu.dsl.carried import number_as
from ascemu.dsl.context import current
from ascemu.dsl.dtypes import DataType, TensorLocation, int32
from ascemu.dsl.faults import fault
from ascemu.dsl.local_tensor import LocalTensor
from ascemu.dsl.values import CarriedNumber, as_dtype_of, fitted, wrap


def full(shape: Any, value: Any, dtype: DataType | None = None) -> LocalTensor:
    """A tensor of that shape filled with a number.

    Without dtype: int and bool give int32, float gives float32, a PlainValue its own dtype. dtypes:
    int8, int16, int32, int64, float16, bfloat16, float32. TypeError: wrong classes. RuntimeError:
    dtype, an empty shape, a dimension below 1 (spec asc2 §11.1).
    """
    builder = current("full").builder
    number = number_arg("value", value)
    name = optional_dtype_arg("dtype", dtype)
    if isinstance(value, CarriedNumber) and dtype is not None:
        number = number_as(value, dtype).value
    elif dtype is not None:
        number = fitted(number, dtype)
    return wrap(builder.full(static_ints_arg("shape", shape), number, name))


def full_like(input: LocalTensor, value: Any) -> LocalTensor:
    """A tensor of the operand's shape and dtype filled with a number; errors as in `full`."""
    builder = current("full_like").builder
    x = tensor_arg("input", input)
    number = number_arg("value", as_dtype_of(input, value))
    return wrap(builder.full(list(x.shape), number, x.dtype))


def zeros(shape: Any, dtype: DataType = int32) -> LocalTensor:
    """A tensor of that shape filled with zeros, int32 by default; errors as in `full`."""
    builder = current("zeros").builder
    name = dtype_arg("dtype", dtype)
    return wrap(builder.full(static_ints_arg("shape", shape), 0, name))


def zeros_like(input: LocalTensor) -> LocalTensor:
    """A tensor of the operand's shape and dtype filled with zeros; errors as in `full`."""
    builder = current("zeros_like").builder
    x = tensor_arg("input", input)
    return wrap(builder.full(list(x.shape), 0, x.dtype))


def _check_location(location: Any) -> None:
    name = None if location is None else location_arg("location", location)
    if name not in (None, "UB", "Auto"):
        raise fault(
            RuntimeError,
            "bad-location",
            f"a filled tensor must be in UB, got location {name}",
            help="Leave the location out, or use zeros_acc for an accumulator in L0C.",
        )


def full_at(
    shape: Any, value: Any, dtype: DataType | None = None, location: Any = TensorLocation.UB
) -> LocalTensor:
    """`full` with the location argument of older generations; RuntimeError unless it is UB."""
    result = full(shape, value, dtype)
    _check_location(location)
    return result


def full_like_at(input: LocalTensor, value: Any, location: Any = None) -> LocalTensor:
    """`full_like` with the location argument of older generations; RuntimeError unless it is UB."""
    result = full_like(input, value)
    _check_location(location)
    return result


def zeros_at(shape: Any, dtype: DataType = int32, location: Any = TensorLocation.UB) -> LocalTensor:
    """`zeros` with the location argument of older generations; RuntimeError unless it is UB."""
    result = zeros(shape, dtype)
    _check_location(location)
    return result


def zeros_like_at(input: LocalTensor, location: Any = None) -> LocalTensor:
    """`zeros_like` with the older location argument; RuntimeError unless it is UB."""
    result = zeros_like(input)
    _check_location(location)
    return result


for _older, _newest in (
    (full_at, full),
    (full_like_at, full_like),
    (zeros_at, zeros),
    (zeros_like_at, zeros_like),
):
    _older.__name__ = _older.__qualname__ = _newest.__name__
