"""What older generations spelled differently, kept in the namespace asc2 (spec asc2 §0, §8, §11.1).

What it is: the first generation's names (tensor, load, store, Tile, TileLocation) and operations
that take the newest and an older argument order, told apart by the classes of the arguments. What
it is not: other meanings; each form ends in the newest operation. Invariant: `inspect.signature`
shows the newest form.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

from ascemu.dsl import matmul as matmul_ops
from ascemu.dsl import memory
from ascemu.dsl.arguments import (
    check_type,
    location_arg,
    runtime_ints_arg,
    static_ints_arg,
)
from ascemu.dsl.context import current
from ascemu.dsl.dtypes import TensorLocation
from ascemu.dsl.faults import fault, wrong_value
from ascemu.dsl.global_tensor import GlobalTensor
from ascemu.dsl.local_tensor import LocalTensor
from ascemu.dsl.values import is_number


def _either(
    newest: Callable[..., Any],
    older: Callable[..., Any],
    is_older: Callable[[tuple[Any, ...], dict[str, Any]], bool],
) -> Any:
    """An operation that acts as `older` where the arguments are those of the older form."""

    @functools.wraps(newest)
    def op(*args: Any, **kwargs: Any) -> Any:
        return (older if is_older(args, kwargs) else newest)(*args, **kwargs)

    return op


def _all_tensors(values: tuple[Any, ...], count: int) -> bool:
    return len(values) >= count and all(isinstance(x, LocalTensor) for x in values[:count])


def _older_gather(
    src: Any,
    offsets: Any,
    index: Any,
    dim: Any,
    check_bounds: Any = True,
    real_shape: Any = None,
    pad_value: Any = None,
) -> LocalTensor:
    return memory.gather(src, offsets, dim, index, check_bounds, real_shape, pad_value)


def _older_scatter(
    index: Any,
    src: Any,
    dst: Any,
    offsets: Any,
    dim: Any,
    check_bounds: Any = True,
    real_shape: Any = None,
) -> None:
    memory.scatter(src, dim, index, dst, offsets, check_bounds, real_shape)


gather = _either(
    memory.gather,
    _older_gather,
    lambda args, kwargs: (
        "real_shape" in kwargs or len(args) > 2 and isinstance(args[2], LocalTensor)
    ),
)
scatter = _either(
    memory.scatter,
    _older_scatter,
    lambda args, kwargs: "real_shape" in kwargs or _all_tensors(args, 2),
)


def _older_matmul_acc(input: Any, other: Any, acc: Any, *, hf32: bool = False) -> None:
    matmul_ops.matmul_acc(acc, input, other, hf32=hf32)


matmul_acc = _either(
    matmul_ops.matmul_acc,
    _older_matmul_acc,
    lambda args, kwargs: (
        len(args) == 3
        and matmul_ops.is_accumulator(args[2])
        and not matmul_ops.is_accumulator(args[0])
    ),
)


def copy_out(src: Any, dst: GlobalTensor, offsets: Any, *, real_shape: Any = None) -> None:
    """`copy_out` of asctile, but real_shape with a scalar or one element is a ValueError.

    The documentation of asc2 promises it; asctile ignores real_shape there (spec asc2 §5.7).
    """
    is_single = src.size == 1 if isinstance(src, LocalTensor) else True
    if is_single and real_shape is not None:
        current("copy_out")
        raise wrong_value("'real_shape' argument cannot be used when storing a scalar value")
    memory.copy_out(src, dst, offsets, real_shape=real_shape)


def _older_copy(
    tile: Any, shape: Any = None, *, offsets: Any = None, location: Any = TensorLocation.UB
) -> LocalTensor:
    return memory.copy(tile, offsets, shape, location)


def _is_older_copy(args: tuple[Any, ...], kwargs: dict[str, Any]) -> bool:
    """The second argument is a shape: offsets come by keyword, or as offsets it would leave src."""
    if "tile" in kwargs:
        return True
    if len(args) != 2 or "shape" in kwargs:
        return False
    if "offsets" in kwargs:
        return True
    values = list(args[1]) if isinstance(args[1], (list, tuple)) else []
    return bool(values) and all(isinstance(x, int) for x in values) and any(values)


copy = _either(memory.copy, _older_copy, _is_older_copy)


def _tile_offsets(tile_id: Any, shape: Any) -> list[Any]:
    """Offsets of the tile with that number: number times extent in every dimension."""
    extents = static_ints_arg("shape", shape)
    numbers = list(tile_id)
    runtime_ints_arg("tile_id", numbers)
    return [number * extent for number, extent in zip(numbers, extents, strict=False)]


def load(
    tensor: GlobalTensor,
    *positional: Any,
    shape: Any = None,
    tile_id: Any = None,
    offsets: Any = None,
    location: Any = TensorLocation.UB,
    pad_value: Any = 0,
    real_shape: Any = None,
) -> Any:
    """`copy_in` of the first generation; without shape one element as a PlainValue.

    Either `load(tensor, shape, tile_id=... or offsets=...)` or `load(tensor, offsets, shape)`.
    ValueError: not exactly one of tile_id and offsets. RuntimeError: rank of shape. Otherwise as
    `copy_in` (spec asc2 §7, §8).
    """
    current("load").use_first_generation()
    check_type("tensor", tensor, GlobalTensor, "GlobalTensor")
    if len(positional) > 3:
        raise TypeError(f"load() takes from 1 to 4 positional arguments, got {len(positional) + 1}")
    if len(positional) == 1 and (tile_id is not None or offsets is not None):
        shape = positional[0]
    elif positional:
        offsets = positional[0]
        shape, location = (*positional[1:], *(shape, location)[len(positional) - 1 :])
    if (tile_id is None) == (offsets is None):
        raise wrong_value("load needs exactly one of 'tile_id' and 'offsets'")
    if shape is None:
        if offsets is None:
            raise wrong_value("load of one element needs 'offsets', not 'tile_id'")
        return memory.copy_in(tensor, offsets)
    dims = static_ints_arg("shape", shape)
    if len(dims) != tensor.rank and len(positional) < 2:
        raise fault(
            RuntimeError,
            "bad-shape",
            f"'shape' must have the tensor's rank {tensor.rank}, got {dims}",
        )
    starts = _tile_offsets(tile_id, dims) if offsets is None else offsets
    pads = pad_value is not None and location_arg("location", location) in ("UB", "Auto")
    return memory.copy_in(
        tensor,
        starts,
        dims,
        location,
        real_shape=real_shape,
        pad_value=pad_value if pads else None,
    )


def store(value: Any, tensor: GlobalTensor, offsets: Any = None, *, tile_id: Any = None) -> None:
    """`copy_out` of the first generation: `store(value, tensor, tile_id=... or offsets=...)`.

    ValueError: not exactly one of tile_id and offsets, or tile_id for a single element. Otherwise
    as `copy_out` (spec asc2 §7, §8).
    """
    current("store").use_first_generation()
    if (tile_id is None) == (offsets is None):
        raise wrong_value("store needs exactly one of 'tile_id' and 'offsets'")
    if offsets is None:
        if is_number(value) or not isinstance(value, LocalTensor) or value.size == 1:
            raise wrong_value("store of one element needs 'offsets', not 'tile_id'")
        offsets = _tile_offsets(tile_id, value.shape)
    memory.copy_out(value, tensor, offsets)
