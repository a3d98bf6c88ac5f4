"""`asc.codegen`: here only the exceptions of tracing."""

from ascemu.dropin.asc.codegen import errors

__all__ = ["errors"]
