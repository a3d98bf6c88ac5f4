"""The numeric policy of a launch: mode, chip, what overflows become (docs/numerics.md, N4).

What it is: the names of the modes and which of them go together. What it is not: what they mean
(refops/target), or which one is selected (ascemu.settings, the options of jit).
Invariant: a `Policy` is one that the contract defines. Importing this module does not import the
compiled core.
"""

from __future__ import annotations

from typing import NamedTuple

from ascemu.platforms import Platform

NUMERICS = ("npu", "ieee", "fp64")
OVERFLOW = ("inf", "saturate")


class Policy(NamedTuple):
    """What a program is made for and runs with, as the compiled core takes it."""

    chip: str
    numerics: str
    saturate: bool


def policy_for(platform: Platform, numerics: str, overflow: str) -> Policy:
    """The policy of checked names; ValueError where the mode or the chip cannot saturate (N4)."""
    if overflow == "saturate":
        if numerics != "npu":
            raise ValueError(
                f"overflow='saturate' is a mode of the 910B and 910_93 chips, and "
                f"numerics='{numerics}' computes for no chip: its infinities are kept; "
                "select numerics='npu' with it, or overflow='inf'"
            )
        if platform.chip == "950PR":
            raise ValueError(
                f"overflow='saturate' is not available on {platform.value}: the 950PR chips keep "
                "infinities and NaN; select an Ascend910B or Ascend910_93 platform, or "
                "overflow='inf'"
            )
    return Policy(platform.chip, numerics, overflow == "saturate")
