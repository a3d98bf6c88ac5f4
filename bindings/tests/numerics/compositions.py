"""The functions of the mode npu, step by step as clause N11 lists them.

What it is: float32 arrays of numpy for the steps that are one addition, multiplication, division or
root, each rounded once; MPFR for exp and log. What it is not: the product's code, nor numpy's
float16 arithmetic. Invariant: no step is fused; a flush happens only at the steps that N5 names.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numerics.formats import (
    FLOAT32,
    Format,
    exact_of_patterns,
    rounded_to_format,
)
from numerics.multiprecision import correctly_rounded
from numerics.targets import Target, flushed_operand, flushed_result

Floats = np.ndarray
LN2 = 0.6931471805599453
PI_TERMS = (
    3.140625,
    0.0009670257568359375,
    6.2771141529083251953125e-7,
    1.21644916362129151821e-10,
)


def c(number: float) -> np.float32:
    """A constant, rounded to float32."""
    return np.float32(number)


class Steps:
    """The steps that flush on some chips, in float32."""

    def __init__(self, target: Target) -> None:
        self._target = target

    def exp(self, x: Floats) -> Floats:
        return self._function("exp", x)

    def log(self, x: Floats) -> Floats:
        return self._function("log", x)

    def sqrt(self, x: Floats) -> Floats:
        return self._function("sqrt", x)

    def div(self, x: Floats, y: Floats) -> Floats:
        if not self._target.flushes_div:
            return x / y
        x, y = (
            flushed_operand(FLOAT32, _bits(v)).view(np.float32) for v in np.broadcast_arrays(x, y)
        )
        return flushed_result(FLOAT32, _bits(x / y)).view(np.float32)

    def _function(self, name: str, x: Floats) -> Floats:
        return primitive(self._target, FLOAT32, name, _bits(x)).view(np.float32)


def primitive(target: Target, form: Format, name: str, *operands: np.ndarray) -> np.ndarray:
    """N6: exp, log, sqrt or div, correctly rounded between the flushes of N5."""
    flushes = target.flushes_div if name == "div" else target.flushes_functions
    if flushes:
        operands = tuple(flushed_operand(form, x) for x in operands)
    result = correctly_rounded(form, name, *operands)
    return flushed_result(form, result) if flushes else result


def composed(target: Target, form: Format, name: str, x: np.ndarray) -> np.ndarray:
    """The patterns of function `name` of the patterns `x`, settled."""
    with np.errstate(all="ignore"):
        return target.settled(form, _composed(target, form, name, x))


def _composed(target: Target, form: Format, name: str, x: np.ndarray) -> np.ndarray:
    if name in ("exp", "log", "sqrt"):
        return primitive(target, form, name, x)
    if name == "rsqrt":
        one = np.full(x.shape, form.bias << form.fraction_bits, form.pattern)
        root = target.settled(form, primitive(target, form, "sqrt", x))
        return primitive(target, form, "div", one, root)
    if name == "exp2":
        factor = rounded_to_format(form, exact_of_patterns(FLOAT32, _bits(c(LN2))), "Rint", 0)
        product = correctly_rounded(form, "mul", x, np.broadcast_to(factor, x.shape))
        return primitive(target, form, "exp", target.settled(form, product))
    result = COMPOSED[name](Steps(target), widened(form, x))
    ties_away = name == "erf" and target.erf_ties_away
    return narrowed(form, result, "Round" if ties_away else "Rint")


def composed_power(target: Target, form: Format, x: np.ndarray, y: np.ndarray) -> np.ndarray:
    """pow (N11.11), settled: C's special values, else exp(y * log(abs(x))) with the sign."""
    step, wide_x, wide_y = Steps(target), widened(form, x), widened(form, y)
    with np.errstate(all="ignore"):
        whole = np.trunc(wide_y) == wide_y
        odd = whole & (np.fmod(wide_y, c(2)) != 0)
        power = step.exp(wide_y * step.log(np.abs(wide_x)))
        power = np.where((wide_x < 0) & odd, -power, power)
        power = np.where((wide_x < 0) & ~whole, c(np.nan), power)
        result = narrowed(form, power, "Rint")
    plain = np.isfinite(wide_x) & np.isfinite(wide_y) & (wide_x != 0) & (wide_y != 0)
    result[~plain] = correctly_rounded(form, "pow", x[~plain], y[~plain])
    return target.settled(form, result)


