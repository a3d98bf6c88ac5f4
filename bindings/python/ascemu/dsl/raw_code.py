"""Raw C++ in kernels: named by the language, refused here (refops/unsupported.def)."""

from __future__ import annotations

from typing import Any, NoReturn

from ascemu._core import unsupported_table
from ascemu.dsl.arguments import check_type
from ascemu.dsl.context import current
from ascemu.dsl.dtypes import DataType
from ascemu.dsl.faults import fault, wrong_type
from ascemu.dsl.local_tensor import LocalTensor
from ascemu.dsl.values import describe


def _refuse(name: str) -> NoReturn:
    reason = unsupported_table()[name]
    raise fault(NotImplementedError, "raw-code", f"{name} is not supported: {reason}")


def inline(code: str, args: Any = None, before_function: bool = False) -> NoReturn:
    """Paste C++ into the device program: NotImplementedError here (spec asc2 §8)."""
    current("inline")
    check_type("code", code, str, "str")
    _refuse("inline")


def inline_vf(code: str, shape: Any, dtype: DataType, inputs: Any = None) -> NoReturn:
    """Paste C++ vector code into the device program: NotImplementedError here (spec asc2 §8).

    TypeError: code no str, dtype no DataType, an input that is no tensor.
    """
    current("inline_vf")
    check_type("code", code, str, "str")
    check_type("dtype", dtype, DataType, "DataType")
    for position, tensor in enumerate(inputs or ()):
        if not isinstance(tensor, LocalTensor):
            raise wrong_type(f"'inputs[{position}]' must be LocalTensor, got {describe(tensor)}")
    _refuse("inline_vf")
