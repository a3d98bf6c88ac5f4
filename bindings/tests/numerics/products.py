"""The cube's accumulation: groups along K, one rounding a group (contract N14).

What it is: exact products in MPFR, each group's sum with the accumulator first rounded once. What
it is not: the product's code.
"""

from __future__ import annotations

import gmpy2
import numpy as np
from numerics.formats import FLOAT32, Format, doubles_of, patterns_of_doubles
from numerics.multiprecision import context_of
from numerics.targets import Target

SINGLE = {"float16": 16, "bfloat16": 16, "float32": 4}


def multiplied(
    target: Target, form: Format, a: np.ndarray, b: np.ndarray, start: np.ndarray
) -> np.ndarray:
    """float32 patterns of `start` + a @ b; a is [m, k], b [k, n], start [m, n] float32 patterns."""
    left, right = doubles_of(form, a), doubles_of(form, b)
    if not target.npu:
        total = start.view(np.float32)
        with np.errstate(all="ignore"):
            for k in range(a.shape[1]):
                product = left[:, k, None].astype(np.float32) * right[k].astype(np.float32)
                total = total + product
        return target.settled(FLOAT32, total.view(np.uint32))
    group = SINGLE[form.name]
    first = doubles_of(FLOAT32, start)
    rows = [[gmpy2.mpfr(x, 53) for x in row] for row in left.tolist()]
    columns = [[gmpy2.mpfr(x, 53) for x in column] for column in right.T.tolist()]
    result = np.zeros(first.shape)
    exact = gmpy2.context(precision=60)
    single = context_of(FLOAT32)
    for m, row in enumerate(rows):
        for n, column in enumerate(columns):
            products = [exact.mul(x, y) for x, y in zip(row, column, strict=True)]
            total = gmpy2.mpfr(float(first[m, n]), 53)
            with single:
                for k in range(0, len(products), group):
                    total = gmpy2.fsum([total, *products[k : k + group]])
            result[m, n] = float(total)
    return target.settled(FLOAT32, patterns_of_doubles(FLOAT32, result, 0x7FC00000))
