"""Backends, platforms and what is known of each: chip family, capacities, core counts.

What it is: the enums that `asc.runtime.config` exports, by value, and the facts of spec asc2 §5.1.
What it is not: the selected platform; that is a setting (ascemu.settings).
Invariant: every Platform has a chip, an architecture and capacities. Importing this module does
not import the compiled core.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import NoReturn


def _refuse(kind: str, value: object, members: type[Enum]) -> NoReturn:
    legal = ", ".join(str(member.value) for member in members)
    raise ValueError(f"Unknown {kind} {value!r}; use one of: {legal}")


class Backend(Enum):
    """Where kernels run. Both run here, on the CPU."""

    Model = "Model"
    NPU = "NPU"

    @classmethod
    def _missing_(cls, value: object) -> NoReturn:
        _refuse("backend", value, cls)


class Platform(Enum):
    """The chips a kernel can be run for (spec asc2 §5.1)."""

    Ascend910B1 = "Ascend910B1"
    Ascend910B2 = "Ascend910B2"
    Ascend910B2C = "Ascend910B2C"
    Ascend910B3 = "Ascend910B3"
    Ascend910B4 = "Ascend910B4"
    Ascend910B4_1 = "Ascend910B4-1"
    Ascend910_9362 = "Ascend910_9362"
    Ascend910_9372 = "Ascend910_9372"
    Ascend910_9381 = "Ascend910_9381"
    Ascend910_9382 = "Ascend910_9382"
    Ascend910_9391 = "Ascend910_9391"
    Ascend910_9392 = "Ascend910_9392"
    Ascend950PR_950z = "Ascend950PR_950z"
    Ascend950PR_9579 = "Ascend950PR_9579"
    Ascend950PR_957b = "Ascend950PR_957b"
    Ascend950PR_957c = "Ascend950PR_957c"
    Ascend950PR_957d = "Ascend950PR_957d"
    Ascend950PR_9589 = "Ascend950PR_9589"
    Ascend950PR_958b = "Ascend950PR_958b"
    Ascend950PR_9599 = "Ascend950PR_9599"

    @classmethod
    def _missing_(cls, value: object) -> NoReturn:
        _refuse("platform", value, cls)

    @property
    def chip(self) -> str:
        """The family that decides numerics and capacities: "910B", "910_93" or "950PR"."""
        for chip in ("910B", "910_93", "950PR"):
            if self.value.startswith("Ascend" + chip):
                return chip
        raise AssertionError(f"{self.value} belongs to no chip family")


class KernelType(Enum):
    """Which cores a kernel uses (spec asc2 §1.7)."""

    AIV_ONLY = 0
    AIC_ONLY = 1
    MIX_AIV_HARD_SYNC = 2
    MIX_AIC_HARD_SYNC = 3
    MIX_AIV_1_0 = 4
    MIX_AIC_1_0 = 5
    MIX_AIC_1_1 = 6
    MIX_AIC_1_2 = 7

    @classmethod
    def _missing_(cls, value: object) -> NoReturn:
        _refuse("kernel type", value, cls)


class CompilationArch(Enum):
    """The two instruction-set families: C220 is 910B and 910_93, C310 is 950PR."""

    C220 = "C220"
    C310 = "C310"

    @classmethod
    def _missing_(cls, value: object) -> NoReturn:
        _refuse("architecture", value, cls)


@dataclass(frozen=True)
class PlatformInfo:
    """The on-chip memory of one AI core, in bytes."""

    ub_size: int
    l1_size: int
    l0a_size: int
    l0b_size: int
    l0c_size: int
    bt_size: int


_CAPACITIES = {
    "910B": PlatformInfo(196608, 524288, 65536, 65536, 131072, 1024),
    "910_93": PlatformInfo(196608, 524288, 65536, 65536, 262144, 1024),
    "950PR": PlatformInfo(253952, 524288, 65536, 65536, 262144, 4096),
}


def platform_of(platform: Platform | str) -> Platform:
    """The member that a member or a plain string names; ValueError for an unknown name."""
    return Platform(platform)


def platform_to_arch(platform: Platform | str) -> CompilationArch:
    """C310 for the 950PR platforms, C220 for the others; ValueError for an unknown name."""
    is_950 = platform_of(platform).chip == "950PR"
    return CompilationArch.C310 if is_950 else CompilationArch.C220


def capacities(platform: Platform | str) -> PlatformInfo:
    """The capacities of spec asc2 §5.1; ValueError for an unknown name."""
    return _CAPACITIES[platform_of(platform).chip]


def default_blocks(platform: Platform | str, has_cube: bool) -> int:
    """How many blocks `kernel[None]` launches: one per core that the kernel's work runs on."""
    if platform_of(platform).chip == "950PR":
        return 72
    return 24 if has_cube else 48