def _bits(x: Floats) -> np.ndarray:
    return np.ascontiguousarray(x, np.float32).view(np.uint32)


def widened(form: Format, x: np.ndarray) -> Floats:
    patterns = rounded_to_format(FLOAT32, exact_of_patterns(form, x), "Rint", 0x7FC00000)
    return patterns.view(np.float32)


def narrowed(form: Format, x: Floats, mode: str) -> np.ndarray:
    exact = exact_of_patterns(FLOAT32, _bits(x))
    return rounded_to_format(form, exact, mode, form.infinity + 1)


def _horner(s: Floats, coefficients: tuple[float, ...]) -> Floats:
    """((c0 s + c1) s + c2) ..., each multiplication and addition rounded."""
    value = c(coefficients[0]) * s + c(coefficients[1])
    for coefficient in coefficients[2:]:
        value = value * s + c(coefficient)
    return value


def _log2(step: Steps, x: Floats) -> Floats:
    return step.log(x) * c(1.4426950408889634)


def _tanh(step: Steps, x: Floats) -> Floats:
    e = step.exp(c(2) * _clipped(x, c(8.8)))
    return step.div(e - c(1), e + c(1))


def _clipped(x: Floats, bound: np.float32) -> Floats:
    """min(max(x, -bound), bound); NaN stays (N7)."""
    return np.where(x != x, x, np.where(x > bound, bound, np.where(x < -bound, -bound, x)))


def _erf(step: Steps, x: Floats) -> Floats:
    t = _clipped(x, c(3.92))
    s = t * t
    above = (0.053443748819, 7.5517016694, 101.62808918, 1393.8061484, 5063.7915060, 29639.384698)
    below = (1.0, 31.212858877, 398.56963806, 3023.1248150, 13243.365831, 26267.224157)
    return step.div(_horner(s, above) * t, _horner(s, below))


def _polynomial(k: Floats, r: Floats) -> Floats:
    """The sign and the odd polynomial that sin and cos share."""
    sign = (np.floor(k * c(0.5)) * c(4) + k * c(-2)) + c(1)
    s = r * r
    p = _horner(s, (2.604926501e-6, -0.0001980894471, 0.008333049340, -0.1666665792, 1.0))
    return (p * r) * sign


def _reduced(k: Floats, x: Floats) -> Floats:
    r = x
    for term in PI_TERMS:
        r = r - k * c(term)
    return r


def _sin(step: Steps, x: Floats) -> Floats:
    k = np.rint(x * c(0.31830987334))
    return _polynomial(k, _reduced(k, x))


def _cos(step: Steps, x: Floats) -> Floats:
    k = np.rint(x * c(0.31830987334) + c(0.5))
    r = (x - k * c(PI_TERMS[0])) - k * c(PI_TERMS[1])
    r = r + c(1.57079637050628662)
    r = (r - k * c(PI_TERMS[2])) - k * c(PI_TERMS[3])
    r = r - k * c(-1.0290623200529979e-13)
    r = r + c(-4.371139000189375e-8)
    return _clipped(_polynomial(k, r), c(1))


def _tan(step: Steps, x: Floats) -> Floats:
    r = _reduced(np.rint(x * c(0.31830987334)), x)
    s = r * r
    above = _horner(s, (0.0698520831551998762793, -6.8711573651634203789, 61.20362572811089435388))
    below = (s - c(24.8048928861126769186219)) * (r + c(1.5707963267948966))
    return step.div(above * r, below * (r - c(1.5707963267948966)))


def _sinh(step: Steps, x: Floats) -> Floats:
    return step.exp(x - c(LN2)) - step.exp(-x - c(LN2))


def _cosh(step: Steps, x: Floats) -> Floats:
    y = step.exp(x - c(LN2))
    return y + step.div(c(0.25), y)


COMPOSED: dict[str, Callable[[Steps, Floats], Floats]] = {
    "log2": _log2,
    "tanh": _tanh,
    "erf": _erf,
    "sin": _sin,
    "cos": _cos,
    "tan": _tan,
    "sinh": _sinh,
    "cosh": _cosh,
}
