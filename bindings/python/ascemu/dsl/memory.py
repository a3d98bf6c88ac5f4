"""Transfers between global and local memory, and between local memories (spec asc2 §5, §11.4)."""

from __future__ import annotations

from typing import Any

from ascemu.dsl.arguments import (
    bool_arg,
    check_type,
    global_arg,
    location_arg,
    optional_number_arg,
    runtime_int_arg,
    runtime_ints_arg,
    static_int_arg,
    static_ints_arg,
    tensor_arg,
)
from ascemu.dsl.context import current
from ascemu.dsl.dtypes import TensorLocation, int32
from ascemu.dsl.faults import wrong_type
from ascemu.dsl.global_tensor import GlobalTensor
from ascemu.dsl.local_tensor import LocalTensor
from ascemu.dsl.values import (
    CarriedNumber,
    GlobalAddress,
    PlainValue,
    as_dtype_of,
    describe,
    fitted,
    is_number,
    unwrap,
    wrap,
)


def global_tensor(base: GlobalAddress, shape: Any) -> GlobalTensor:
    """A row-major tensor of that shape at a pointer argument; dimensions may be runtime integers.

    TypeError: base no GlobalAddress, a dimension that is no integer. RuntimeError: an empty shape
    (spec asc2 §8).
    """
    builder = current("global_tensor").builder
    check_type("base", base, GlobalAddress, "GlobalAddress")
    dims = runtime_ints_arg("shape", shape)
    for axis, dim in enumerate(dims):
        if not isinstance(dim, int) and dim.dtype in ("int8", "int16", "int64"):
            dims[axis] = builder.scalar_cast(dim, int32.name)
    return wrap(builder.global_tensor(base.value, dims))


def copy_in(
    src: GlobalTensor,
    offsets: Any,
    shape: Any = None,
    location: Any = TensorLocation.Auto,
    *,
    real_shape: Any = None,
    pad_value: Any = None,
) -> Any:
    """A tile of a global tensor at the given offsets; without shape, one element as a PlainValue.

    One offset per dimension of src. What lies outside src or beyond real_shape is not read: it
    holds pad_value (0 with real_shape alone), or is undefined without either. TypeError: wrong
    classes. ValueError (and RuntimeError): the number of offsets or of real_shape. RuntimeError: an
    empty shape, a dimension below 1, a static real_shape above the shape, a location that cannot be
    loaded (spec asc2 §5.6, §11.4).
    """
    builder = current("copy_in").builder
    tensor = global_arg("src", src)
    place = location_arg("location", location)
    starts = runtime_ints_arg("offsets", offsets)
    if shape is None:
        return wrap(builder.load_scalar(tensor, starts))
    dims = static_ints_arg("shape", shape)
    valid = None if real_shape is None else runtime_ints_arg("real_shape", real_shape)
    pad = _pad_arg(src, pad_value)
    return wrap(builder.copy_in(tensor, starts, dims, place, valid, pad))


def _pad_arg(src: GlobalTensor, pad_value: Any) -> Any:
    if isinstance(pad_value, CarriedNumber):
        return unwrap(as_dtype_of(src, pad_value))
    return fitted(optional_number_arg("pad_value", pad_value), src.dtype)


def copy_out(src: Any, dst: GlobalTensor, offsets: Any, *, real_shape: Any = None) -> None:
    """Store a tile, or a scalar, into a global tensor at the given offsets.

    What would lie outside dst or beyond real_shape is not written. A scalar or a tensor of one
    element is stored as one element, converted to dst's dtype, and real_shape is then ignored.
    TypeError: wrong classes. ValueError (and RuntimeError): the number of offsets or of real_shape.
    RuntimeError: dtypes differ, a location that cannot be stored from (spec asc2 §5.7, §11.4).
    """
    builder = current("copy_out").builder
    if not isinstance(src, (LocalTensor, PlainValue)) and not is_number(src):
        raise wrong_type(f"'src' argument must be LocalTensor or a number, got {describe(src)}")
    tensor = global_arg("dst", dst)
    starts = runtime_ints_arg("offsets", offsets)
    if not isinstance(src, LocalTensor) or src.size == 1:
        if real_shape is not None:
            current("copy_out").warn(
                "portability",
                "copy_out of a single element ignores its real_shape here; older generations "
                "refuse it",
                help="Leave real_shape out, and guard the store with an if.",
            )
        builder.store_scalar(unwrap(as_dtype_of(dst, src)), tensor, starts)
        return
    valid = None if real_shape is None else runtime_ints_arg("real_shape", real_shape)
    builder.copy_out(src.value, tensor, starts, valid)


