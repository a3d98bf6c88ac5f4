"""`asc.runtime`: platform selection, launching."""

from ascemu.dropin.asc.runtime import config, jit, launcher

__all__ = ["config", "jit", "launcher"]
