"""embedding: look rows of a table up by index (gather), and write rows back by index (scatter)."""

import asctile
import numpy as np
import pytest
from checking import assert_close, check, main, outcome


@asctile.jit
def embedding_kernel(
    table_ptr: asctile.GlobalAddress,
    index_ptr: asctile.GlobalAddress,
    out_ptr: asctile.GlobalAddress,
    count,
    vocabulary: asctile.ConstExpr[int],
    hidden: asctile.ConstExpr[int],
    tile: asctile.ConstExpr[int],
):
    table_gm = asctile.global_tensor(table_ptr, [vocabulary, hidden])
    index_gm = asctile.global_tensor(index_ptr, [count])
    out_gm = asctile.global_tensor(out_ptr, [count, hidden])
    for i in asctile.range(asctile.block_idx(), asctile.ceildiv(count, tile), asctile.block_num()):
        offset = i * tile
        index = asctile.copy_in(index_gm, [offset], [tile])
        used = min(tile, count - offset)
        rows = asctile.gather(table_gm, [0], 0, index, num_indices=used, pad_value=0)
        asctile.copy_out(rows, out_gm, [offset, 0], real_shape=[used, hidden])


@asctile.jit
def update_rows_kernel(
    table_ptr: asctile.GlobalAddress,
    index_ptr: asctile.GlobalAddress,
    rows_ptr: asctile.GlobalAddress,
    count,
    vocabulary: asctile.ConstExpr[int],
    hidden: asctile.ConstExpr[int],
    tile: asctile.ConstExpr[int],
):
    table_gm = asctile.global_tensor(table_ptr, [vocabulary, hidden])
    index_gm = asctile.global_tensor(index_ptr, [count])
    rows_gm = asctile.global_tensor(rows_ptr, [count, hidden])
    for i in asctile.range(asctile.block_idx(), asctile.ceildiv(count, tile), asctile.block_num()):
        offset = i * tile
        index = asctile.copy_in(index_gm, offsets=[offset], shape=[tile])
        rows = asctile.copy_in(rows_gm, offsets=[offset, 0], shape=[tile, hidden])
        used = min(tile, count - offset)
        asctile.scatter(rows, 0, index, table_gm, [0], num_indices=used)


def embedding(table, index, blocks, tile=32, static=False):
    out = np.empty((index.size, table.shape[1]), table.dtype)
    count = asctile.ConstExpr(index.size) if static else index.size
    embedding_kernel[blocks](table, index, out, count, *table.shape, tile)
    return out


def update_rows(table, index, rows, blocks, tile=32):
    update_rows_kernel[blocks](table, index, rows, index.size, *table.shape, tile)


def inputs(vocabulary, hidden, dtype=np.float32, seed=17):
    return np.random.default_rng(seed).normal(0, 1, (vocabulary, hidden)).astype(dtype)


@pytest.mark.parametrize("static", [False, True], ids=["dynamic", "static"])
@pytest.mark.parametrize("index_dtype", [np.int16, np.int32, np.int64])
@pytest.mark.parametrize("count,hidden,blocks", [(1, 8, 1), (50, 16, 2), (333, 64, 8)])
def test_embedding(count, hidden, blocks, index_dtype, static):
    table = inputs(100, hidden)
    index = np.random.default_rng(18).integers(0, 100, count).astype(index_dtype)
    assert np.array_equal(embedding(table, index, blocks, static=static), table[index])


def test_indices_out_of_range_give_the_pad_value():
    table = inputs(10, 16)
    index = np.array([3, -1, 9, 10, 1000, 0], np.int32)
    out = embedding(table, index, 1)
    inside = (index >= 0) & (index < 10)
    assert_close(out, np.where(inside[:, None], table[np.where(inside, index, 0)], 0))


@pytest.mark.parametrize("count,hidden,blocks", [(1, 8, 1), (50, 16, 2), (90, 64, 4)])
def test_update_rows(count, hidden, blocks):
    table = inputs(100, hidden)
    index = np.random.default_rng(19).permutation(100)[:count].astype(np.int32)
    rows = inputs(count, hidden, seed=20)
    expected = table.copy()
    expected[index] = rows
    update_rows(table, index, rows, blocks)
    assert np.array_equal(table, expected)


def test_the_last_of_equal_indices_wins_and_wrong_ones_are_skipped():
    table = inputs(10, 8)
    index = np.array([4, 12, 4, -3, 7], np.int32)
    rows = inputs(5, 8, seed=21)
    expected = table.copy()
    expected[4], expected[7] = rows[2], rows[4]
    update_rows(table, index, rows, 1)
    assert np.array_equal(table, expected)


def example():
    blocks = 8
    table = inputs(1000, 64)
    index = np.random.default_rng(22).permutation(1000)[:500].astype(np.int32)
    looked_up = embedding(table, index, blocks)
    rows = inputs(500, 64, seed=23)
    updated = table.copy()
    update_rows(updated, index, rows, blocks)
    expected = table.copy()
    expected[index] = rows
    return outcome("embedding", blocks, check(looked_up, table[index]), check(updated, expected))


if __name__ == "__main__":
    raise SystemExit(main(example))
