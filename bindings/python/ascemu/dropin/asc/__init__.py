"""`asc`: the base package: what asc2 kernels and their hosts take from it.

What it is not: the first-generation language asc; its own operations are not there yet, and asking
for one says so.
"""

import sys as _sys
from typing import NoReturn as _NoReturn

from ascemu.dropin.asc import codegen as codegen
from ascemu.dropin.asc import lib as lib
from ascemu.dropin.asc import runtime
from ascemu.dsl import ASC as _NAMES
from ascemu.launch.jit import make_jit as _make_jit

globals().update(_NAMES)
jit = _make_jit("asc")
language = _sys.modules[__name__]

__all__ = ["jit", "runtime"]
__all__ += _NAMES


def __getattr__(name: str) -> _NoReturn:
    raise AttributeError(
        f"module 'asc' has no attribute {name!r} in ascemu: of the first-generation language asc "
        "only what asc2 kernels use is there"
    )
