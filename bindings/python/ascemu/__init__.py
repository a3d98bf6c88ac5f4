"""ascemu: runs Ascend NPU kernels written in asc2 on the CPU.

`activate()` makes `import asc`, `asc2` and `asctile` resolve to ascemu's modules; so does the
environment variable ASCEMU=1 when this package is imported. `options()` changes settings,
`collect()` gathers findings, `KernelError` is what a finding at run time raises. Other names, such
as `recording`, come from packages that extend this one (ascemu.extensions).

The compiled core is imported with the first kernel module, not by `import ascemu`.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

from ascemu._version import __version__
from ascemu.dropin.activation import activate, deactivate, is_active
from ascemu.errors import CodegenError, KernelError, UnsupportedSyntaxError
from ascemu.settings import collect, options

if TYPE_CHECKING:
    from ascemu._core import Diagnostic

__all__ = [
    "CodegenError",
    "Diagnostic",
    "KernelError",
    "UnsupportedSyntaxError",
    "__version__",
    "activate",
    "collect",
    "deactivate",
    "is_active",
    "options",
]


def __getattr__(name: str) -> Any:
    if name == "Diagnostic":
        from ascemu._core import Diagnostic

        return Diagnostic
    from ascemu.extensions import extension

    found = extension(name)
    if found is not None:
        return found
    raise AttributeError(f"module 'ascemu' has no attribute {name!r}")


if os.environ.get("ASCEMU") == "1":
    activate()
