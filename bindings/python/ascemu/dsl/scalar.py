"""Typed scalars and scalar helpers (spec asc2 §3.1, §3.4, §7)."""

from __future__ import annotations

from typing import Any

from ascemu.dsl.arguments import check_type, dtype_arg, static_int_arg, static_ints_arg
from ascemu.dsl.carried import number_as
from ascemu.dsl.context import current
from ascemu.dsl.dtypes import DataType
from ascemu.dsl.faults import fault, wrong_type, wrong_value
from ascemu.dsl.global_tensor import GlobalTensor
from ascemu.dsl.values import CarriedNumber, PlainValue, describe, fitted, is_number, unwrap, wrap


def number(value: Any, dtype: DataType) -> PlainValue:
    """A Python number as a runtime scalar of that dtype; TypeError for others (spec §3.1)."""
    builder = current("number").builder
    if isinstance(value, CarriedNumber):
        check_type("dtype", dtype, DataType, "DataType")
        return number_as(value, dtype)
    if not is_number(value):
        raise wrong_type(
            f"'value' argument must be a Python number, got {describe(value)}",
            help="Write value.cast(dtype) for a runtime scalar."
            if isinstance(value, PlainValue)
            else "",
        )
    name = dtype_arg("dtype", dtype)
    return wrap(builder.constant(fitted(unwrap(value), dtype), name))


def ceildiv(x: Any, y: Any) -> Any:
    """(x + y - 1) // y, on the host and in kernels: ints or runtime integers (spec asc2 §3.4)."""
    return (x + y - 1) // y


def num_tiles(tensor: GlobalTensor, axis: int, shape: Any) -> Any:
    """How many tiles of that shape cover a dimension of a global tensor (spec asc2 §7).

    TypeError: wrong classes. RuntimeError: rank of shape differs. ValueError: axis out of range.
    """
    current("num_tiles")
    check_type("tensor", tensor, GlobalTensor, "GlobalTensor")
    tile = static_ints_arg("shape", shape)
    dim = static_int_arg("axis", axis)
    if len(tile) != tensor.rank:
        raise fault(
            RuntimeError,
            "bad-shape",
            f"'shape' must have the tensor's rank {tensor.rank}, got {tile}",
        )
    if not 0 <= dim < tensor.rank:
        raise wrong_value(f"'axis' must be from 0 to {tensor.rank - 1}, got {dim}")
    return ceildiv(tensor.shape[dim], tile[dim])
