"""Classification and marshalling of launch arguments (spec asc2 §1.3, 1.4).

What it is: what a Python value becomes in the kernel, and how its bytes reach the core in place.
What it is not: binding to a signature, or compile-time constants (jit.py).
Invariant: an array is used in place where it is C-contiguous; otherwise a copy is used and its
content is written back after the launch.
"""

from __future__ import annotations

import operator
import sys
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import numpy as np

from ascemu import _core
from ascemu.dsl.struct import Struct
from ascemu.frontend.tracer import RuntimeParameter
from ascemu.launch.mock import MockTensor, MockValue
from ascemu.launch.refusal import overlapping

DTYPE_NAMES = frozenset(row["name"] for row in _core.dtype_table())
_LEAST_INT, _GREATEST_INT = -(2**31), 2**31 - 1
_SCALAR_KINDS = {
    bool: ("scalar", "int8"),
    int: ("scalar", "int32"),
    float: ("scalar", "float32"),
}
_numpy_names: dict[np.dtype[Any], str] = {}


def describe(name: str, value: Any) -> RuntimeParameter:
    """The runtime parameter that `value` makes of the parameter `name`.

    TypeError for a type or dtype that cannot be passed.
    """
    key = kind_of(value)
    if key is None:
        raise unsupported(name, value)
    kind, dtype = key
    if kind == "struct":
        return RuntimeParameter(name, kind, struct=dtype)
    if dtype not in DTYPE_NAMES:
        raise TypeError(f"argument '{name}': '{dtype}' is not a data type of the kernel language")
    return RuntimeParameter(name, kind, dtype)


def kind_of(value: Any) -> tuple[str, Any] | None:
    """Kind and dtype name (the class, of a struct) of a value; None where it has neither.

    The order of the tests is that of the spec: numpy's float64 is a Python float.
    """
    known = _SCALAR_KINDS.get(type(value))
    if known is not None:
        return known
    if isinstance(value, int):
        return "scalar", "int32"
    if isinstance(value, float):
        return "scalar", "float32"
    if isinstance(value, np.ndarray):
        return "array", numpy_dtype_name(value.dtype)
    if isinstance(value, np.generic):
        return "scalar", numpy_dtype_name(value.dtype)
    if isinstance(value, Struct):
        return "struct", type(value)
    torch = sys.modules.get("torch")
    if torch is not None and isinstance(value, torch.Tensor):
        dtype = str(value.dtype).removeprefix("torch.")
        return ("scalar" if value.dim() == 0 else "array"), dtype
    if isinstance(value, MockTensor):
        return "array", value.dtype
    if isinstance(value, MockValue):
        return "scalar", value.dtype
    return None


def numpy_dtype_name(dtype: np.dtype[Any]) -> str:
    name = _numpy_names.get(dtype)
    if name is None:
        name = _numpy_names[dtype] = str(dtype)
    return name


def unsupported(name: str, value: Any) -> TypeError:
    return TypeError(
        f"Argument type in JIT function is not supported: {type(value)} (argument '{name}'); "
        "pass it as asc.ConstExpr(...) or annotate the parameter with it"
    )


class Extent(NamedTuple):
    """The bytes of one array argument; `layout` is None for an array used in place."""

    low: int
    high: int
    name: str
    array: Any
    layout: Any


