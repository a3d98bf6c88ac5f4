"""Sums in the order of the contract's clauses N12 and N13, row by row.

What it is: a straightforward formulation over float64 arrays that hold element values, every node
rounded to the element. What it is not: fast, or the product's code.
Invariant: `v` has the lanes in its last axis; a missing lane is +0 (1 for a product).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numerics.formats import Format
from numerics.targets import Target

Node = Callable[[np.ndarray, np.ndarray], np.ndarray]


@dataclass(frozen=True)
class Element:
    """One rounding an operation in the element type, settled by the target."""

    target: Target
    form: Format

    def rounded(self, values: np.ndarray) -> np.ndarray:
        """Exact sums and products of halves, in units of the last place of the half."""
        form = self.form
        exponent = np.maximum(np.frexp(values)[1] - 1, form.least_exponent)
        quantum = np.ldexp(1.0, exponent - form.fraction_bits)
        result = np.where(np.isfinite(values), np.rint(values / quantum) * quantum, values)
        beyond = np.abs(result) >= 2.0 ** (form.bias + 1)
        largest = 2.0 ** (form.bias + 1) - 2.0 ** (form.bias - form.fraction_bits)
        limit = largest if self.target.saturates else np.inf
        result = np.where(beyond, np.copysign(limit, result), result)
        return np.where(np.isnan(result), 0.0, result) if self.target.saturates else result

    def add(self, a: np.ndarray, b: np.ndarray) -> np.ndarray:
        if self.form.name == "float32":
            return (a.astype(np.float32) + b.astype(np.float32)).astype(np.float64)
        return self.rounded(a + b)

    def mul(self, a: np.ndarray, b: np.ndarray) -> np.ndarray:
        if self.form.name == "float32":
            return (a.astype(np.float32) * b.astype(np.float32)).astype(np.float64)
        return self.rounded(a * b)


def padded(v: np.ndarray, lanes: int, missing: float = 0.0) -> np.ndarray:
    """`v` with its last axis filled up to a multiple of `lanes`."""
    more = -v.shape[-1] % lanes
    if not more:
        return v
    return np.concatenate([v, np.full((*v.shape[:-1], more), missing)], axis=-1)


def tree(node: Node, v: np.ndarray) -> np.ndarray:
    """T(v): adjacent pairs until one is left."""
    while v.shape[-1] > 1:
        v = node(v[..., ::2], v[..., 1::2])
    return v[..., 0]


def in_order(node: Node, v: np.ndarray) -> np.ndarray:
    """From the first to the last."""
    total = v[..., 0]
    for i in range(1, v.shape[-1]):
        total = node(total, v[..., i])
    return total


def blocks(v: np.ndarray, lanes: int, missing: float = 0.0) -> list[np.ndarray]:
    """The last axis in blocks of `lanes`, the last one filled up."""
    v = padded(v, lanes, missing)
    return [v[..., i : i + lanes] for i in range(0, v.shape[-1], lanes)]


def whole_sum(element: Element, v: np.ndarray) -> np.ndarray:
    """N12.1."""
    target, node = element.target, element.add
    if not target.npu:
        return in_order(node, v)
    width = 64 if element.form.name == "float32" else 128
    repeats = blocks(v, width)
    if target.flushes_functions:  # A5
        if len(repeats) <= 4:
            folded = repeats[0]
            if len(repeats) == 4:
                folded = node(node(repeats[0], repeats[1]), node(repeats[2], repeats[3]))
            elif len(repeats) > 1:
                for repeat in repeats[1:]:
                    folded = node(folded, repeat)
            return tree(node, folded)
        while len(repeats) > 1:
            partial = np.stack([tree(node, repeat) for repeat in repeats], axis=-1)
            repeats = blocks(partial, width)
        return tree(node, repeats[0])
    return in_order(node, np.stack([tree(node, repeat) for repeat in repeats], axis=-1))


def along_last(target: Target, node: Node, v: np.ndarray, missing: float) -> np.ndarray:
    """N12.2, and N12.6 with another node."""
    count = v.shape[-1]
    if not target.npu:
        return in_order(node, v)
    is_a5 = target.flushes_functions
    if is_a5 and count <= 24:
        total = None
        for block in blocks(v, 8, missing):
            total = block if total is None else node(total, block)
        return tree(node, total)
    if count <= 8:
        return tree(node, padded(v, 8, missing))
    if count <= 64:
        return tree(node, padded(v, 64, missing))
    half = 1 << ((count - 1).bit_length() - 1)
    head, tail = v[..., :half], v[..., half:]
    head = np.concatenate(
        [node(head[..., : count - half], tail), head[..., count - half :]], axis=-1
    )
    while head.shape[-1] > 64:
        middle = head.shape[-1] // 2
        pairs = (
            (head[..., :middle], head[..., middle:]) if is_a5 else (head[..., ::2], head[..., 1::2])
        )
        head = node(*pairs)
    return tree(node, head)


def along_first(target: Target, node: Node, v: np.ndarray, missing: float) -> np.ndarray:
    """N12.3 for rows in the last axis."""
    count = v.shape[-1]
    if not target.npu:
        return in_order(node, v)
    if not target.flushes_functions and missing == 0.0:
        v = node(v, np.zeros(v.shape))
    power = 1 << (count.bit_length() - 1)
    if count > power:
        rest = count - power
        v = np.concatenate([node(v[..., :rest], v[..., power:]), v[..., rest:power]], axis=-1)
    while v.shape[-1] > 1:
        middle = v.shape[-1] // 2
        v = node(v[..., :middle], v[..., middle:])
    return v[..., 0]


def row_sum(target: Target, node: Node, v: np.ndarray) -> np.ndarray:
    """S(v) of N13, float32."""
    count = v.shape[-1]
    if not target.npu:
        return in_order(node, v)
    if target.flushes_functions:  # A5
        total = np.zeros((*v.shape[:-1], 64))
        for block in blocks(v, 64):
            total = node(total, block)
        return tree(node, total)
    if count < 64:
        return tree(node, padded(v, 64))
    if count < 128:
        head, tail = v[..., :64], v[..., 64:]
        rest = count - 64
        return tree(node, np.concatenate([node(head[..., :rest], tail), head[..., rest:]], axis=-1))
    if count < 512:
        total = None
        for block in partial_blocks(v):
            total = block if total is None else added_lanes(node, total, block)
        return tree(node, total)
    total = None
    full = count - count % 512
    for start in range(0, full, 512):
        part = v[..., start : start + 512]
        partial = np.stack([tree(node, part[..., i : i + 8]) for i in range(0, 512, 8)], axis=-1)
        total = partial if total is None else node(total, partial)
    if count > full:
        for block in partial_blocks(v[..., full:]):
            total = added_lanes(node, total, block)
    return tree(node, total)


def partial_blocks(v: np.ndarray) -> list[np.ndarray]:
    """Blocks of 64 lanes; the last one has what is left."""
    return [v[..., i : i + 64] for i in range(0, v.shape[-1], 64)]


def added_lanes(node: Node, total: np.ndarray, block: np.ndarray) -> np.ndarray:
    """`block` added onto the first lanes of `total`; the others stay."""
    count = block.shape[-1]
    return np.concatenate([node(total[..., :count], block), total[..., count:]], axis=-1)
