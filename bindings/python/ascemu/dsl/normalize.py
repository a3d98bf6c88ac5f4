"""softmax, rms_norm and layer_norm (spec asc2 §6.4, §11.1)."""

from __future__ import annotations

from typing import Any

from ascemu.dsl.arguments import bool_arg, tensor_arg
from ascemu.dsl.context import current
from ascemu.dsl.faults import wrong_type
from ascemu.dsl.local_tensor import LocalTensor
from ascemu.dsl.values import CarriedNumber, PlainValue, describe, unwrap, wrap


def _epsilon_arg(value: Any) -> Any:
    plain = unwrap(value)
    if isinstance(plain, float):
        return plain
    is_float = value.dtype.is_float() if isinstance(value, PlainValue) else False
    if is_float or isinstance(value, CarriedNumber) and value.python_type is float:
        return plain
    raise wrong_type(f"'epsilon' argument must be float, got {describe(value)}")


def softmax(input: LocalTensor) -> LocalTensor:
    """exp(x - max) / sum over the last dimension.

    Rank 1 or 2, float16 or float32; the result has the operand's dtype and shape. TypeError: no
    tensor. RuntimeError: rank, dtype (spec asc2 §6.4).
    """
    return wrap(current("softmax").builder.softmax(tensor_arg("input", input)))


def rms_norm(input: LocalTensor, gamma: LocalTensor, epsilon: Any) -> LocalTensor:
    """x / sqrt(mean(x²) + epsilon) * gamma over the last dimension.

    float16 or float32; epsilon is a float, taken in the operand's dtype. TypeError: no tensor, an
    epsilon that is no float. RuntimeError: dtype, shapes (spec asc2 §6.4).
    """
    builder = current("rms_norm").builder
    x, scale = tensor_arg("input", input), tensor_arg("gamma", gamma)
    return wrap(builder.rms_norm(x, scale, _epsilon_arg(epsilon)))


def layer_norm(
    input: LocalTensor,
    gamma: LocalTensor,
    beta: LocalTensor,
    epsilon: Any,
    output_rstd: bool = True,
) -> tuple[LocalTensor, LocalTensor, LocalTensor]:
    """(x - mean) / sqrt(var + epsilon) * gamma + beta over the last dimension: (out, mean, spread).

    float16, bfloat16 or float32 in rank 1 or 2; mean and spread are float32 of shape [rows]. spread
    is 1 / sqrt(var + epsilon), or the biased variance when output_rstd is False. TypeError: no
    tensor, an epsilon that is no float, output_rstd no bool. RuntimeError: dtype, shapes (spec asc2
    §6.4).
    """
    builder = current("layer_norm").builder
    x, scale, shift = (
        tensor_arg("input", input),
        tensor_arg("gamma", gamma),
        tensor_arg("beta", beta),
    )
    want_rstd = bool_arg("output_rstd", output_rstd)
    out, mean, spread = builder.layer_norm(x, scale, shift, _epsilon_arg(epsilon), want_rstd)
    return wrap(out), wrap(mean), wrap(spread)
