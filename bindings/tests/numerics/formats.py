"""The float formats as bit patterns, and exact numbers as sign, magnitude and power of two.

What it is: integer arithmetic of numpy over arrays of patterns, written from the definition of the
formats (contract N1, N9). What it is not: a user of the code under test or of numpy's float16.
Invariant: every rounding is of an exact value and happens once.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import ml_dtypes
import numpy as np

ROUND_MODES = ("Rint", "Floor", "Ceil", "Round", "Trunc", "Odd")


@dataclass(frozen=True)
class Format:
    """A binary interchange format; `precision` counts the hidden bit."""

    name: str
    precision: int
    exponent_bits: int
    dtype: Any
    pattern: Any

    @property
    def bias(self) -> int:
        return 2 ** (self.exponent_bits - 1) - 1

    @property
    def fraction_bits(self) -> int:
        return self.precision - 1

    @property
    def infinity(self) -> int:
        return (2**self.exponent_bits - 1) << self.fraction_bits

    @property
    def sign(self) -> int:
        return 1 << (self.fraction_bits + self.exponent_bits)

    @property
    def least_exponent(self) -> int:
        """The exponent of the smallest normal number."""
        return 1 - self.bias

    def all_patterns(self) -> np.ndarray:
        """Every pattern of a 16-bit format."""
        return np.arange(2**16, dtype=np.uint32).astype(self.pattern)

    def is_nan(self, patterns: np.ndarray) -> np.ndarray:
        return (patterns.astype(np.int64) & (self.sign - 1)) > self.infinity

    def is_infinite(self, patterns: np.ndarray) -> np.ndarray:
        return (patterns.astype(np.int64) & (self.sign - 1)) == self.infinity

    def is_subnormal(self, patterns: np.ndarray) -> np.ndarray:
        magnitude = patterns.astype(np.int64) & (self.sign - 1)
        return (magnitude != 0) & (magnitude < (1 << self.fraction_bits))


FLOAT16 = Format("float16", 11, 5, np.dtype(np.float16), np.dtype(np.uint16))
BFLOAT16 = Format("bfloat16", 8, 8, np.dtype(ml_dtypes.bfloat16), np.dtype(np.uint16))
FLOAT32 = Format("float32", 24, 8, np.dtype(np.float32), np.dtype(np.uint32))
FORMATS = {form.name: form for form in (FLOAT16, BFLOAT16, FLOAT32)}


@dataclass(frozen=True)
class Exact:
    """Arrays of numbers (-1)^negative * magnitude * 2^exponent, infinities and NaN."""

    negative: np.ndarray
    magnitude: np.ndarray
    exponent: np.ndarray
    infinite: np.ndarray
    nan: np.ndarray


def exact_of_patterns(form: Format, patterns: np.ndarray) -> Exact:
    """What the patterns stand for."""
    bits = patterns.astype(np.int64)
    biased = (bits & (form.sign - 1)) >> form.fraction_bits
    fraction = bits & ((1 << form.fraction_bits) - 1)
    magnitude = np.where(biased > 0, fraction | (1 << form.fraction_bits), fraction)
    exponent = np.maximum(biased, 1) - form.bias - form.fraction_bits
    return Exact(
        (bits & form.sign) != 0,
        magnitude.astype(np.uint64),
        exponent,
        form.is_infinite(patterns),
        form.is_nan(patterns),
    )


def exact_of_integers(values: np.ndarray) -> Exact:
    """Integers of any width as exact numbers."""
    wide = values.astype(np.int64)
    unsigned = wide.view(np.uint64)
    magnitude = np.where(wide < 0, np.uint64(0) - unsigned, unsigned)
    none = np.zeros(wide.shape, bool)
    return Exact(wide < 0, magnitude, np.zeros(wide.shape, np.int64), none, none)


def doubles_of(form: Format, patterns: np.ndarray) -> np.ndarray:
    """The same numbers as float64, which holds all three formats exactly."""
    exact = exact_of_patterns(form, patterns)
    value = np.ldexp(exact.magnitude.astype(np.float64), exact.exponent.astype(np.int32))
    value = np.where(exact.infinite, np.inf, np.where(exact.nan, np.nan, value))
    return np.where(exact.negative, -value, value)


def exact_of_doubles(values: np.ndarray) -> Exact:
    """float64 numbers as exact numbers."""
    fraction, power = np.frexp(np.where(np.isfinite(values), values, 0.0))
    magnitude = np.abs(np.ldexp(fraction, 53)).astype(np.uint64)
    return Exact(
        np.signbit(values),
        magnitude,
        power.astype(np.int64) - 53,
        np.isinf(values),
        values != values,
    )


def patterns_of_doubles(form: Format, values: np.ndarray, nan: int) -> np.ndarray:
    """The patterns of float64 numbers that the format holds exactly; NaN becomes `nan`."""
    patterns, lost = _rounded(form, exact_of_doubles(values), "Rint", nan)
    assert not lost.any(), "a number that the format does not hold"
    return patterns


def rounded_to_format(form: Format, exact: Exact, mode: str, nan: int) -> np.ndarray:
    """One rounding; past the largest finite number, infinity in every mode (LANG 12.2)."""
    return _rounded(form, exact, mode, nan)[0]


def rounded_to_integer(dtype: np.dtype, exact: Exact, mode: str) -> np.ndarray:
    """One rounding to an integer, clamped to the range of `dtype`; NaN is 0 (N9.4)."""
    limits = np.iinfo(dtype)
    length = _bit_length(exact.magnitude)
    large = exact.infinite | (length + exact.exponent > 63)
    kept, _ = _shifted(exact, np.where(large, exact.exponent, 0), mode)
    bound = np.where(exact.negative, -(limits.min + 1), limits.max).astype(np.uint64)
    bound = bound + exact.negative
    kept = np.where(large | (kept > bound), bound, kept)
    value = np.where(exact.negative, np.uint64(0) - kept, kept).view(np.int64)
    return np.where(exact.nan, 0, value).astype(dtype)


def _rounded(form: Format, exact: Exact, mode: str, nan: int) -> tuple[np.ndarray, np.ndarray]:
    top = _bit_length(exact.magnitude) - 1 + exact.exponent
    quantum = np.maximum(top, form.least_exponent) - form.fraction_bits
    kept, lost = _shifted(exact, quantum, mode)
    biased = quantum + form.fraction_bits + form.bias
    capped = np.minimum(biased, 2**form.exponent_bits)
    pattern = (capped << form.fraction_bits) + kept.astype(np.int64) - (1 << form.fraction_bits)
    pattern = np.where(exact.magnitude == 0, 0, pattern)
    lost = lost & ~exact.infinite & ~exact.nan | (pattern > form.infinity) & ~exact.nan
    pattern = np.where(exact.infinite, form.infinity, np.minimum(pattern, form.infinity))
    pattern = pattern | np.where(exact.negative, form.sign, 0)
    return np.where(exact.nan, nan, pattern).astype(form.pattern), lost


def _shifted(exact: Exact, quantum: np.ndarray, mode: str) -> tuple[np.ndarray, np.ndarray]:
    """The magnitudes in units of 2^quantum, rounded; and whether that lost something."""
    shift = quantum - exact.exponent
    left = np.clip(-shift, 0, 63).astype(np.uint64)
    right = np.clip(shift, 0, 65).astype(np.uint64)
    one = np.uint64(1)
    small = np.minimum(right, np.uint64(63))
    floor = np.where(right > 63, np.uint64(0), exact.magnitude >> small)
    rest = np.where(right > 63, exact.magnitude, exact.magnitude & ((one << small) - one))
    half = np.where(right > 0, one << (np.clip(right, 1, 64) - one), one)
    half = np.where(right > 64, np.uint64(2**64 - 1), half)
    lost = (rest > 0) & (shift > 0)
    above = lost & (rest > half) & (right <= 64)
    tie = lost & (rest == half) & (right <= 64)
    odd = (floor & one) == one
    up = {
        "Rint": above | (tie & odd),
        "Round": above | tie,
        "Floor": lost & exact.negative,
        "Ceil": lost & ~exact.negative,
        "Trunc": np.zeros(lost.shape, bool),
        "Odd": lost & ~odd,
    }[mode]
    kept = np.where(shift > 0, floor + up.astype(np.uint64), exact.magnitude << left)
    return kept, lost


def _bit_length(values: np.ndarray) -> np.ndarray:
    high = (values >> np.uint64(32)).astype(np.float64)
    low = (values & np.uint64(2**32 - 1)).astype(np.float64)
    length = np.where(high > 0, np.frexp(high)[1] + 32, np.frexp(low)[1])
    return length.astype(np.int64)
