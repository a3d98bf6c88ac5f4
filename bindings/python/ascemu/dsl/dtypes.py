"""Element types, rounding modes and tensor locations under the language's names (spec asc2 §3.1,
5.1, 6.5).

Invariant: two DataTypes are equal exactly when their names are; sizes and predicates come from the
compiled table, which is refops/dtype.cpp.
"""

from __future__ import annotations

import difflib
import enum

from ascemu._core import dtype_table

_ROWS = {row["name"]: row for row in dtype_table()}
_ALIASES = {"bit": "int1", "half": "float16", "float": "float32", "double": "float64"}


class DataType:
    """An element type. `DataType("float16")` equals `float16`; an unknown name is a ValueError."""

    __slots__ = ("name",)
    name: str

    def __init__(self, name: str) -> None:
        known = _ALIASES.get(name, name)
        if known != "void" and known not in _ROWS:
            close = difflib.get_close_matches(name, _ROWS, n=1)
            remedy = f"; did you mean '{close[0]}'?" if close else ""
            raise ValueError(f"'{name}' is no dtype of the kernel language{remedy}")
        object.__setattr__(self, "name", known)

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError("a DataType cannot be changed")

    @property
    def bitwidth(self) -> int:
        """Bits per element; 1 for int1, 0 for void."""
        return 0 if self.name == "void" else _ROWS[self.name]["width_bits"]

    def sizeof(self) -> int:
        """Bytes per element; ValueError for int1 and void, which have none."""
        if self.bitwidth < 8:
            raise ValueError(f"dtype {self.name} has no size in bytes")
        return self.bitwidth // 8

    def is_int(self) -> bool:
        """Whether it is an integer type (int1 included)."""
        return self.name != "void" and _ROWS[self.name]["is_integer"]

    def is_float(self) -> bool:
        """Whether it is a floating-point type."""
        return self.name != "void" and _ROWS[self.name]["is_float"]

    def is_signed(self) -> bool:
        """Whether it is a signed integer type."""
        return self.is_int() and not self.is_unsigned()

    def is_unsigned(self) -> bool:
        """Whether it is an unsigned integer type."""
        return self.name.startswith("uint")

    def is_numeric(self) -> bool:
        """Whether it is an integer or floating-point type."""
        return self.name != "void"

    def __eq__(self, other: object) -> bool:
        if isinstance(other, DataType):
            return self.name == other.name
        return NotImplemented

    def __hash__(self) -> int:
        return hash((DataType, self.name))

    def __repr__(self) -> str:
        return self.name

    def __reduce__(self) -> tuple[type[DataType], tuple[str]]:
        return DataType, (self.name,)


void = DataType("void")
int1 = DataType("int1")
int8 = DataType("int8")
int16 = DataType("int16")
int32 = DataType("int32")
int64 = DataType("int64")
uint8 = DataType("uint8")
uint16 = DataType("uint16")
uint32 = DataType("uint32")
uint64 = DataType("uint64")
float16 = DataType("float16")
bfloat16 = DataType("bfloat16")
float32 = DataType("float32")
float64 = DataType("float64")
bool_ = int8
int_ = int32
float_ = float32
half = float16
double = float64


class RoundMode(enum.IntEnum):
    """How a cast rounds (spec asc2 §6.5)."""

    NoRound = 0
    Rint = 1
    Floor = 2
    Ceil = 3
    Round = 4
    Trunc = 5
    Odd = 6
    Default = 100


class TensorLocation(enum.IntEnum):
    """Where a local tensor lives (spec asc2 §5.1); arguments take the member or its name."""

    L0A = 23
    L0B = 24
    L0C = 25
    UB = 26
    L1 = 27
    FIX = 28
    BT = 29
    Auto = 30
