"""normalize_sync: x / sum(x) over all blocks; partial sums meet at a barrier between two phases.

Every block writes its partial sum as a whole 64-byte line, waits for the others in
`asc.sync_all()`, then adds all the partial sums up itself.
"""

import asc
import asctile
import numpy as np
import pytest
from checking import assert_close, check, main, outcome, to_float64

LINE = 16


@asctile.jit
def normalize_sync_kernel(
    x_ptr: asctile.GlobalAddress,
    partial_ptr: asctile.GlobalAddress,
    out_ptr: asctile.GlobalAddress,
    size,
    blocks: asctile.ConstExpr[int],
    tile_size: asctile.ConstExpr[int],
):
    x_gm = asctile.global_tensor(x_ptr, [size])
    partial_gm = asctile.global_tensor(partial_ptr, [blocks, LINE])
    out_gm = asctile.global_tensor(out_ptr, [size])
    block = asctile.block_idx()
    first = block * tile_size
    step = asctile.block_num() * tile_size

    partial = asctile.zeros([tile_size], asctile.float32)
    for offset in range(first, size, step):
        partial = partial + asctile.copy_in(x_gm, [offset], [tile_size], pad_value=0.0)
    line = asctile.full([1, LINE], asctile.reduce_sum(partial))
    asctile.copy_out(line, partial_gm, [block, 0])

    asc.sync_all()

    lines = asctile.copy_in(partial_gm, [0, 0], [blocks, LINE])
    total = asctile.reduce_sum(lines) / LINE
    for offset in range(first, size, step):
        x = asctile.copy_in(x_gm, [offset], [tile_size])
        asctile.copy_out(x / total, out_gm, [offset])


def normalize(x, blocks, tile_size=64, static=False):
    partial = np.zeros((blocks, LINE), np.float32)
    out = np.empty_like(x)
    size = asctile.ConstExpr(x.size) if static else x.size
    normalize_sync_kernel[blocks](x, partial, out, size, blocks, tile_size)
    return out, partial[:, 0].copy()


def inputs(size, seed=34):
    return np.random.default_rng(seed).uniform(0.5, 2, size).astype(np.float32)


def reference(x):
    x = to_float64(x)
    return x / x.sum()


@pytest.mark.parametrize("static", [False, True], ids=["dynamic", "static"])
@pytest.mark.parametrize("size,blocks", [(10, 1), (1000, 2), (5001, 24), (10_000, 72)])
def test_normalize(size, blocks, static):
    x = inputs(size)
    out, partial = normalize(x, blocks, static=static)
    assert_close(out, reference(x), rtol=1e-5, atol=0)
    assert_close(np.float32(partial.sum(dtype=np.float64)), to_float64(x).sum(), rtol=1e-5)


def test_blocks_without_work_still_reach_the_barrier():
    x = inputs(10)
    out, partial = normalize(x, 8)
    assert_close(out, reference(x), rtol=1e-5, atol=0)
    assert np.array_equal(partial[1:], np.zeros(7, np.float32))


def example():
    blocks = 24
    x = inputs(50_000)
    out, partial = normalize(x, blocks, tile_size=256)
    parts = np.zeros(blocks)
    for tile, start in enumerate(range(0, x.size, 256)):
        parts[tile % blocks] += to_float64(x[start : start + 256]).sum()
    return outcome(
        "normalize_sync",
        blocks,
        check(out, reference(x), rtol=1e-5, atol=0),
        check(partial, parts, rtol=1e-5),
    )


if __name__ == "__main__":
    raise SystemExit(main(example))
