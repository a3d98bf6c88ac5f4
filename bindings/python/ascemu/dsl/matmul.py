"""Matrix products on the cube (spec asc2 §6.6, §11.1)."""

from __future__ import annotations

from typing import Any

from ascemu._core import Value
from ascemu.dsl.arguments import bool_arg, dtype_arg, static_ints_arg, tensor_arg
from ascemu.dsl.context import current
from ascemu.dsl.dtypes import DataType
from ascemu.dsl.faults import fault
from ascemu.dsl.local_tensor import LocalTensor
from ascemu.dsl.values import IRValue, describe, wrap
from ascemu.errors import BinaryOperandTypeError


def _operand(op: str, name: str, value: Any) -> Value:
    if not isinstance(value, LocalTensor):
        raise fault(
            BinaryOperandTypeError,
            "bad-argument-type",
            f"'{name}' operand of {op} must be LocalTensor, got {describe(value)}",
        )
    return value.value


def matmul(
    input: LocalTensor, other: LocalTensor, bias: LocalTensor | None = None, *, hf32: bool = False
) -> LocalTensor:
    """input @ other (+ bias): [M, K] by [K, N] gives float32 [M, N] in L0C.

    Both operands have one dtype (float16, bfloat16, float32); bias has rank 1 and N elements. hf32
    rounds float32 operands to HF32 first. BinaryOperandTypeError: no tensor. TypeError: hf32 no
    bool, bias no tensor. RuntimeError: dtype, rank, K differs, hf32 without float32 (spec asc2
    §6.6).
    """
    builder = current("matmul").builder
    a, b = _operand("matmul", "input", input), _operand("matmul", "other", other)
    rounded = bool_arg("hf32", hf32)
    added = None if bias is None else tensor_arg("bias", bias)
    return wrap(builder.matmul(a, b, added, rounded))


def zeros_acc(shape: Any, dtype: DataType, *, bias: LocalTensor | None = None) -> LocalTensor:
    """A float32 accumulator [M, N] in L0C for matmul_acc, starting from zero or from the bias.

    TypeError: wrong classes. RuntimeError: another dtype than float32, an empty shape, a dimension
    below 1, a bias that does not fit. IndexError: a shape of rank 1 (spec asc2 §11.1).
    """
    builder = current("zeros_acc").builder
    name = dtype_arg("dtype", dtype)
    if name != "float32":
        raise fault(
            RuntimeError,
            "bad-dtype",
            f"'dtype' of zeros_acc must be float32, got {name}",
            help="Cast the result of the accumulation instead.",
        )
    if hasattr(shape, "__getitem__") and hasattr(shape, "__len__") and len(shape) == 1:
        raise fault(
            IndexError, "bad-shape", f"an accumulator has two dimensions, got shape {list(shape)}"
        )
    dims = static_ints_arg("shape", shape)
    added = None if bias is None else tensor_arg("bias", bias)
    result = wrap(builder.zeros_acc(dims, name, added))
    result.is_accumulator = True
    return result


def matmul_acc(
    acc: LocalTensor, input: LocalTensor, other: LocalTensor, *, hf32: bool = False
) -> None:
    """acc += input @ other, in place; `acc` is the very tensor that zeros_acc returned.

    Operands and their errors as in `matmul`; RuntimeError for another accumulator. Returns None
    (spec asc2 §6.6).
    """
    builder = current("matmul_acc").builder
    total = _operand("matmul_acc", "acc", acc)
    a, b = _operand("matmul_acc", "input", input), _operand("matmul_acc", "other", other)
    builder.matmul_acc(total, a, b, bool_arg("hf32", hf32))


def is_accumulator(x: Any) -> bool:
    """Whether `x` is the result of zeros_acc."""
    return isinstance(x, IRValue) and getattr(x, "is_accumulator", False)
