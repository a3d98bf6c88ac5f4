"""`asc.runtime.jit`: the jitted function, and the stand-ins that unit tests pass as arguments."""

from ascemu.launch.jit import JITFunction, jit
from ascemu.launch.mock import MockTensor, MockValue

__all__ = ["JITFunction", "MockTensor", "MockValue", "jit"]
