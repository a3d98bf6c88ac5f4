"""Stand-ins for launch arguments: a kernel can be checked without data.

What it is: the classes that `asc.runtime.jit` exports for unit tests of the front end.
What it is not: memory; a launch with a stand-in checks the kernel and executes nothing.
"""

from __future__ import annotations

from typing import Any


class MockTensor:
    """Stands for an array of a dtype (a DataType, or its name)."""

    def __init__(self, dtype: Any, *_: Any, **__: Any) -> None:
        self.dtype: str = getattr(dtype, "name", dtype)


class MockValue:
    """Stands for a scalar of a dtype (a DataType, or its name)."""

    def __init__(self, dtype: Any, *_: Any, **__: Any) -> None:
        self.dtype: str = getattr(dtype, "name", dtype)
