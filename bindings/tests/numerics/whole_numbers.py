"""Integer operations over Python's unbounded integers, and comparisons (contract N8, N10)."""

from __future__ import annotations

import operator
from collections.abc import Callable

import numpy as np
from numerics.formats import (
    FLOAT16,
    FLOAT32,
    FORMATS,
    doubles_of,
    exact_of_integers,
    rounded_to_format,
)
from numerics.targets import Target

RELATIONS = {
    "equal": operator.eq,
    "not_equal": operator.ne,
    "greater": operator.gt,
    "greater_equal": operator.ge,
    "less": operator.lt,
    "less_equal": operator.le,
}


def divided(a: int, b: int, width: int) -> int:
    """Toward zero; by zero it is 0."""
    quotient = abs(a) // abs(b) if b else 0
    return -quotient if (a < 0) != (b < 0) else quotient


def power(a: int, b: int, width: int) -> int:
    """Wrapping; a negative exponent gives 0 but for the bases 1 and -1."""
    if b >= 0:
        return pow(a, b, 2**width)
    return 0 if a not in (1, -1) else a if b % 2 else 1


def shifted_left(a: int, b: int, width: int) -> int:
    return a << b if 0 <= b < width else 0


def shifted_right(a: int, b: int, width: int) -> int:
    return a >> (b if 0 <= b < width else width)


BINARY: dict[str, Callable[[int, int, int], int]] = {
    "add": lambda a, b, width: a + b,
    "sub": lambda a, b, width: a - b,
    "mul": lambda a, b, width: a * b,
    "div": divided,
    "maximum": lambda a, b, width: max(a, b),
    "minimum": lambda a, b, width: min(a, b),
    "pow": power,
    "bitwise_and": lambda a, b, width: a & b,
    "bitwise_or": lambda a, b, width: a | b,
    "bitwise_xor": lambda a, b, width: a ^ b,
    "left_shift": shifted_left,
    "right_shift": shifted_right,
}
UNARY: dict[str, Callable[[int, int], int]] = {
    "abs": lambda a, width: abs(a),
    "negative": lambda a, width: -a,
    "bitwise_not": lambda a, width: ~a,
}


def wrapped(values: list[int], dtype: np.dtype) -> np.ndarray:
    """The low bits, as two's complement."""
    width = dtype.itemsize * 8
    unsigned = np.array([value % 2**width for value in values], np.uint64)
    return unsigned.astype(f"uint{width}").view(dtype)


def compared(
    target: Target, relation: str, dtype: str, a: np.ndarray, b: np.ndarray, through_float: bool
) -> np.ndarray:
    """Whether `relation` holds (N8): ordered numbers, and what the target does with a NaN."""
    nan = np.zeros(a.shape, bool)
    if dtype in FORMATS:
        form = FORMATS[dtype]
        nan = form.is_nan(a) | form.is_nan(b)
        a, b = doubles_of(form, a), doubles_of(form, b)
    elif through_float:
        form = FLOAT32 if dtype == "int32" else FLOAT16
        a, b = (
            doubles_of(form, rounded_to_format(form, exact_of_integers(x), "Rint", 0))
            for x in (a, b)
        )
    found = RELATIONS[relation](a, b)
    is_true = relation == "not_equal" and not target.nan_compares_false
    return np.where(nan, is_true, found)
