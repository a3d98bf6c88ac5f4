"""What a kernel can call: values, operations and builtins of the tile language.

What it is: the Python surface over `_core.Builder`; every operation checks Python classes and lets
the builder check the rest. What it is not: the front end that lowers Python syntax (frontend/), nor
the modules that kernels import (dropin/).
"""

from ascemu.dsl.methods import attach_methods
from ascemu.dsl.namespaces import ASC, ASC2, ASCTILE

attach_methods()

__all__ = ["ASC", "ASC2", "ASCTILE"]
