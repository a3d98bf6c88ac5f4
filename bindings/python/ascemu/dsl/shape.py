"""Operations that rearrange elements (spec asc2 §6.8, §11.1)."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from ascemu.dsl.arguments import static_ints_arg, tensor_arg
from ascemu.dsl.context import current
from ascemu.dsl.faults import fault, wrong_type, wrong_value
from ascemu.dsl.local_tensor import LocalTensor
from ascemu.dsl.values import describe, wrap


def _shape_args(shape: tuple[Any, ...]) -> list[int]:
    if len(shape) == 1 and isinstance(shape[0], Iterable):
        return static_ints_arg("shape", shape[0])
    return static_ints_arg("shape", shape)


def reshape(input: LocalTensor, *shape: Any) -> LocalTensor:
    """The same elements in another shape, given as ints or one iterable.

    Any dtype but int1, any location. TypeError: no tensor, dimensions that are no ints.
    RuntimeError: another number of elements, a dimension below 1 (spec asc2 §6.8).
    """
    builder = current("reshape").builder
    return wrap(builder.reshape(tensor_arg("input", input), _shape_args(shape)))


def ravel(input: LocalTensor) -> LocalTensor:
    """The same elements in one dimension; errors as in `reshape`."""
    builder = current("ravel").builder
    x = tensor_arg("input", input)
    return wrap(builder.reshape(x, [input.size]))


def expand_dims(input: LocalTensor, *axis: int) -> LocalTensor:
    """New dimensions of size 1 at the given positions of the result.

    Positions are taken once each, in ascending order, as `list.insert` does. TypeError: no tensor,
    positions that are no ints (spec asc2 §11.1).
    """
    builder = current("expand_dims").builder
    x = tensor_arg("input", input)
    shape = list(x.shape)
    for position in sorted(set(static_ints_arg("axis", axis))):
        shape.insert(max(-len(shape), min(position, len(shape))), 1)
    return wrap(builder.reshape(x, shape))


def squeeze(input: LocalTensor, *axis: int) -> LocalTensor:
    """Without the given dimensions of size 1, or without all of them when none is given.

    An axis that the tensor does not have is ignored. TypeError: no tensor, axes that are no ints.
    RuntimeError: an axis of another size, or no dimension left (spec asc2 §11.1).
    """
    builder = current("squeeze").builder
    x = tensor_arg("input", input)
    axes = set(static_ints_arg("axis", axis))
    if not axes:
        axes = {position for position, dim in enumerate(x.shape) if dim == 1}
    for position in sorted(axes):
        if 0 <= position < len(x.shape) and x.shape[position] != 1:
            raise fault(
                RuntimeError,
                "bad-shape",
                f"dimension {position} of shape {list(x.shape)} cannot be squeezed, its size is "
                f"{x.shape[position]}",
            )
    return wrap(builder.reshape(x, [d for i, d in enumerate(x.shape) if i not in axes]))


def transpose(input: LocalTensor, *axes: int) -> LocalTensor:
    """The dimensions in another order; without axes the last two are swapped.

    dtypes: int8, int16, int32, float16, bfloat16, float32. Rank 2 in UB, L1, L0A, L0B; other ranks
    in UB. The identity returns the tensor itself. TypeError: no tensor, axes that are no ints.
    IndexError: rank 1 without axes. RuntimeError: axes that are no permutation, dtype (spec asc2
    §11.1).
    """
    builder = current("transpose").builder
    x = tensor_arg("input", input)
    order = static_ints_arg("axes", axes)
    if not order and len(x.shape) < 2:
        raise fault(
            IndexError,
            "bad-shape",
            f"a tensor of shape {list(x.shape)} has no two dimensions to swap",
        )
    if order == list(range(len(x.shape))):
        return input
    return wrap(builder.transpose(x, order))


def broadcast_to(input: LocalTensor, *shape: Any) -> LocalTensor:
    """The tensor repeated to a shape, given as ints or one iterable, by NumPy's rule.

    Any dtype but int1. TypeError: no tensor, dimensions that are no ints. RuntimeError: a shape
    that the tensor does not broadcast to (spec asc2 §6.8).
    """
    builder = current("broadcast_to").builder
    x = tensor_arg("input", input)
    dims = _shape_args(shape)
    return input if dims == list(x.shape) else wrap(builder.broadcast_to(x, dims))


def broadcast_shapes(*shapes: Any) -> tuple[int, ...]:
    """The shape that all given shapes broadcast to; works on the host too.

    ValueError: no shape. RuntimeError: shapes that do not broadcast. TypeError: dimensions that are
    no ints (spec asc2 §11.1).
    """
    if not shapes:
        raise wrong_value("broadcast_shapes needs at least one shape")
    given = [static_ints_arg("shapes", shape) for shape in shapes]
    result = [1] * max(len(shape) for shape in given)
    for shape in given:
        for axis, dim in enumerate(shape, len(result) - len(shape)):
            if dim != 1 and result[axis] not in (1, dim):
                listed = ", ".join(str(one) for one in given)
                raise fault(
                    RuntimeError, "bad-shape", f"the shapes {listed} do not broadcast together"
                )
            result[axis] = result[axis] if dim == 1 else dim
    return tuple(result)


def broadcast_tensors(*tensors: LocalTensor) -> tuple[LocalTensor, ...]:
    """All tensors, each broadcast to their common shape; errors as in the two operations above."""
    current("broadcast_tensors")
    if len(tensors) < 2:
        return tensors
    for tensor in tensors:
        tensor_arg("tensors", tensor)
    shape = broadcast_shapes(*(tensor.shape for tensor in tensors))
    return tuple(broadcast_to(tensor, *shape) for tensor in tensors)


def concat(*inputs: LocalTensor) -> LocalTensor:
    """The tensors one after the other along dimension 0.

    Equal dtypes (int1 excepted) and equal other dimensions. TypeError: no input, or one that is no
    tensor. RuntimeError: dtypes or shapes differ (spec asc2 §11.1).
    """
    builder = current("concat").builder
    if not inputs:
        raise wrong_type("concat needs at least one tensor")
    for position, tensor in enumerate(inputs):
        if not isinstance(tensor, LocalTensor):
            raise wrong_type(
                f"input {position} of concat must be LocalTensor, got {describe(tensor)}",
                help="Pass the tensors one by one, as in concat(a, b).",
            )
    return wrap(builder.concat([tensor.value for tensor in inputs]))
