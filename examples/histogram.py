"""histogram: every block counts its share of the values, then adds its counts atomically."""

import asc
import asc2
import numpy as np
import pytest
from checking import assert_close, check, main, outcome

NO_BIN = -1


@asc2.jit
def histogram_kernel(
    values_ptr: asc.GlobalAddress,
    bins_ptr: asc.GlobalAddress,
    counts_ptr: asc.GlobalAddress,
    size,
    bins: asc.ConstExpr[int],
    tile_size: asc.ConstExpr[int],
):
    values_gm = asc2.global_tensor(values_ptr, [size])
    bins_gm = asc2.global_tensor(bins_ptr, [bins])
    counts_gm = asc2.global_tensor(counts_ptr, [bins])
    numbers = asc2.copy_in(bins_gm, [0], [bins]).reshape(1, bins)
    counts = asc2.zeros([bins])
    step = asc2.block_num() * tile_size
    for offset in asc2.range(asc2.block_idx() * tile_size, size, step):
        values = asc2.copy_in(values_gm, [offset], [tile_size], pad_value=NO_BIN)
        hits = asc2.where(values.reshape(tile_size, 1) == numbers, 1, 0)
        counts = counts + asc2.reduce_sum(hits, 0)
    asc2.atomic_add(counts, counts_gm, [0])


def histogram(values, bins, blocks, tile_size=64, static=False):
    counts = np.zeros(bins, np.int32)
    numbers = np.arange(bins, dtype=np.int32)
    size = asc2.ConstExpr(values.size) if static else values.size
    histogram_kernel[blocks](values, numbers, counts, size, bins, tile_size)
    return counts


def inputs(size, bins, seed=24):
    rng = np.random.default_rng(seed)
    return rng.binomial(bins - 1, 0.4, size).astype(np.int32)


@pytest.mark.parametrize("static", [False, True], ids=["dynamic", "static"])
@pytest.mark.parametrize("bins", [8, 32])
@pytest.mark.parametrize("size,blocks", [(1, 1), (1000, 4), (5003, 16)])
def test_histogram(size, blocks, bins, static):
    values = inputs(size, bins)
    counts = histogram(values, bins, blocks, static=static)
    assert_close(counts, np.bincount(values, minlength=bins))
    assert counts.sum() == size


def test_counts_add_to_what_is_there():
    values = inputs(500, 8)
    counts = np.full(8, 100, np.int32)
    histogram_kernel[2](values, np.arange(8, dtype=np.int32), counts, values.size, 8, 64)
    assert_close(counts, 100 + np.bincount(values, minlength=8))


def example():
    blocks = 16
    values = inputs(20_000, 32)
    counts = histogram(values, 32, blocks, tile_size=128)
    return outcome("histogram", blocks, check(counts, np.bincount(values, minlength=32)))


if __name__ == "__main__":
    raise SystemExit(main(example))
