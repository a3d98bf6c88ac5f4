"""`asc.lib.runtime`: the device as host code sees it. Here it is the emulator."""

from __future__ import annotations

from ascemu.settings import current

__all__ = ["current_stream", "get_soc_version"]


def get_soc_version() -> str:
    """The name of the platform that asc2 and asctile kernels run for."""
    return current().platform.value


def current_stream() -> None:
    """The default stream, which None stands for in `kernel[n, stream]`."""
    return None