def copy(src: LocalTensor, offsets: Any = None, shape: Any = None, location: Any = None) -> Any:
    """A tile of a local tensor in another location: all of it, or `shape` elements at `offsets`.

    A whole tensor that is in the location already is returned as it is. TypeError: wrong classes.
    ValueError (and RuntimeError): the number of offsets. RuntimeError: an empty shape, a dimension
    below 1, a transfer that the device lacks (spec asc2 §5.4, §11.3).
    """
    builder = current("copy").builder
    tensor = tensor_arg("src", src)
    place = tensor.location if location is None else location_arg("location", location)
    starts = None if offsets is None else runtime_ints_arg("offsets", offsets)
    dims = None if shape is None else static_ints_arg("shape", shape)
    if starts is None and dims in (None, list(tensor.shape)) and place == tensor.location:
        return src
    return wrap(builder.copy(tensor, starts, dims, place))


def gather(
    src: GlobalTensor,
    offsets: Any,
    dim: int,
    index: LocalTensor,
    check_bounds: bool = True,
    num_indices: Any = None,
    pad_value: Any = None,
) -> LocalTensor:
    """Rows of a global tensor: result[i] = src[offsets[:dim], offsets[dim] + index[i], ...].

    index is rank 1 of int8 to int64 and dim is not the last dimension. Rows that lie outside hold
    pad_value (0 unless given); rows from num_indices on are undefined. TypeError: wrong classes.
    ValueError: dim + 1 offsets are needed, rank of index, dim out of range, a dynamic dimension
    after dim. NotImplementedError: the last dimension. RuntimeError: dtype of index (spec asc2
    §11.1).
    """
    builder = current("gather").builder
    tensor = global_arg("src", src)
    axis = static_int_arg("dim", dim)
    starts = runtime_ints_arg("offsets", offsets)
    rows = tensor_arg("index", index)
    checked = bool_arg("check_bounds", check_bounds)
    count = None if num_indices is None else runtime_int_arg("num_indices", num_indices)
    pad = _pad_arg(src, pad_value)
    return wrap(builder.gather(tensor, starts, axis, rows, checked, count, pad))


def scatter(
    src: LocalTensor,
    dim: int,
    index: LocalTensor,
    dst: GlobalTensor,
    offsets: Any,
    check_bounds: bool = True,
    num_indices: Any = None,
) -> None:
    """Store rows by index: dst[offsets[:dim], offsets[dim] + index[i], ...] = src[i].

    Rows that lie outside are skipped; of equal indices the last wins. TypeError: wrong classes.
    ValueError: ranks, dtypes or dimensions do not fit, dim out of range, dim + 1 offsets are
    needed. NotImplementedError: the last dimension. RuntimeError: dtype of index, more indices than
    rows (spec asc2 §11.1).
    """
    builder = current("scatter").builder
    tensor = global_arg("dst", dst)
    rows, tile = tensor_arg("index", index), tensor_arg("src", src)
    axis = static_int_arg("dim", dim)
    starts = runtime_ints_arg("offsets", offsets)
    checked = bool_arg("check_bounds", check_bounds)
    count = None if num_indices is None else runtime_int_arg("num_indices", num_indices)
    builder.scatter(tile, axis, rows, tensor, starts, checked, count)


def _atomic(op: str, src: Any, dst: Any, offsets: Any) -> None:
    builder = current(op).builder
    tile, tensor = tensor_arg("src", src), global_arg("dst", dst)
    builder.atomic(op, tile, tensor, runtime_ints_arg("offsets", offsets))


def atomic_add(src: LocalTensor, dst: GlobalTensor, offsets: Any) -> None:
    """dst += src, element by element and atomically, at the given offsets.

    Clipped like copy_out. dtypes: int16, int32, float16, bfloat16, float32, equal on both sides.
    TypeError: wrong classes. RuntimeError: dtypes (spec asc2 §5.8).
    """
    _atomic("atomic_add", src, dst, offsets)


def atomic_max(src: LocalTensor, dst: GlobalTensor, offsets: Any) -> None:
    """dst = max(dst, src), element by element and atomically; otherwise as `atomic_add`."""
    _atomic("atomic_max", src, dst, offsets)


def atomic_min(src: LocalTensor, dst: GlobalTensor, offsets: Any) -> None:
    """dst = min(dst, src), element by element and atomically; otherwise as `atomic_add`."""
    _atomic("atomic_min", src, dst, offsets)
