"""attention: softmax(q @ k.T * scale + mask) @ v in one kernel, keys and values taken in tiles.

Cube and vector work alternate: the scores leave L0C for the vector unit, the probabilities go back
through L1 to L0A. A running maximum and a running sum correct what earlier tiles contributed.
"""

import math

import asc2
import numpy as np
import pytest
from checking import assert_close, check, main, outcome, to_float64


@asc2.jit
def attention_kernel(
    q_ptr: asc2.GlobalAddress,
    k_ptr: asc2.GlobalAddress,
    v_ptr: asc2.GlobalAddress,
    mask_ptr: asc2.GlobalAddress,
    out_ptr: asc2.GlobalAddress,
    queries,
    keys,
    scale,
    width: asc2.ConstExpr[int],
    tile_q: asc2.ConstExpr[int],
    tile_k: asc2.ConstExpr[int],
):
    q_gm = asc2.global_tensor(q_ptr, [queries, width])
    k_gm = asc2.global_tensor(k_ptr, [keys, width])
    v_gm = asc2.global_tensor(v_ptr, [keys, width])
    mask_gm = asc2.global_tensor(mask_ptr, [queries, keys])
    out_gm = asc2.global_tensor(out_ptr, [queries, width])
    step = asc2.block_num() * tile_q
    for row in asc2.range(asc2.block_idx() * tile_q, queries, step):
        q = asc2.copy_in(q_gm, [row, 0], [tile_q, width], asc2.TensorLocation.L0A)
        top = asc2.full([tile_q, 1], float("-inf"))
        total = asc2.zeros([tile_q, 1], asc2.float32)
        out = asc2.zeros([tile_q, width], asc2.float32)
        for col in asc2.range(0, keys, tile_k):
            k = asc2.copy_in(k_gm, [col, 0], [tile_k, width], asc2.TensorLocation.L0B)
            v = asc2.copy_in(v_gm, [col, 0], [tile_k, width], asc2.TensorLocation.L0B)
            mask = asc2.copy_in(mask_gm, [row, col], [tile_q, tile_k])
            scores = (q @ k.T) * scale + mask
            new_top = asc2.maximum(top, asc2.reduce_max(scores, 1, keep_dims=True))
            weights = asc2.exp(scores - new_top)
            correction = asc2.exp(top - new_top)
            total = total * correction + asc2.reduce_sum(weights, 1, keep_dims=True)
            out = out * correction + weights.to(asc2.float16) @ v
            top = new_top
        used = [min(tile_q, queries - row), width]
        asc2.copy_out((out / total).to(asc2.float16), out_gm, [row, 0], real_shape=used)


def attention(q, k, v, mask, blocks, tile_q=16, tile_k=32, static=False):
    out = np.empty_like(q)
    scalars = [q.shape[0], k.shape[0], 1 / math.sqrt(q.shape[1])]
    if static:
        scalars = map(asc2.ConstExpr, scalars)
    attention_kernel[blocks](q, k, v, mask, out, *scalars, q.shape[1], tile_q, tile_k)
    return out


def inputs(queries, keys, width, seed=33):
    rng = np.random.default_rng(seed)
    shapes = ((queries, width), (keys, width), (keys, width))
    return tuple(rng.normal(0, 1, shape).astype(np.float16) for shape in shapes)


def causal_mask(queries, keys):
    later = np.arange(keys) > np.arange(queries)[:, None] + max(0, keys - queries)
    return np.where(later, -np.inf, 0).astype(np.float32)


def reference(q, k, v, mask):
    q, k, v, mask = map(to_float64, (q, k, v, mask))
    scores = q @ k.T / math.sqrt(q.shape[1]) + mask
    weights = np.exp(scores - scores.max(axis=1, keepdims=True))
    return weights / weights.sum(axis=1, keepdims=True) @ v


@pytest.mark.parametrize("static", [False, True], ids=["dynamic", "static"])
@pytest.mark.parametrize("causal", [False, True], ids=["full", "causal"])
@pytest.mark.parametrize(
    "queries,keys,width,blocks", [(16, 32, 32, 1), (40, 96, 64, 2), (70, 128, 32, 8)]
)
def test_attention(queries, keys, width, blocks, causal, static):
    q, k, v = inputs(queries, keys, width)
    mask = causal_mask(queries, keys) if causal else np.zeros((queries, keys), np.float32)
    out = attention(q, k, v, mask, blocks, static=static)
    assert_close(out, reference(q, k, v, mask), rtol=1e-2, atol=2e-3)


def example():
    blocks = 8
    q, k, v = inputs(100, 128, 64)
    mask = causal_mask(100, 128)
    out = attention(q, k, v, mask, blocks)
    return outcome("attention", blocks, check(out, reference(q, k, v, mask), rtol=1e-2, atol=2e-3))


if __name__ == "__main__":
    raise SystemExit(main(example))
