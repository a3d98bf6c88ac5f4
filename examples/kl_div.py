"""kl_div: target * (log target - input), element by element or summed over all blocks."""

import asc
import asc2
import numpy as np
import pytest
from checking import assert_close, check, main, outcome, to_float64

TINY = float(np.finfo(np.float32).tiny)  # log of it is finite; where() drops what comes of it


@asc2.jit
def kl_div_kernel(
    input_ptr: asc.GlobalAddress,
    target_ptr: asc.GlobalAddress,
    out_ptr: asc.GlobalAddress,
    size,
    rows,
    tile_size: asc.ConstExpr[int],
    reduction: asc.ConstExpr[str],
):
    input_gm = asc2.global_tensor(input_ptr, [size])
    target_gm = asc2.global_tensor(target_ptr, [size])
    if reduction == "none":
        out_gm = asc2.global_tensor(out_ptr, [size])
    else:
        out_gm = asc2.global_tensor(out_ptr, [1])
    total = asc2.number(0.0, asc2.float32)
    step = asc2.block_num() * tile_size
    for offset in asc2.range(asc2.block_idx() * tile_size, size, step):
        x = asc2.copy_in(input_gm, [offset], [tile_size], pad_value=0.0)
        target = asc2.copy_in(target_gm, [offset], [tile_size], pad_value=0.0)
        loss = asc2.where(target > 0, target * (asc2.log(asc2.maximum(target, TINY)) - x), 0.0)
        if reduction == "none":
            asc2.copy_out(loss, out_gm, [offset])
        else:
            total = total + asc2.reduce_sum(loss)
    if reduction != "none":
        if reduction == "batchmean":
            total = total / rows
        asc2.atomic_add(asc2.full([1], total), out_gm, [0])


def kl_div(x, target, reduction, blocks, tile_size=256, static=False):
    out = np.zeros(x.shape if reduction == "none" else 1, np.float32)
    scalars = [x.size, x.shape[0]]
    if static:
        scalars = map(asc2.ConstExpr, scalars)
    kl_div_kernel[blocks](x, target, out, *scalars, tile_size, reduction)
    return out


def inputs(rows, cols, seed=26):
    rng = np.random.default_rng(seed)
    logits = rng.normal(0, 1, (rows, cols))
    x = logits - np.log(np.exp(logits).sum(axis=1, keepdims=True))
    target = rng.random((rows, cols))
    target[rng.random((rows, cols)) < 0.1] = 0
    target[:, 0] += 0.1
    return x.astype(np.float32), (target / target.sum(axis=1, keepdims=True)).astype(np.float32)


def reference(x, target, reduction):
    x, target = to_float64(x), to_float64(target)
    logs = np.log(np.where(target > 0, target, 1))
    loss = target * (logs - x)
    if reduction == "none":
        return loss
    return np.array([loss.sum() / (len(x) if reduction == "batchmean" else 1)])


@pytest.mark.parametrize("static", [False, True], ids=["dynamic", "static"])
@pytest.mark.parametrize("reduction", ["none", "sum", "batchmean"])
@pytest.mark.parametrize("rows,cols,blocks", [(1, 10, 1), (20, 33, 3), (64, 100, 8)])
def test_kl_div(rows, cols, blocks, reduction, static):
    x, target = inputs(rows, cols)
    out = kl_div(x, target, reduction, blocks, static=static)
    assert_close(out, reference(x, target, reduction), rtol=1e-5)


def example():
    blocks = 8
    x, target = inputs(100, 150)
    elementwise = kl_div(x, target, "none", blocks)
    mean = kl_div(x, target, "batchmean", blocks)
    return outcome(
        "kl_div",
        blocks,
        check(elementwise, reference(x, target, "none")),
        check(mean, reference(x, target, "batchmean"), rtol=1e-5),
    )


if __name__ == "__main__":
    raise SystemExit(main(example))
