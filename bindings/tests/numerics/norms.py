"""softmax, rms_norm and layer_norm as the listed steps of clause N13.

What it is: float32 arrays of numpy, one rounding a step, row sums in the order of numerics.sums,
exp and log by MPFR. What it is not: the product's code.
"""

from __future__ import annotations

import numpy as np
from numerics.compositions import Steps, narrowed, widened
from numerics.formats import FLOAT32, Format, patterns_of_doubles
from numerics.sums import Element, row_sum
from numerics.targets import Target

QUIET = 0x7FC00000


class Rows:
    """float32 rows under a target."""

    def __init__(self, target: Target) -> None:
        self.target = target
        self.step = Steps(target)
        self._node = Element(target, FLOAT32).add

    def sum(self, v: np.ndarray) -> np.ndarray:
        total = row_sum(self.target, self._node, v.astype(np.float64))
        return total.astype(np.float32)[:, None]


def one(x: np.ndarray) -> np.ndarray:
    return np.ones(x.shape, np.float32)


def softmax(target: Target, form: Format, x: np.ndarray) -> np.ndarray:
    """N13.1, settled patterns."""
    rows, v = Rows(target), widened(form, x)
    with np.errstate(all="ignore"):
        top = np.where(np.isnan(v).any(-1), np.float32(np.nan), v.max(-1))[:, None]
        e = rows.step.exp(v - top)
        return finished(target, form, rows.step.div(e, np.broadcast_to(rows.sum(e), e.shape)))


def rms_norm(
    target: Target, form: Format, x: np.ndarray, gamma: np.ndarray, epsilon: float
) -> np.ndarray:
    """N13.2, settled patterns; `epsilon` is a number of the dtype already."""
    rows, v, g = Rows(target), widened(form, x), widened(form, gamma)
    count, step = np.float32(x.shape[-1]), rows.step
    with np.errstate(all="ignore"):
        if target.npu:
            q = rows.sum(v * v) * (np.float32(1) / count)
            scale = step.exp(step.log(q + np.float32(epsilon)) * np.float32(-0.5))
        else:
            root = np.sqrt(rows.sum(v * v) / count + np.float32(epsilon))
            scale = one(root) / root
        return finished(target, form, v * scale * g)


def layer_norm(
    target: Target,
    form: Format,
    x: np.ndarray,
    gamma: np.ndarray,
    beta: np.ndarray,
    epsilon: float,
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """N13.3: settled patterns of the result, and of the mean and 1/sqrt(var + eps) in float32."""
    rows, v = Rows(target), widened(form, x)
    g, b = widened(form, gamma), widened(form, beta)
    count, step = np.float32(x.shape[-1]), rows.step
    share = np.float32(1) / count
    with np.errstate(all="ignore"):
        mean = rows.sum(v * share) if target.npu else rows.sum(v) / count
        d = v - mean
        var = rows.sum((d * d) * share) if target.npu else rows.sum(d * d) / count
        root = step.sqrt(var + np.float32(epsilon))
        rstd = step.div(one(root), root)
        result = ((d * rstd) * g) + b
    settled = [finished(target, FLOAT32, part).ravel() for part in (mean, rstd)]
    return finished(target, form, result), settled[0], settled[1]


def finished(target: Target, form: Format, x: np.ndarray) -> np.ndarray:
    if form is FLOAT32:
        patterns = patterns_of_doubles(FLOAT32, x.astype(np.float64), QUIET)
    else:
        patterns = narrowed(form, x, "Rint")
    return target.settled(form, patterns)
