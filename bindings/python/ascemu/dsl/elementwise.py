"""Element-wise operations on tiles (spec asc2 §6.1-6.3, §6.5, §11.1).

What it is: one function object per operation, with its signature and documentation; the list of
dtypes in the documentation is that of refops/ops.def. What it is not: meaning or type rules.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ascemu._core import op_table
from ascemu.dsl.arguments import check_type, dtype_arg, round_mode_arg, tensor_arg
from ascemu.dsl.carried import number_as
from ascemu.dsl.context import current
from ascemu.dsl.dtypes import DataType, RoundMode, float32
from ascemu.dsl.faults import wrong_type
from ascemu.dsl.local_tensor import LocalTensor, binary
from ascemu.dsl.values import (
    CarriedNumber,
    IRValue,
    PlainValue,
    as_dtype_of,
    describe,
    is_number,
    unwrap,
    wrap,
)

_ROWS = {row["name"]: row for row in op_table()}
_SCALAR_OPS = ("exp", "sqrt", "erf")


def _publish(function: Callable[..., Any], name: str, doc: str) -> Callable[..., Any]:
    function.__name__ = function.__qualname__ = name
    function.__doc__ = doc.format(
        dtypes=", ".join(_ROWS[name]["dtypes"]), clause=_ROWS[name]["clause"]
    )
    return function


def _unary_op(name: str, meaning: str) -> Any:
    takes_scalars = name in _SCALAR_OPS

    def op(input: Any) -> Any:
        builder = current(name).builder
        if takes_scalars and (isinstance(input, PlainValue) or is_number(input)):
            return wrap(builder.unary(name, _as_float(input)))
        check_type("input", input, LocalTensor, "LocalTensor")
        return wrap(builder.unary(name, input.value))

    scalars = "A number gives a float32 PlainValue. " if takes_scalars else ""
    return _publish(
        op,
        name,
        f"{meaning}, element by element; the result has the operand's dtype and shape.\n\n"
        f"    {scalars}dtypes: {{dtypes}}. TypeError: no tensor.\n"
        "    RuntimeError: another dtype, a location the operation cannot read (spec asc2\n"
        "    §{clause}).\n    ",
    )


def _as_float(x: Any) -> Any:
    return number_as(x, float32).value if isinstance(x, CarriedNumber) else unwrap(x)


def _binary_op(name: str, meaning: str, result: str = "") -> Any:
    def op(input: Any, other: Any) -> LocalTensor:
        return binary(name, input, other)

    return _publish(
        op,
        name,
        f"{meaning}, element by element with NumPy broadcasting{result}.\n\n"
        "    At least one operand is a tensor; a scalar takes its dtype, two tensors their common\n"
        "    dtype. dtypes: {dtypes}. BinaryOperandTypeError: no tensor among the operands, or\n"
        "    another class. RuntimeError: another dtype, no common dtype, shapes that do not\n"
        "    broadcast (spec asc2 §{clause}).\n    ",
    )


add = _binary_op("add", "input + other")
sub = _binary_op("sub", "input - other")
mul = _binary_op("mul", "input * other")
div = _binary_op("div", "input / other, truncated on integers")
maximum = _binary_op("maximum", "The larger of both")
minimum = _binary_op("minimum", "The smaller of both")
pow = _binary_op("pow", "input to the power of other")
bitwise_and = _binary_op("bitwise_and", "input & other")
bitwise_or = _binary_op("bitwise_or", "input | other")
bitwise_xor = _binary_op("bitwise_xor", "input ^ other")
left_shift = _binary_op("left_shift", "input << other")
right_shift = _binary_op("right_shift", "input >> other, keeping the sign")
equal = _binary_op("equal", "input == other", "; the result is an int1 mask")
not_equal = _binary_op("not_equal", "input != other", "; the result is an int1 mask")
greater = _binary_op("greater", "input > other", "; the result is an int1 mask")
greater_equal = _binary_op("greater_equal", "input >= other", "; the result is an int1 mask")
less = _binary_op("less", "input < other", "; the result is an int1 mask")
less_equal = _binary_op("less_equal", "input <= other", "; the result is an int1 mask")

abs = _unary_op("abs", "The absolute value")
ceil = _unary_op("ceil", "The smallest whole number not below")
floor = _unary_op("floor", "The largest whole number not above")
negative = _unary_op("negative", "The negated value")
relu = _unary_op("relu", "The value, or zero where it is negative")
bitwise_not = _unary_op("bitwise_not", "All bits inverted")
sqrt = _unary_op("sqrt", "The square root")
rsqrt = _unary_op("rsqrt", "One over the square root")
exp = _unary_op("exp", "e to the power of the value")
exp2 = _unary_op("exp2", "2 to the power of the value")
log = _unary_op("log", "The natural logarithm")
log2 = _unary_op("log2", "The logarithm to base 2")
sin = _unary_op("sin", "The sine")
cos = _unary_op("cos", "The cosine")
tan = _unary_op("tan", "The tangent")
sinh = _unary_op("sinh", "The hyperbolic sine")
cosh = _unary_op("cosh", "The hyperbolic cosine")
tanh = _unary_op("tanh", "The hyperbolic tangent")
erf = _unary_op("erf", "The error function")


def cast(input: Any, dtype: DataType, round_mode: RoundMode = RoundMode.Default) -> Any:
    """The values as another dtype, rounded as `round_mode` says.

    A tensor keeps its shape; one that has the dtype already is returned as it is. A scalar gives a
    PlainValue. TypeError: wrong classes. RuntimeError: a pair or round mode that the device lacks,
    or a round mode for a scalar (spec asc2 §6.5).
    """
    builder = current("cast").builder
    name = dtype_arg("dtype", dtype)
    mode = round_mode_arg("round_mode", round_mode)
    if isinstance(input, LocalTensor):
        return input if input.dtype == dtype else wrap(builder.cast(input.value, name, mode))
    if isinstance(input, CarriedNumber) and round_mode is RoundMode.Default:
        return number_as(input, dtype)
    if isinstance(input, PlainValue) or is_number(input):
        return wrap(builder.cast(unwrap(input), name, mode))
    raise wrong_type(f"'input' argument must be LocalTensor or a number, got {describe(input)}")


def where(mask: LocalTensor, src0: Any, src1: Any) -> LocalTensor:
    """src0 where the mask is true, src1 elsewhere; the result has the mask's shape.

    The mask is an int1 tensor; src0 and src1 are tensors that broadcast to its shape, or numbers,
    and have a common dtype (int16, int32, float16, bfloat16, float32; two ints int32, else
    float32). TypeError: wrong classes. RuntimeError: dtypes or shapes (spec asc2 §6.2, §11.1).
    """
    builder = current("where").builder
    condition = tensor_arg("mask", mask)
    for name, value in (("src0", src0), ("src1", src1)):
        if not isinstance(value, (LocalTensor, PlainValue)) and not is_number(value):
            raise wrong_type(
                f"'{name}' argument must be LocalTensor or a number, got {describe(value)}"
            )
    a = as_dtype_of(src1, src0) if isinstance(src1, IRValue) else src0
    b = as_dtype_of(src0, src1) if isinstance(src0, IRValue) else src1
    return wrap(builder.where(condition, unwrap(a), unwrap(b)))
