"""Reductions of tiles (spec asc2 §6.4, §11.5)."""

from __future__ import annotations

from typing import Any

from ascemu.dsl.arguments import bool_arg, static_ints_arg, tensor_arg
from ascemu.dsl.context import current
from ascemu.dsl.values import wrap


def _reduce(op: str, input: Any, dims: tuple[Any, ...], keep_dims: Any) -> Any:
    builder = current(op).builder
    x = tensor_arg("input", input)
    axes = static_ints_arg("dims", dims)
    return wrap(builder.reduce(op, x, axes, bool_arg("keep_dims", keep_dims)))


def reduce_sum(input: Any, *dims: int, keep_dims: bool = False) -> Any:
    """The sum over the given dimensions, or over all elements as a PlainValue.

    dtypes: int64, float16, float32 without dimensions; int32, int64, float32 with. The reduced
    dimensions go, or become 1 with keep_dims. TypeError: no tensor, dimensions that are no ints,
    keep_dims no bool. RuntimeError: dtype, a dimension out of range or given twice, all dimensions
    given without keep_dims (spec asc2 §6.4).
    """
    return _reduce("reduce_sum", input, dims, keep_dims)


def reduce_max(input: Any, *dims: int, keep_dims: bool = False) -> Any:
    """The maximum over the given dimensions, or over all elements as a PlainValue.

    dtypes: int16 to int64, float16, float32 without dimensions; int8 and bfloat16 too with. Shapes
    and errors as in `reduce_sum` (spec asc2 §6.4).
    """
    return _reduce("reduce_max", input, dims, keep_dims)


def reduce_min(input: Any, *dims: int, keep_dims: bool = False) -> Any:
    """The minimum over the given dimensions, or over all elements as a PlainValue.

    dtypes: int16 to int64, float16, float32 without dimensions; int8 and bfloat16 too with. Shapes
    and errors as in `reduce_sum` (spec asc2 §6.4).
    """
    return _reduce("reduce_min", input, dims, keep_dims)


def reduce_prod(input: Any, *dims: int, keep_dims: bool = False) -> Any:
    """The product over the given dimensions; float32.

    RuntimeError without dimensions; otherwise shapes and errors as in `reduce_sum` (spec asc2
    §6.4).
    """
    return _reduce("reduce_prod", input, dims, keep_dims)
