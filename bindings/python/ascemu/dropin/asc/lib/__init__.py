"""`asc.lib`: what host code asks of a device."""

from ascemu.dropin.asc.lib import profiling, runtime

__all__ = ["profiling", "runtime"]
