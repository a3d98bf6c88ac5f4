"""`asc.runtime.launcher`: what a platform's cores hold."""

from __future__ import annotations

from ascemu.platforms import Platform, PlatformInfo, capacities

__all__ = ["PlatformInfo", "get_platform_info"]


def get_platform_info(soc: Platform | str) -> PlatformInfo:
    """The sizes in bytes of a core's memories (`ub_size`, `l1_size`, ...; spec asc2 §5.1).

    ValueError for an unknown platform.
    """
    return capacities(soc)
