"""`asc.runtime.jit`: the jitted function, and the stand-ins that unit tests pass as arguments."""

from ascemu.launch.jit import JITFunction, MockTensor, MockValue, jit

__all__ = ["JITFunction", "MockTensor", "MockValue", "jit"]
