"""Comparison of kernel outputs with references, shared by the examples.

What it is: plain NumPy; every example returns an `Outcome` from `example()`.
What it is not: a part of ascemu. It runs on the real stack as it does here.
Invariant: floating-point outputs are judged against float64, integers exactly unless a
tolerance is given.
"""

from collections.abc import Callable
from typing import NamedTuple

import numpy as np
from asc.runtime import config

TOLERANCES = {
    "float32": (1.3e-6, 1e-5),
    "float16": (1e-3, 1e-5),
    "bfloat16": (1.6e-2, 1e-5),
}


class Check(NamedTuple):
    """One output array held against its reference."""

    actual: np.ndarray
    max_error: float
    ok: bool
    verdict: str


class Outcome(NamedTuple):
    """What one representative launch of an example did."""

    name: str
    blocks: int
    elements: int
    checks: int
    max_error: float
    ok: bool
    verdict: str
    outputs: tuple[np.ndarray, ...]

    def line(self) -> str:
        state = "ok" if self.ok else "FAILED: " + self.verdict
        return (
            f"{self.name}: {self.blocks} blocks, {self.elements} elements, "
            f"{self.checks} checks, max error {self.max_error:.3g}, {state}"
        )


def to_float64(array) -> np.ndarray:
    """A float64 copy of any array, bfloat16 included."""
    return np.asarray(array).astype(np.float64)


def check(actual, reference, rtol: float | None = None, atol: float | None = None) -> Check:
    """Compare `actual` with `reference`; tolerances default to the dtype's row of TOLERANCES."""
    actual = np.asarray(actual)
    reference = np.asarray(reference)
    if actual.shape != reference.shape:
        return Check(actual, np.inf, False, f"shape {actual.shape}, expected {reference.shape}")
    default_rtol, default_atol = TOLERANCES.get(str(actual.dtype), (0.0, 0.0))
    rtol = default_rtol if rtol is None else rtol
    atol = default_atol if atol is None else atol
    got, want = to_float64(actual), to_float64(reference)
    same = (got == want) | (np.isnan(got) & np.isnan(want))
    with np.errstate(invalid="ignore"):
        error = np.where(same, 0.0, np.abs(got - want))
    wrong = ~same & ~(error <= atol + rtol * np.abs(want))
    max_error = float(np.max(np.nan_to_num(error, nan=np.inf), initial=0.0))
    if not wrong.any():
        return Check(actual, max_error, True, "")
    first = np.unravel_index(int(np.argmax(wrong)), wrong.shape)
    verdict = (
        f"{int(wrong.sum())} of {wrong.size} elements differ, first at "
        f"{tuple(int(i) for i in first)}: got {got[first]:g}, expected {want[first]:g} "
        f"(rtol {rtol:g}, atol {atol:g})"
    )
    return Check(actual, max_error, False, verdict)


def assert_close(actual, reference, rtol: float | None = None, atol: float | None = None):
    """`check` as an assertion, for the tests."""
    result = check(actual, reference, rtol, atol)
    assert result.ok, result.verdict


def outcome(name: str, blocks: int, *checks: Check) -> Outcome:
    """Sum the checks of one launch up."""
    return Outcome(
        name=name,
        blocks=blocks,
        elements=sum(c.actual.size for c in checks),
        checks=len(checks),
        max_error=max(c.max_error for c in checks),
        ok=all(c.ok for c in checks),
        verdict="; ".join(c.verdict for c in checks if not c.ok),
        outputs=tuple(c.actual for c in checks),
    )


def main(example: Callable[[], Outcome]) -> int:
    """What `python example.py` does: one launch on the simulator backend, one line, exit status."""
    config.set_platform(config.Backend.Model, config.Platform.Ascend950PR_9599, check=False)
    result = example()
    print(result.line())
    return 0 if result.ok else 1
