"""The arrays of a case: which dtypes there are, how .npy files hold them, generated inputs.

What it is: bytes of .npy files to arrays of bits and back to values. What it is not: files
(case_files.py). Invariant: `read_npy` builds no object but an array of the expected dtype and
shape; a generated array depends on its table, dtype and shape only, not on numpy's version.
"""

from __future__ import annotations

import io
import math
from collections.abc import Mapping, Sequence
from typing import Any

import ml_dtypes
import numpy as np

from ascemu_conformance.case_files import CaseError

_PLAIN = "bool int8 int16 int32 int64 uint8 uint16 uint32 uint64 float16 float32 float64".split()
_FLOAT8 = "float8_e4m3fn float8_e5m2 float8_e4m3fnuz float8_e5m2fnuz float8_e4m3 float8_e3m4"
# By name: the dtype of the .npy file, little-endian; of the values, where Python has one.
STORAGE = {name: np.dtype(name).newbyteorder("<") for name in _PLAIN}
STORAGE["bfloat16"] = np.dtype("<u2")
STORAGE |= {
    name: np.dtype("u1")
    for name in [*_FLOAT8.split(), "float8_e8m0fnu", "hifloat8", "int4", "uint4"]
}
_OTHERS = {name: getattr(ml_dtypes, name, None) for name in STORAGE if name not in _PLAIN}
GENERATORS: Mapping[str, Mapping[str, float | int]] = {
    "uniform": {"low": 0.0, "high": 1.0},
    "bell": {"mean": 0.0, "width": 1.0},
    "integers": {"low": 0, "high": 100},
    "constant": {"value": 0},
    "ramp": {"first": 0, "step": 1},
    "bits": {},
}


def size_bytes(dtype: str, shape: Sequence[int]) -> int:
    return math.prod(shape) * STORAGE[dtype].itemsize


def read_npy(data: bytes, dtype: str, shape: Sequence[int], place: str) -> np.ndarray:
    """The array in the bytes of a .npy file, as stored; CaseError where it is another array."""
    file = io.BytesIO(data)
    try:
        version = np.lib.format.read_magic(file)
        if version != (1, 0):
            raise ValueError(f"version {version} of .npy; 1.0 is used")
        found_shape, is_fortran, found = np.lib.format.read_array_header_1_0(file)
    except Exception as error:  # numpy's header parser raises what the text makes it raise
        raise CaseError(f"{place}: not a .npy file: {error}") from None
    storage = STORAGE[dtype]
    if found != storage or tuple(found_shape) != tuple(shape) or (is_fortran and len(shape) > 1):
        raise CaseError(
            f"{place}: holds {found.str} of shape {list(found_shape)}"
            f"{' in Fortran order' if is_fortran else ''}; case.toml says {dtype}, stored as "
            f"{storage.str}, of shape {list(shape)} in C order"
        )
    present, expected = len(data) - file.tell(), size_bytes(dtype, shape)
    if present != expected:
        word = "truncated" if present < expected else "too long"
        raise CaseError(f"{place}: {word}: {present} bytes of data, the shape needs {expected}")
    return np.frombuffer(data, storage, offset=file.tell()).reshape(shape).copy()


def as_values(stored: np.ndarray, dtype: str) -> np.ndarray:
    """The stored bits as values of `dtype`; CaseError where Python has no such dtype."""
    if dtype in _PLAIN:
        return stored
    if _OTHERS[dtype] is None:
        raise CaseError(f"the installed ml_dtypes has no {dtype}; install a newer one")
    return stored.view(_OTHERS[dtype])


def as_stored(values: np.ndarray, dtype: str) -> np.ndarray:
    """Values of `dtype` as stored."""
    values = np.ascontiguousarray(values).reshape(np.shape(values))
    return values.view(STORAGE[dtype]) if dtype in _OTHERS else values.astype(STORAGE[dtype])


def generate(table: Mapping[str, Any], dtype: str, shape: Sequence[int]) -> np.ndarray:
    """The stored bits of a generated array.

    `table` has `kind`, `seed` and the parameters of GENERATORS. Random bits are those of PCG64;
    floats are made in float64 and rounded once to nearest even, through float32 for formats of
    less than 16 bits and for bfloat16. ValueError where a value has no place in the dtype.
    """
    kind, count = table["kind"], math.prod(shape)
    given = {**GENERATORS[kind], **{k: v for k, v in table.items() if k not in ("kind", "seed")}}
    storage = STORAGE[dtype]
    source = np.random.PCG64(table.get("seed", 0))
    if kind == "bits":
        words = source.random_raw(count) if count else np.empty(0, np.uint64)
        bits = words.astype(f"<u{storage.itemsize}")
        bits = bits & 1 if dtype == "bool" else bits
        return bits.astype(bits.dtype).view(storage).reshape(shape)
    if kind == "integers":
        low, high = int(given["low"]), int(given["high"])
        if high < low:
            raise ValueError(f"generator integers: high={high} is below low={low}")
        numbers = low + (_unit(source, count) * (high - low + 1)).astype(np.int64)
        return _converted(np.minimum(numbers, high), dtype).reshape(shape)
    if kind == "uniform":
        values = given["low"] + _unit(source, count) * (given["high"] - given["low"])
    elif kind == "bell":
        total = sum((_unit(source, count) for _ in range(12)), np.zeros(count))
        values = given["mean"] + (total - 6.0) * given["width"]
    elif kind == "constant":
        values = np.full(count, given["value"])
    else:
        values = given["first"] + np.arange(count) * given["step"]
    return _converted(np.asarray(values), dtype).reshape(shape)


def _unit(source: np.random.PCG64, count: int) -> np.ndarray:
    """Multiples of 2**-53 in [0, 1)."""
    words = source.random_raw(count) if count else np.empty(0, np.uint64)
    return (words >> np.uint64(11)).astype(np.float64) * 2.0**-53


def _converted(values: np.ndarray, dtype: str) -> np.ndarray:
    if dtype in _OTHERS:
        narrow = values.astype(np.float32)
        return as_stored(as_values(np.zeros(0, STORAGE[dtype]), dtype).dtype.type(narrow), dtype)
    storage = STORAGE[dtype]
    if storage.kind in "iu" and values.size:
        bounds = np.iinfo(storage)
        if values.min() < bounds.min or values.max() > bounds.max:
            raise ValueError(f"the generator's values do not fit into {dtype}")
    with np.errstate(over="ignore"):
        return values.astype(storage)
