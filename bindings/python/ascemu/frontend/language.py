"""What the front end needs of ascemu.dsl: kinds of values, conversions, conditions.

What it is: the one place where the front end meets the classes of the language.
What it is not: operators of Python values (operators.py) or names (names.py).
Invariant: everything that emits a statement does so at the builder's present position.
"""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import AbstractContextManager
from typing import Any

from ascemu._core import Value
from ascemu.dsl import context as dsl_context
from ascemu.dsl import control, values
from ascemu.dsl.builtins import BUILTINS, assert_statement
from ascemu.dsl.constexpr import ConstExpr
from ascemu.dsl.struct import KernelStruct
from ascemu.dsl.values import CarriedNumber, IRValue, PlainValue
from ascemu.frontend.faults import annotated, refuse

range = control.range
static_range = control.static_range
device_assert = assert_statement
wrap = values.wrap

_INT32 = (-(2**31), 2**31 - 1)


def is_ir(value: Any) -> bool:
    """Whether `value` exists at run time only."""
    return isinstance(value, IRValue)


def is_scalar(value: Any) -> bool:
    return isinstance(value, PlainValue)


def is_carried(value: Any) -> bool:
    return isinstance(value, CarriedNumber)


def is_struct(value: Any) -> bool:
    return isinstance(value, KernelStruct)


def is_constexpr(value: Any) -> bool:
    return isinstance(value, ConstExpr)


def is_number(value: Any) -> bool:
    """Whether `value` is a Python number (numpy's float64 is one, its other scalars are not)."""
    return isinstance(value, (bool, int, float))


def unwrap_constexpr(value: Any) -> Any:
    """What a ConstExpr object holds; anything else as it is."""
    return value.value if isinstance(value, ConstExpr) else value


def visible_builtins() -> Mapping[str, Any]:
    return BUILTINS


def trace_context(builder: Any, options: Mapping[str, Any], namespace: str) -> Any:
    """The context that operations find while the kernel is traced."""
    return dsl_context.TraceContext(
        builder=builder,
        namespace=namespace,
        debug=bool(options.get("debug", False)),
        options=options,
    )


def active(context: Any) -> AbstractContextManager[Any]:
    return dsl_context.activate(context)


def condition(builder: Any, value: Any) -> bool | Value:
    """A Python bool for what is known while tracing, an int1 for a runtime scalar (spec §2.5).

    NotImplementedError for a float scalar, UnsupportedSyntaxError for what is no condition.
    """
    if value is None or is_number(value):
        return bool(value)
    if isinstance(value, PlainValue):
        return values.condition(value)
    raise refuse(
        f"Condition expression must be evaluated as PlainValue, got {type(value).__name__}",
        help="Compare it: `is not None`, `len(x) > 0`, `x == y`.",
    )


def materialised(builder: Any, value: Any, what: str) -> Any:
    """`value` as an IR value: a number becomes int1, int32 or float32 (spec §3.1).

    TypeError for what is neither; `what` says what was to be done with it.
    """
    if isinstance(value, CarriedNumber):
        return wrap(value.value)
    if isinstance(value, IRValue):
        return value
    if is_number(value):
        return wrap(builder.materialise(_plain_number(value)))
    error = TypeError(
        f"an object of type {type(value).__name__} cannot be {what} as a runtime value; "
        "only IR values and numbers can"
    )
    raise annotated(error, "bad-argument-type")


def _plain_number(value: Any) -> bool | int | float:
    """Without the subclass: an enum member or a numpy float is its number."""
    if isinstance(value, bool):
        return value
    return int(value) if isinstance(value, int) else float(value)


def can_vary(value: Any) -> bool:
    """Whether a name that holds `value` can be re-bound in a runtime region."""
    if isinstance(value, int) and not isinstance(value, bool):
        return _INT32[0] <= value <= _INT32[1]
    return is_number(value) or isinstance(value, IRValue)


def variable(builder: Any, initial: Any, name: str) -> Value:
    """A builder variable that holds `initial`, under the kernel's name for it."""
    result = builder.variable(materialised(builder, initial, "materialised").value)
    builder.name_value(result, name)
    return result


def zero_variable(builder: Any, dtype: str) -> Value:
    """A scalar variable of a dtype, for a conditional expression."""
    return builder.variable(builder.constant(0, dtype))


def entry_value(variable: Value, initial: Any) -> Any:
    """What a loop's body reads for a carried name: a Python number keeps its meaning."""
    if isinstance(initial, CarriedNumber):
        return CarriedNumber(variable, initial.python_type)
    if is_number(initial):
        return CarriedNumber(variable, identity_type(initial))
    return wrap(variable)


def identity_type(value: Any) -> type:
    """The class that must stay the same when a name is re-bound in a runtime region."""
    return value.python_type if isinstance(value, CarriedNumber) else type(value)


def check_mergeable(name: str, target: Value, value: Value) -> None:
    """RuntimeError where a re-bound name changes dtype or shape."""
    before, after = _static_type(target), _static_type(value)
    if before != after:
        error = RuntimeError(
            f"'{name}' was re-assigned to a value of another dtype or shape: it was {before}, the "
            f"new one is {after}"
        )
        raise annotated(error, "merge-mismatch")


def _static_type(value: Value) -> str:
    shape = f"{list(value.shape)}" if value.kind == "tensor" else ""
    return f"{value.kind} {value.dtype}{shape}"


def type_key(value: Any) -> Any:
    """What a specialisation of a jit function depends on."""
    return _static_type(value.value) if isinstance(value, IRValue) else type(value)


def name_value(builder: Any, value: IRValue, name: str) -> None:
    builder.name_value(value.value, name)


def set_attribute(base: Any, name: str, value: Any) -> None:
    """Assign an attribute: a field of a Struct, or of any Python object."""
    setter = getattr(base, "__setattrjit__", None)
    if setter is not None:
        setter(name, value)
    else:
        setattr(base, name, value)


def first_generation_accesses() -> int:
    """How many loads and stores the trace made under the first generation's names so far."""
    return dsl_context.current().first_generation


def loop_bound(value: Any) -> int | Value:
    """A bound of a runtime loop as int32; floats are truncated (spec §2.6)."""
    if isinstance(value, CarriedNumber) or isinstance(value, PlainValue):
        from ascemu.dsl.dtypes import int32

        plain = value if value.dtype == int32 else PlainValue(value.value).cast(int32)
        return plain.value
    if is_number(value):
        return int(value)
    error = TypeError(
        f"a bound of range must be a number or a runtime scalar, got {type(value).__name__}"
    )
    raise annotated(error, "bad-argument-type")


def kernel_struct(kind: Any, fields: Mapping[str, Value]) -> KernelStruct:
    """A Struct argument inside the kernel: a local copy with runtime fields (spec §1.11)."""
    return KernelStruct(kind, {name: wrap(value) for name, value in fields.items()})
