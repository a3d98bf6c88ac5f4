"""`asctile`: the tile language in its newest generation.

The operations are ascemu.dsl's, this module only gathers what host code and kernels see.
"""

import sys as _sys

from ascemu.dropin.asc import codegen as codegen
from ascemu.dropin.asc import lib as lib
from ascemu.dropin.asc import runtime
from ascemu.dropin.asc.lib import profiling
from ascemu.dropin.asc.runtime.config import Backend, KernelType, Platform, set_platform
from ascemu.dsl import ASCTILE as _NAMES
from ascemu.launch.jit import make_jit as _make_jit

globals().update(_NAMES)
jit = _make_jit("asctile")
language = _sys.modules[__name__]

__all__ = ["Backend", "KernelType", "Platform", "jit", "profiling", "runtime", "set_platform"]
__all__ += _NAMES