class Marshalled:
    """The arguments of one launch as the core takes them."""

    __slots__ = ("values", "is_mock", "_extents", "_write_backs", "_copies")

    def __init__(self) -> None:
        self.values: list[Any] = []
        self.is_mock = False
        self._extents: list[Extent] = []
        self._write_backs: list[Callable[[], object]] = []
        self._copies: dict[Any, tuple[Any, tuple[int, int, bool]]] = {}

    def add(self, name: str, value: Any) -> None:
        """Append one argument.

        OverflowError for an int outside int32, RuntimeError for an array without elements,
        TypeError for a tensor that is not in the CPU's memory.
        """
        if isinstance(value, np.ndarray):
            self._add_numpy(name, value)
        elif isinstance(value, (bool, float)):
            self.values.append(value)
        elif isinstance(value, int):
            if not _LEAST_INT <= value <= _GREATEST_INT:
                raise OverflowError(
                    f"argument '{name}': the int {value} is outside int32; pass "
                    "numpy.int64(...) for a 64-bit scalar"
                )
            self.values.append(int(value))
        elif isinstance(value, np.generic):
            self.values.append(_number(value))
        elif isinstance(value, Struct):
            self.values.extend(value.values().values())
        elif isinstance(value, (MockTensor, MockValue)):
            self.is_mock = True
            self.values.append(0)
        else:
            self._add_torch(name, value)

    def check_overlaps(self) -> None:
        """ValueError where two arguments overlap without being the same array (spec §12.9)."""
        if len(self._extents) < 2:
            return
        extents = sorted(self._extents, key=_bounds)
        reach = 0
        for extent in extents:
            if extent[0] < reach:
                _judge_overlaps(extents)
                return
            reach = extent[1]

    def write_back(self) -> None:
        """After the launch: copy what was computed in copies into the arrays themselves."""
        for write in self._write_backs:
            write()

    def _add_numpy(self, name: str, array: np.ndarray[Any, Any]) -> None:
        count = array.size
        if count == 0:
            raise _empty(name)
        flags = array.flags
        if flags.c_contiguous and flags.aligned:
            address = _core.array_address(array)
            self.values.append((address, count, flags.writeable))
            self._extents.append(Extent(address, address + array.nbytes, name, array, None))
            return
        layout = (_core.array_address(array), array.shape, array.strides, array.dtype)
        self._extents.append(Extent(*_byte_bounds(array), name, array, layout))
        if layout not in self._copies:
            copy = np.array(array, order="C", copy=True)
            writable = bool(flags.writeable)
            self._copies[layout] = copy, (copy.ctypes.data, count, writable)
            if writable:
                self._write_backs.append(lambda: np.copyto(array, copy))
        self.values.append(self._copies[layout][1])

    def _add_torch(self, name: str, tensor: Any) -> None:
        if tensor.device.type != "cpu":
            raise TypeError(
                f"argument '{name}': a tensor on device '{tensor.device}' cannot be used; kernels "
                "run on the CPU, pass tensor.cpu()"
            )
        if tensor.dim() == 0:
            self.values.append(tensor.item())
            return
        count = tensor.numel()
        if count == 0:
            raise _empty(name)
        tensor = tensor.detach()
        address, strides = tensor.data_ptr(), tensor.stride()
        sizes = zip(tensor.shape, strides, strict=True)
        reach = 1 + sum((size - 1) * stride for size, stride in sizes)
        high = address + reach * tensor.element_size()
        if tensor.is_contiguous():
            self.values.append((address, count, True))
            self._extents.append(Extent(address, high, name, None, None))
            return
        layout = (address, tuple(tensor.shape), strides, tensor.dtype)
        self._extents.append(Extent(address, high, name, None, layout))
        if layout not in self._copies:
            copy = tensor.contiguous()
            self._copies[layout] = copy, (copy.data_ptr(), count, True)
            self._write_backs.append(lambda: tensor.copy_(copy))
        self.values.append(self._copies[layout][1])


_bounds = operator.itemgetter(0, 1)


def _byte_bounds(array: np.ndarray[Any, Any]) -> tuple[int, int]:
    newer = getattr(np.lib, "array_utils", None)
    low, high = (newer or np).byte_bounds(array)  # type: ignore[attr-defined]
    return int(low), int(high)


def _judge_overlaps(extents: Sequence[Extent]) -> None:
    for index, first in enumerate(extents):
        for second in extents[index + 1 :]:
            if second.low >= first.high:
                break
            is_same = first[:2] == second[:2] and first.layout == second.layout
            if not is_same and _share(first, second):
                raise overlapping(first.name, second.name)


def _number(value: np.generic) -> int | float:
    """The exact Python number of a numpy scalar."""
    if np.issubdtype(value.dtype, np.integer):
        return int(value)
    return float(value)


def _share(first: Extent, second: Extent) -> bool:
    """Whether two overlapping extents really share an element; in doubt they do."""
    if first.array is None or second.array is None:
        return True
    try:
        return bool(np.shares_memory(first.array, second.array, max_work=10_000))
    except RuntimeError:  # numpy's TooHardError
        return True


def _empty(name: str) -> RuntimeError:
    return RuntimeError(
        f"argument '{name}' has no elements; the size of a device allocation must be > 0"
    )
