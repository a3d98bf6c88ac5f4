"""What the proofs expect of each mode and chip, written from the text of the numeric contract.

What it is: the facts of clauses N2.1, N4, N5, N8 and N9 a second time, and the settling of results
by them. What it is not: a reader of refops/target, which is what is under test.
Invariant: every target names the settings under which kernels run for it.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numerics.formats import Format

NPU_NAN = {"float16": 0x7FFF, "bfloat16": 0x7FFF, "float32": 0x7FFFFFFF}
IEEE_NAN = {"float16": 0x7E00, "bfloat16": 0x7FC0, "float32": 0x7FC00000}


@dataclass(frozen=True)
class Target:
    """A mode, and in npu a chip and its overflow mode."""

    name: str
    settings: dict[str, Any] = field(hash=False)
    nan: dict[str, int] = field(hash=False)
    npu: bool = True
    saturates: bool = False
    flushes_functions: bool = False
    flushes_div: bool = False
    nan_compares_false: bool = False
    int_tensors_compare_as_float: bool = False
    erf_ties_away: bool = False

    def settled(self, form: Format, patterns: np.ndarray) -> np.ndarray:
        """N2.1 and N4: the target's NaN, and its largest number for an infinity that saturates."""
        bits = patterns.astype(np.int64)
        half = self.saturates and form.name != "float32"
        bits = np.where(form.is_infinite(patterns) & half, bits - 1, bits)
        bits = np.where(form.is_nan(patterns), 0 if half else self.nan[form.name], bits)
        return bits.astype(form.pattern)


def flushed_operand(form: Format, patterns: np.ndarray) -> np.ndarray:
    """N5: a subnormal operand is a zero of its sign."""
    bits = patterns.astype(np.int64)
    return np.where(form.is_subnormal(patterns), bits & form.sign, bits).astype(form.pattern)


def flushed_result(form: Format, patterns: np.ndarray) -> np.ndarray:
    """N5: a subnormal result is +0."""
    return np.where(form.is_subnormal(patterns), 0, patterns).astype(form.pattern)


def _npu(name: str, platform: str, saturates: bool = False, **facts: bool) -> Target:
    settings = {"numerics": "npu", "platform": platform}
    if saturates:
        settings["overflow"] = "saturate"
    return Target(name, settings, NPU_NAN, saturates=saturates, **facts)


_A2 = {
    "flushes_div": True,
    "nan_compares_false": True,
    "int_tensors_compare_as_float": True,
    "erf_ties_away": True,
}
IEEE = Target("ieee", {"numerics": "ieee"}, IEEE_NAN, npu=False)
A2 = _npu("910B", "Ascend910B1", **_A2)
A3 = _npu("910_93", "Ascend910_9391", **_A2)
A5 = _npu("950PR", "Ascend950PR_9599", flushes_functions=True, flushes_div=True)
A2_SATURATING = _npu("910B saturating", "Ascend910B1", True, **_A2)
A3_SATURATING = _npu("910_93 saturating", "Ascend910_9391", True, **_A2)
TARGETS = (IEEE, A2, A3, A5, A2_SATURATING, A3_SATURATING)
