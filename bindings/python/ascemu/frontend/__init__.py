"""The front end: a kernel's Python AST becomes calls of the compiled Builder.

What it is: the *specialise* stage. What is known at launch is evaluated here, in Python, while the
tree is built; what happens at run time becomes statements of the tree.
What it is not: type rules of operations (the Builder's) or classification of launch arguments.
Invariant: only the documented exceptions escape `trace`, each with a `.diagnostic`.
"""

from ascemu.frontend.capture import Source, capture
from ascemu.frontend.tracer import TracedKernel, inline_in_active_trace, trace

__all__ = ["Source", "TracedKernel", "capture", "inline_in_active_trace", "trace"]
