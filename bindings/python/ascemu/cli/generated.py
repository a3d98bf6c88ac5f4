"""Inputs that `ascemu check` makes up for a kernel that nothing launches.

What it is: a value for every parameter, from its annotation, its default and how the kernel uses
it. What it is not: what the author meant: sizes are guesses, so nothing that depends on the length
of an array may be concluded from a launch with them.
Invariant: the same kernel gets the same inputs every time. Importing this module imports no numpy.
"""

from __future__ import annotations

import ast
import inspect
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from ascemu.launch.jit import JITFunction

SIZE = 64  # every integer: a tile's edge, a row's length, a count
ELEMENTS = SIZE**3
DTYPES = ("float32", "float16", "int32")  # the first that the kernel can be traced with is taken
_TENSOR_CALLS = ("global_tensor", "tensor")
_CONSTANTS: dict[type, Any] = {bool: False, int: SIZE, float: 1.0}


class Unknown(Exception):
    """No value can be made for a parameter; the text says for which and why."""


class Inputs(NamedTuple):
    """Arguments by name, and the same in words."""

    arguments: dict[str, Any]
    text: str


def blocks_for(kernel: JITFunction) -> int:
    """Two blocks for a kernel that tells blocks apart, one for any other."""
    names = {node.attr for node in ast.walk(kernel.source.node) if isinstance(node, ast.Attribute)}
    return 2 if "block_idx" in names else 1


def gives_value(kernel: JITFunction) -> bool:
    """Whether the function gives a value back, so that only other kernels can call it."""
    return any(
        isinstance(node, ast.Return)
        and node.value is not None
        and not (isinstance(node.value, ast.Constant) and node.value.value is None)
        for node in ast.walk(kernel.source.node)
    )


def inputs_for(kernel: JITFunction, dtype: str) -> Inputs:
    """Arguments for a launch, the arrays of `dtype`; Unknown where one cannot be guessed."""
    addresses = _names_of_addresses(kernel.source.node)
    arguments: dict[str, Any] = {}
    words = []
    for parameter in kernel.parameters:
        name = parameter.name
        declared = kernel.signature.parameters[name]
        if declared.default is not inspect.Parameter.empty:
            value = declared.default
        elif parameter.is_constant:
            value = _constant(name, parameter.types)
        elif name in addresses or getattr(declared.annotation, "__name__", "") == "GlobalAddress":
            value = _array(dtype, len(arguments))
        else:
            value = 1.0 if declared.annotation is float else SIZE
        arguments[name] = value
        is_array = hasattr(value, "strides")
        words.append(f"{name}: {dtype}[{ELEMENTS}]" if is_array else f"{name}={value!r}")
    return Inputs(arguments, ", ".join(words))


def _constant(name: str, types: tuple[type, ...]) -> Any:
    for kind, value in _CONSTANTS.items():
        if kind in types:
            return value
    wanted = " or ".join(kind.__name__ for kind in types) or "no type"
    raise Unknown(f"ConstExpr parameter '{name}' has no default, and {wanted} to make a value of")


def _array(dtype: str, seed: int) -> Any:
    import numpy as np

    return np.random.default_rng(seed).integers(1, 9, ELEMENTS).astype(dtype)


def _names_of_addresses(function: ast.AST) -> set[str]:
    """Names that the kernel makes global tensors of, moved by an offset or not."""
    names = set()
    for node in ast.walk(function):
        if not isinstance(node, ast.Call) or not node.args:
            continue
        callee = node.func.attr if isinstance(node.func, ast.Attribute) else ""
        if callee in _TENSOR_CALLS:
            base = node.args[0]
            while isinstance(base, ast.BinOp):
                base = base.left
            if isinstance(base, ast.Name):
                names.add(base.id)
    return names
