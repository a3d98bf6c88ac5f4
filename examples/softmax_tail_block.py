"""softmax_tail_block: rows dealt to cores in equal shares, the last core takes what remains.

One row at a time, a 1-D tile out of a 2-D tensor; the reductions give scalars.
"""

import asc
import asc2
import numpy as np
import pytest
from checking import assert_close, check, main, outcome, to_float64


@asc2.jit
def softmax_tail_block_kernel(
    x_ptr: asc.GlobalAddress,
    out_ptr: asc.GlobalAddress,
    rows,
    cols,
    block_rows,
    tail_rows,
    tile_cols: asc.ConstExpr[int],
):
    x_gm = asc2.global_tensor(x_ptr, [rows, cols])
    out_gm = asc2.global_tensor(out_ptr, [rows, cols])
    own_rows = block_rows
    if asc2.block_idx() == asc2.block_num() - 1:
        own_rows = tail_rows
    first = asc2.block_idx() * block_rows
    for i in asc2.range(own_rows):
        row = first + i
        x = asc2.copy_in(x_gm, [row, 0], [tile_cols], pad_value=float("-inf"))
        e = asc2.exp(x - asc2.reduce_max(x))
        asc2.copy_out(e / asc2.reduce_sum(e), out_gm, [row, 0])


def softmax_tail_block(x, cores, static=False):
    """Launches as many blocks as have rows; returns the output and the number of blocks."""
    rows, cols = x.shape
    block_rows = asc2.ceildiv(rows, cores)
    blocks = asc2.ceildiv(rows, block_rows)
    tail_rows = rows - (blocks - 1) * block_rows
    out = np.empty_like(x)
    scalars = [rows, cols, block_rows, tail_rows]
    if static:
        scalars = map(asc2.ConstExpr, scalars)
    softmax_tail_block_kernel[blocks](x, out, *scalars, asc2.ceildiv(cols, 8) * 8)
    return out, blocks


def inputs(rows, cols, seed=8):
    return np.random.default_rng(seed).normal(0, 4, (rows, cols)).astype(np.float32)


def reference(x):
    x = to_float64(x)
    e = np.exp(x - x.max(axis=1, keepdims=True))
    return e / e.sum(axis=1, keepdims=True)


@pytest.mark.parametrize("static", [False, True], ids=["dynamic", "static"])
@pytest.mark.parametrize("rows,cols,cores", [(1, 8, 4), (10, 33, 4), (50, 128, 8), (145, 40, 72)])
def test_softmax_tail_block(rows, cols, cores, static):
    x = inputs(rows, cols)
    out, _ = softmax_tail_block(x, cores, static=static)
    assert_close(out, reference(x))


def test_the_last_block_takes_the_remainder():
    _, blocks = softmax_tail_block(inputs(10, 8), 4)
    assert blocks == 4
    _, blocks = softmax_tail_block(inputs(9, 8), 4)
    assert blocks == 3


def example():
    x = inputs(130, 250)
    out, blocks = softmax_tail_block(x, 24)
    return outcome("softmax_tail_block", blocks, check(out, reference(x)))


if __name__ == "__main__":
    raise SystemExit(main(example))
