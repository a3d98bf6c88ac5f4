"""Operands for the proofs: boundary patterns crossed with each other, and weighted random ones.

What it is: arrays of bit patterns, the same in every run. Invariant: at least COUNT vectors a set,
NaNs of every kind (quiet, signalling, both signs, payloads) among them.
"""

from __future__ import annotations

import zlib

import numpy as np
from numerics.formats import Format

COUNT = 40_000
RANDOM = 40_000


def generator(*key: object) -> np.random.Generator:
    """A generator seeded by what the vectors are for."""
    return np.random.default_rng(zlib.crc32(" ".join(map(str, key)).encode()))


def boundary(form: Format) -> np.ndarray:
    """Patterns at the edges of the format, both signs."""
    fraction, infinity = form.fraction_bits, form.infinity
    one = form.bias << fraction
    least_normal = 1 << fraction
    magnitudes = {0, 1, 2, 3, least_normal // 2, least_normal - 2, least_normal - 1}
    magnitudes |= {least_normal, least_normal + 1, 2 * least_normal - 1, 2 * least_normal}
    magnitudes |= {one - 2, one - 1, one, one + 1, one + 2, one + least_normal // 2}
    magnitudes |= {one + least_normal, one + least_normal * 3 // 2, one - least_normal}
    magnitudes |= {infinity - 1, infinity - 2, infinity - least_normal, infinity}
    magnitudes |= {one + least_normal * (fraction - 1), one + least_normal * fraction}
    magnitudes |= {one + least_normal * fraction + 1, one + least_normal * (fraction + 1)}
    magnitudes |= {one - least_normal * fraction, one - least_normal * (fraction + 1)}
    roots = [one + (form.bias // 2) * least_normal, one - (form.bias // 2) * least_normal]
    magnitudes |= {root + step for root in roots for step in (-1, 0, 1, least_normal)}
    quiet = infinity | (1 << (fraction - 1))
    magnitudes |= {infinity + 1, quiet - 1, quiet, quiet + 1, infinity | (least_normal - 1)}
    both = sorted(magnitudes) + [magnitude | form.sign for magnitude in sorted(magnitudes)]
    return np.array(both, form.pattern)


def random_patterns(form: Format, rng: np.random.Generator, count: int) -> np.ndarray:
    """Weighted: exponents anywhere, near one or at the ends; fractions with runs of equal bits."""
    bits, last = form.fraction_bits, 2**form.exponent_bits - 1
    near_one = form.bias + rng.integers(-form.precision - 1, form.precision + 2, count)
    ends = np.where(
        rng.random(count) < 0.5,
        rng.integers(0, 4, count),
        last - rng.integers(0, 4, count),
    )
    anywhere = rng.integers(0, last + 1, count)
    kind = rng.integers(0, 4, count)
    exponent = np.where(kind < 2, anywhere, np.where(kind == 2, np.clip(near_one, 0, last), ends))
    uniform = rng.integers(0, 1 << bits, count)
    few = (1 << rng.integers(0, bits, count)) | (1 << rng.integers(0, bits, count))
    run = (1 << rng.integers(0, bits + 1, count)) - 1
    shape = rng.integers(0, 6, count)
    full = (1 << bits) - 1
    fraction = np.choose(shape, [uniform, uniform, few, full ^ few, run, full ^ run])
    sign = rng.integers(0, 2, count) * form.sign
    return (sign | (exponent << bits) | fraction).astype(form.pattern)


def singles(form: Format, *key: object) -> np.ndarray:
    """Operands of a function of one number."""
    edges = boundary(form)
    rng = generator(form.name, "singles", *key)
    return np.concatenate([edges, random_patterns(form, rng, COUNT)])


def pairs(form: Format, *key: object) -> tuple[np.ndarray, np.ndarray]:
    """Operands of a function of two numbers, many of them close, opposite or reciprocal in size."""
    edges = boundary(form)
    rng = generator(form.name, "pairs", *key)
    left = random_patterns(form, rng, RANDOM)
    right = related(form, rng, left)
    first, second = np.repeat(edges, len(edges)), np.tile(edges, len(edges))
    return np.concatenate([first, left]), np.concatenate([second, right])


def related(form: Format, rng: np.random.Generator, left: np.ndarray) -> np.ndarray:
    """For each pattern a second one whose size has to do with it, or nothing at all."""
    count, bits, last = len(left), form.fraction_bits, 2**form.exponent_bits - 1
    other = random_patterns(form, rng, count).astype(np.int64)
    fraction, sign = other & ((1 << bits) - 1), other & form.sign
    exponent = (left.astype(np.int64) & (form.sign - 1)) >> bits
    near = exponent + rng.integers(-form.precision - 2, form.precision + 3, count)
    # The sum of the exponents lies at the smallest or the largest number, their difference too.
    ends = np.where(rng.random(count) < 0.5, form.bias, form.bias + last)
    product = ends - exponent + rng.integers(-form.precision - 2, 4, count)
    quotient = exponent - (ends - form.bias) + form.bias + rng.integers(-3, form.precision, count)
    choice = rng.integers(0, 5, count)
    wanted = np.choose(
        np.minimum(choice, 3), [(other & ~form.sign) >> bits, near, product, quotient]
    )
    built = sign | (np.clip(wanted, 0, last) << bits) | fraction
    opposite = left.astype(np.int64) ^ form.sign
    opposite = opposite ^ rng.integers(0, 4, count)
    return np.where(choice == 4, opposite, built).astype(form.pattern)


def integers(dtype: np.dtype, *key: object) -> np.ndarray:
    """Integers of every size: ends, powers of two with neighbours, random widths."""
    limits = np.iinfo(dtype)
    edges = {0, 1, -1, limits.min, limits.min + 1, limits.max, limits.max - 1}
    for power in range(limits.bits - 1):
        edges |= {sign * (2**power + step) for sign in (1, -1) for step in (-1, 0, 1)}
    rng = generator(dtype, *key)
    widths = rng.integers(1, limits.bits, COUNT)
    random = rng.integers(limits.min, limits.max, COUNT, dtype=np.int64, endpoint=True)
    random = random >> (limits.bits - 1 - widths)
    inside = sorted(edge for edge in edges if limits.min <= edge <= limits.max)
    return np.concatenate([np.array(inside, dtype), random.astype(dtype)])
