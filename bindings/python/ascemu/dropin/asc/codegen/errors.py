"""`asc.codegen.errors`: what a kernel that cannot be traced raises (spec asc2 §1.6)."""

from ascemu.errors import CodegenError, UnsupportedSyntaxError

__all__ = ["CodegenError", "UnsupportedSyntaxError"]
