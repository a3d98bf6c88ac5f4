"""`asc.runtime.config`: backends, platforms, and which of them kernels run for (spec asc2 §1.9)."""

from __future__ import annotations

from ascemu.platforms import (
    Backend,
    CompilationArch,
    KernelType,
    Platform,
    platform_of,
    platform_to_arch,
)
from ascemu.settings import current, select_platform

__all__ = [
    "Backend",
    "CompilationArch",
    "KernelType",
    "Platform",
    "platform_to_arch",
    "set_platform",
]


def set_platform(
    backend: Backend | str,
    platform: Platform | str | None = None,
    device_id: int | None = None,
    check: bool = True,
    *,
    soc_version: Platform | str | None = None,
) -> None:
    """Select what kernels run for, from now on and in all three namespaces.

    Both backends run here, on the CPU. Without a platform the present one stays. `soc_version` is
    an older name of `platform`; `check` asks whether a device is there, which it always is.

    ValueError for an unknown backend or platform, TypeError for a device_id that is no integer or
    for both `platform` and `soc_version`.
    """
    if platform is not None and soc_version is not None:
        raise TypeError("set_platform() takes either 'platform' or 'soc_version', not both")
    chosen = soc_version if platform is None else platform
    if device_id is not None and (isinstance(device_id, bool) or not isinstance(device_id, int)):
        raise TypeError(f"'device_id' must be an integer or None, got {device_id!r}")
    select_platform(Backend(backend), None if chosen is None else platform_of(chosen), device_id)


def get_backend() -> Backend:
    """The backend that `set_platform` chose; Backend.Model before that."""
    return current().backend


def get_platform() -> Platform:
    """The platform that asc2 and asctile kernels run for."""
    return current().platform
