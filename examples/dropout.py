"""dropout: keep where a random number reaches p, scale what is kept, write the mask as int8."""

import asctile
import numpy as np
import pytest
from checking import assert_close, check, main, outcome, to_float64


@asctile.jit
def dropout_kernel(
    x_ptr: asctile.GlobalAddress,
    random_ptr: asctile.GlobalAddress,
    out_ptr: asctile.GlobalAddress,
    mask_ptr: asctile.GlobalAddress,
    size,
    p,
    tile_size: asctile.ConstExpr[int],
):
    x_gm = asctile.global_tensor(x_ptr, [size])
    random_gm = asctile.global_tensor(random_ptr, [size])
    out_gm = asctile.global_tensor(out_ptr, [size])
    mask_gm = asctile.global_tensor(mask_ptr, [size])
    scale = 1.0 / (1.0 - p)
    for i in asctile.range(
        asctile.block_idx(), asctile.ceildiv(size, tile_size), asctile.block_num()
    ):
        offset = i * tile_size
        x = asctile.copy_in(x_gm, [offset], [tile_size])
        random = asctile.copy_in(random_gm, [offset], [tile_size])
        keep = random >= p
        asctile.copy_out(asctile.where(keep, x * scale, 0.0), out_gm, [offset])
        flags = asctile.where(keep, 1.0, 0.0).to(asctile.float16)
        asctile.copy_out(flags.to(asctile.int8), mask_gm, [offset])


@asctile.jit
def dropout_backward_kernel(
    grad_ptr: asctile.GlobalAddress,
    mask_ptr: asctile.GlobalAddress,
    out_ptr: asctile.GlobalAddress,
    size,
    p,
    tile_size: asctile.ConstExpr[int],
):
    grad_gm = asctile.global_tensor(grad_ptr, [size])
    mask_gm = asctile.global_tensor(mask_ptr, [size])
    out_gm = asctile.global_tensor(out_ptr, [size])
    for i in asctile.range(
        asctile.block_idx(), asctile.ceildiv(size, tile_size), asctile.block_num()
    ):
        grad = asctile.copy_in(grad_gm, [i * tile_size], [tile_size])
        mask = asctile.copy_in(mask_gm, [i * tile_size], [tile_size])
        kept = asctile.where(mask != 0, grad, 0.0) * (1.0 / (1.0 - p))
        asctile.copy_out(kept, out_gm, [i * tile_size])


def dropout(x, random, p, blocks, tile_size=256, static=False):
    out, mask = np.empty_like(x), np.empty(x.size, np.int8)
    scalars = [x.size, p]
    if static:
        scalars = map(asctile.ConstExpr, scalars)
    dropout_kernel[blocks](x, random, out, mask, *scalars, tile_size)
    return out, mask


def dropout_backward(grad, mask, p, blocks, tile_size=256):
    out = np.empty_like(grad)
    dropout_backward_kernel[blocks](grad, mask, out, grad.size, p, tile_size)
    return out


def inputs(size, dtype=np.float32, seed=25):
    rng = np.random.default_rng(seed)
    return rng.normal(0, 2, size).astype(dtype), rng.random(size).astype(np.float32)


def reference(x, keep, p):
    return np.where(keep, to_float64(x) / (1 - p), 0)


@pytest.mark.parametrize("static", [False, True], ids=["dynamic", "static"])
@pytest.mark.parametrize("p", [0.0, 0.25, 0.5])
@pytest.mark.parametrize("dtype", [np.float16, np.float32])
@pytest.mark.parametrize("size,blocks", [(15, 1), (1000, 4)])
def test_dropout_forward_and_backward(size, blocks, dtype, p, static):
    x, random = inputs(size, dtype)
    keep = random >= np.float32(p)
    out, mask = dropout(x, random, p, blocks, static=static)
    assert_close(out, reference(x, keep, p))
    assert_close(mask, keep.astype(np.int8))
    assert_close(dropout_backward(x, mask, p, blocks), reference(x, keep, p))


def example():
    blocks = 8
    x, random = inputs(20_000)
    keep = random >= np.float32(0.25)
    out, mask = dropout(x, random, 0.25, blocks, tile_size=1024)
    return outcome(
        "dropout", blocks, check(out, reference(x, keep, 0.25)), check(mask, keep.astype(np.int8))
    )


if __name__ == "__main__":
    raise SystemExit(main(example))
