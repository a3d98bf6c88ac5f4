"""Whole arrays through an operation of the language: a kernel run by the interpreter.

What it is: one launch whose blocks each load a tile of every operand, call the operation and store
the result. What it is not: a check of memory or shapes. Invariant: what is returned was computed by
the interpreter, element by element in the order of the operands.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import ascemu
import numpy as np
from ascemu.dropin import asctile
from numerics.targets import Target

TILE = 4096


@asctile.jit(always_compile=True)
def _stream(function, count: asctile.ConstExpr, a, b, c, out):
    at = asctile.block_idx() * TILE
    operands = [a, b, c]
    tiles = []
    for i in asctile.static_range(count):
        source = asctile.global_tensor(operands[i], [asctile.block_num() * TILE])
        tiles = tiles + [asctile.copy_in(source, [at], [TILE])]
    target = asctile.global_tensor(out, [asctile.block_num() * TILE])
    asctile.copy_out(function(*tiles), target, [at])


def under(target: Target) -> Any:
    """The settings of a target, as a context."""
    return ascemu.options(checks={"portability": "off"}, **target.settings)


def streamed(
    target: Target, function: Callable[..., Any], dtype: np.dtype, *operands: np.ndarray
) -> np.ndarray:
    """The results of `function(*tiles)`, which is traced as a part of the kernel."""
    length = len(operands[0])
    tiles = -(-length // TILE)
    padded = [np.zeros(tiles * TILE, operand.dtype) for operand in operands]
    for room, operand in zip(padded, operands, strict=True):
        room[:length] = operand
    out = np.zeros(tiles * TILE, dtype)
    constant = asctile.ConstExpr
    spare = [constant(None)] * (3 - len(padded))
    with under(target):
        _stream[tiles](constant(function), len(padded), *padded, *spare, out)
    return out[:length]
