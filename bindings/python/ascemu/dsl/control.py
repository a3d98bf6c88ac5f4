"""Loops, masks, the barrier and the block's place in the launch (spec asc2 §4, §6.7, §7)."""

from __future__ import annotations

import builtins
from collections.abc import Iterator
from typing import Any

from ascemu.dsl.arguments import (
    bool_arg,
    optional_number_arg,
    static_int_arg,
    static_ints_arg,
)
from ascemu.dsl.context import current
from ascemu.dsl.faults import fault, wrong_type, wrong_value
from ascemu.dsl.values import IRValue, PlainValue, describe, is_number, unwrap, wrap


def _bounds(bounds: tuple[Any, ...]) -> tuple[Any, Any, Any]:
    if not 1 <= len(bounds) <= 3:
        raise wrong_value(f"range expects from 1 to 3 arguments, got {len(bounds)}")
    if len(bounds) == 1:
        return 0, bounds[0], 1
    return bounds[0], bounds[1], bounds[2] if len(bounds) == 3 else 1


class range:  # noqa: A001
    """A loop at run time: `range(stop)`, `range(start, stop)`, `range(start, stop, step)`.

    Bounds are numbers or PlainValues and count as int32; step must be positive. unroll_factor (an
    int from 1) and gm_barrier (a bool: orders global memory between iterations) change no result
    here. TypeError: wrong classes. ValueError: number of bounds, unroll_factor below 1 (spec asc2
    §4).
    """

    __slots__ = ("start", "stop", "step", "unroll_factor", "gm_barrier", "is_parallel")

    def __init__(self, *bounds: Any, unroll_factor: int = 1, gm_barrier: bool = False) -> None:
        self.unroll_factor = static_int_arg("unroll_factor", unroll_factor)
        if self.unroll_factor < 1:
            raise wrong_value(f"Loop unroll factor must be 1 or greater, got {unroll_factor}")
        self.gm_barrier = bool_arg("gm_barrier", gm_barrier)
        self.is_parallel = False  # said so in the first generation's words
        self.start, self.stop, self.step = map(_bound, ("start", "stop", "step"), _bounds(bounds))

    def _static(self) -> builtins.range:
        bounds = (self.start, self.stop, self.step)
        for bound in bounds:
            if isinstance(bound, IRValue):
                raise wrong_type(
                    f"a range with the bound {describe(bound)} is known at run time only",
                    help="Use it as the iterable of a for statement.",
                )
        return builtins.range(*bounds)

    def __iter__(self) -> Iterator[int]:
        return iter(self._static())

    def __len__(self) -> int:
        return len(self._static())

    def __repr__(self) -> str:
        return f"range({self.start!r}, {self.stop!r}, {self.step!r})"


def _bound(name: str, value: Any) -> Any:
    if isinstance(value, PlainValue):
        return value
    if is_number(value):
        return int(unwrap(value))
    raise wrong_type(f"'{name}' of range must be a number, got {describe(value)}")


class parallel_range(range):
    """`range` with the first generation's `parallel=`, the opposite of gm_barrier.

    TypeError: parallel no bool; otherwise as `range` (spec asc2 §4).
    """

    __slots__ = ()

    def __init__(
        self,
        *bounds: Any,
        unroll_factor: int = 1,
        gm_barrier: bool = False,
        parallel: bool | None = None,
    ) -> None:
        ordered = gm_barrier if parallel is None else not bool_arg("parallel", parallel)
        super().__init__(*bounds, unroll_factor=unroll_factor, gm_barrier=ordered)
        self.is_parallel = bool(parallel)


parallel_range.__name__ = parallel_range.__qualname__ = "range"


class static_range:
    """A loop unrolled while tracing, over Python ints, as Python's range.

    TypeError: a bound that is no int known while tracing. ValueError: a zero step, or the number of
    bounds (spec asc2 §4).
    """

    __slots__ = ("_range",)

    def __init__(self, *bounds: Any) -> None:
        start, stop, step = _bounds(bounds)
        ints = [
            static_int_arg(*pair) for pair in (("start", start), ("stop", stop), ("step", step))
        ]
        self._range = builtins.range(*ints)

    @property
    def start(self) -> int:
        """The first value."""
        return self._range.start

    @property
    def stop(self) -> int:
        """The bound that is not reached."""
        return self._range.stop

    @property
    def step(self) -> int:
        """The distance of two values."""
        return self._range.step

    def __iter__(self) -> Iterator[int]:
        return iter(self._range)

    def __len__(self) -> int:
        return len(self._range)

    def __repr__(self) -> str:
        return f"static_range({self.start}, {self.stop}, {self.step})"


class mask:
    """`with mask(count=n)` or `with mask(bits=(high, low))`: element-wise work on some lanes only.

    The mask counts in every 256-byte repeat of a tensor; the other lanes hold `other`, or are
    undefined. ValueError: count and bits both or neither, not two bits. RuntimeError: empty bits.
    TypeError: wrong classes (spec asc2 §6.7, §11.1).
    """

    __slots__ = ("_count", "_bits", "_other")

    def __init__(self, *, count: int | None = None, bits: Any = None, other: Any = None) -> None:
        current("mask")
        if (count is None) == (bits is None):
            raise wrong_value(
                "mask needs either 'count' or 'bits', got "
                + ("neither" if count is None else f"count={count!r} and bits={bits!r}")
            )
        self._count = None if count is None else static_int_arg("count", count)
        self._bits = None if bits is None else tuple(static_ints_arg("bits", bits))
        if self._bits is not None and len(self._bits) != 2:
            kind = ValueError if self._bits else RuntimeError
            message = f"'bits' must have 2 values, got {len(self._bits)}"
            raise fault(kind, "bad-argument-value", message)
        self._other = optional_number_arg("other", other)

    def __enter__(self) -> mask:
        current("mask").builder.push_mask(self._count, self._bits, self._other)
        return self

    def __exit__(self, *exc_info: object) -> None:
        current("mask").builder.pop_mask()


def sync_all(is_aiv_only: bool = True) -> None:
    """A barrier: no block goes on before every block of the launch has come here (spec asc2 §11.1).

    The argument is accepted and has no effect, as on the device.
    """
    current("sync_all").builder.sync_all()


def _program_scalar(name: str) -> PlainValue:
    return wrap(current(name).builder.program_scalar(name))


def block_idx() -> PlainValue:
    """The number of this block, int32 from 0 (spec asc2 §7)."""
    return _program_scalar("block_idx")


def block_num() -> PlainValue:
    """The number of blocks of the launch, int32 (spec asc2 §7)."""
    return _program_scalar("block_num")


def sub_block_idx() -> PlainValue:
    """The number of this vector core within its block, int32: always 0 here (spec asc2 §11.1)."""
    return _program_scalar("sub_block_idx")


def sub_block_num() -> PlainValue:
    """The number of vector cores in a block, int32: always 1 here (spec asc2 §11.1)."""
    return _program_scalar("sub_block_num")
