"""Structs: several scalars passed to a kernel by value (spec asc2 §1.11).

What it is: the host classes Struct and Field, and KernelStruct, which the kernel sees in their
place. What it is not: marshalling (launch/). Invariant: a kernel works on its own copy; nothing
returns to the host, and reading a field gives the value it has at that moment.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ascemu.dsl.context import current
from ascemu.dsl.dtypes import DataType
from ascemu.dsl.faults import wrong_type
from ascemu.dsl.values import PlainValue, describe, is_number, unwrap, wrap

_REQUIRED: Any = object()


class Field:
    """A member of a Struct: a dtype (float16 and bfloat16 excepted) and perhaps a default."""

    __slots__ = ("dtype", "default", "name")

    def __init__(self, dtype: DataType, default: Any = _REQUIRED, name: str | None = None) -> None:
        if not isinstance(dtype, DataType):
            raise TypeError(f"'dtype' of a Field must be DataType, got {describe(dtype)}")
        if dtype.bitwidth == 16 and dtype.is_float():
            raise RuntimeError(f"a Struct cannot have a field of dtype {dtype}")
        self.dtype = dtype
        self.default = default
        self.name = name

    def __set_name__(self, owner: type, name: str) -> None:
        if self.name is None:
            self.name = name

    def __get__(self, instance: Any, owner: type | None = None) -> Any:
        if instance is None:
            return self
        return instance._values[self.name]

    def __set__(self, instance: Any, value: Any) -> None:
        if not is_number(value):
            raise TypeError(f"field '{self.name}' must be a number, got {describe(value)}")
        instance._values[self.name] = unwrap(value)


class Struct:
    """Base of classes whose Fields are passed to a kernel together, by value.

    `MyStruct(field=value, ...)`; RuntimeError for a field that does not exist or that has neither
    value nor default, TypeError for a value that is no number.
    """

    def __init__(self, **values: Any) -> None:
        self._values: dict[str, Any] = {}
        fields = self.fields()
        for name in values:
            if name not in fields:
                raise RuntimeError(
                    f"{type(self).__name__} has no field '{name}'; its fields are "
                    + (", ".join(fields) or "none")
                )
        for name, field in fields.items():
            value = values.get(name, field.default)
            if value is _REQUIRED:
                raise RuntimeError(f"field '{name}' of {type(self).__name__} has no value")
            field.__set__(self, value)

    @classmethod
    def fields(cls) -> dict[str, Field]:
        """The fields by name, in the order of their definition."""
        found: dict[str, Field] = {}
        for base in reversed(cls.__mro__):
            for value in vars(base).values():
                if isinstance(value, Field) and value.name is not None:
                    found[value.name] = value
        return found

    def values(self) -> dict[str, Any]:
        """The Python numbers of the fields by name, in the order of their definition."""
        return dict(self._values)


class KernelStruct:
    """A Struct argument inside a kernel: reading a field gives a PlainValue, setting one changes
    the kernel's copy. AttributeError for an unknown field, TypeError for a value that is no
    number."""

    __slots__ = ("_struct", "_variables")

    def __init__(self, struct: type[Struct], values: Mapping[str, PlainValue]) -> None:
        builder = current(struct.__name__).builder
        variables = {name: builder.variable(value.value) for name, value in values.items()}
        object.__setattr__(self, "_struct", struct)
        object.__setattr__(self, "_variables", variables)

    def _variable(self, name: str) -> Any:
        if name not in self._variables:
            raise AttributeError(
                f"{self._struct.__name__} has no field '{name}'; its fields are "
                + ", ".join(self._variables)
            )
        return self._variables[name]

    def __getattr__(self, name: str) -> PlainValue:
        return wrap(current(name).builder.variable(self._variable(name)))

    def __setattr__(self, name: str, value: Any) -> None:
        variable = self._variable(name)
        builder = current(name).builder
        if isinstance(value, PlainValue):
            converted = builder.scalar_cast(value.value, variable.dtype)
        elif is_number(value):
            converted = builder.constant(unwrap(value), variable.dtype)
        else:
            raise wrong_type(f"field '{name}' must be a number, got {describe(value)}")
        builder.assign([variable], [converted])
