"""Tensors in global memory and their shapes (spec asc2 §5.6, §8)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from ascemu.dsl.faults import fault, wrong_type
from ascemu.dsl.values import IRValue, describe, wrap, wraps_kind


class RuntimeShape(Sequence[Any]):
    """The shape of a GlobalTensor: Python ints for static dimensions, int32 PlainValues for others.

    `len`, indexing (negative too; IndexError out of range), slicing and iteration as for a tuple.
    """

    __slots__ = ("_dims",)

    def __init__(self, dims: Sequence[Any]) -> None:
        self._dims = tuple(dims)

    def __len__(self) -> int:
        return len(self._dims)

    def __getitem__(self, index: Any) -> Any:
        if isinstance(index, IRValue):
            raise wrong_type(
                f"the index of a shape must be known while tracing, got {describe(index)}"
            )
        if isinstance(index, int) and not -len(self) <= index < len(self):
            raise IndexError(f"dimension {index} of a shape of rank {len(self)} does not exist")
        return self._dims[index]

    def __iter__(self) -> Iterator[Any]:
        return iter(self._dims)

    def is_static(self) -> bool:
        """Whether every dimension is known while tracing."""
        return not any(isinstance(dim, IRValue) for dim in self._dims)

    def is_dynamic_dim(self, index: int) -> bool:
        """Whether that dimension is known at run time only; IndexError out of range."""
        return isinstance(self[index], IRValue)

    def __repr__(self) -> str:
        return f"RuntimeShape({list(self._dims)!r})"


@wraps_kind("global")
class GlobalTensor(IRValue):
    """A view of a pointer argument as a row-major tensor; made by `global_tensor`."""

    __slots__ = ()

    @property
    def shape(self) -> RuntimeShape:
        """The declared shape; NotImplementedError where a runtime if or loop re-bound the tensor
        and a dimension is known at run time only."""
        dims = self.value.dims
        if None in dims:
            raise fault(
                NotImplementedError,
                "not-supported-here",
                "the shape of a global tensor with runtime dimensions is not known after a runtime "
                "if or loop re-bound it",
                help="This is a limit of ascemu; use the scalar that the dimension was made from.",
            )
        return RuntimeShape([dim if isinstance(dim, int) else wrap(dim) for dim in dims])

    @property
    def rank(self) -> int:
        """Number of dimensions."""
        return len(self.value.dims)
