"""quantize: every row scaled by its largest magnitude and rounded to int8; one scale per row.

The int8 result may differ from the float64 reference by one step: values pass through float16.
"""

import asc
import asc2
import numpy as np
import pytest
from checking import assert_close, check, main, outcome, to_float64

LIMIT = 127.0
LINE = 16  # scales in a line of the scalar cache, which blocks must not share


@asc2.jit
def quantize_kernel(
    x_ptr: asc.GlobalAddress,
    out_ptr: asc.GlobalAddress,
    scale_ptr: asc.GlobalAddress,
    rows,
    cols,
    tile_cols: asc.ConstExpr[int],
    round_mode: asc.ConstExpr,
):
    x_gm = asc2.global_tensor(x_ptr, [rows, cols])
    out_gm = asc2.global_tensor(out_ptr, [rows, cols])
    scale_gm = asc2.global_tensor(scale_ptr, [rows])
    step = asc2.block_num() * LINE
    for first in asc2.range(asc2.block_idx() * LINE, rows, step):
        for row in asc2.range(first, min(first + LINE, rows)):
            x = asc2.copy_in(x_gm, [row, 0], [tile_cols], pad_value=0.0)
            largest = asc2.reduce_max(asc2.abs(x))
            if largest > 0.0:
                scaled = x * (LIMIT / largest)
                steps = asc2.cast(scaled.to(asc2.float16), asc2.int8, round_mode=round_mode)
                asc2.copy_out(steps, out_gm, [row, 0])
            else:
                zeros = asc2.zeros([tile_cols], asc2.int8)
                asc2.copy_out(zeros, out_gm, [row, 0])
            asc2.copy_out(largest / LIMIT, scale_gm, [row])


def quantize(x, blocks, round_mode=asc2.RoundMode.Rint, static=False):
    rows, cols = x.shape
    out, scale = np.empty((rows, cols), np.int8), np.empty(rows, np.float32)
    scalars = [rows, cols]
    if static:
        scalars = map(asc2.ConstExpr, scalars)
    quantize_kernel[blocks](x, out, scale, *scalars, asc2.ceildiv(cols, 32) * 32, round_mode)
    return out, scale


def inputs(rows, cols, seed=36):
    x = np.random.default_rng(seed).normal(0, 5, (rows, cols)).astype(np.float32)
    x[rows // 2] = 0
    return x


def reference(x, rounding=np.rint):
    x = to_float64(x)
    scale = np.abs(x).max(axis=1) / LIMIT
    safe = np.where(scale > 0, scale, 1)
    return rounding(x / safe[:, None]), scale


@pytest.mark.parametrize("static", [False, True], ids=["dynamic", "static"])
@pytest.mark.parametrize(
    "mode,rounding",
    [
        (asc2.RoundMode.Rint, np.rint),
        (asc2.RoundMode.Floor, np.floor),
        (asc2.RoundMode.Ceil, np.ceil),
        (asc2.RoundMode.Trunc, np.trunc),
    ],
)
@pytest.mark.parametrize("rows,cols,blocks", [(3, 32, 1), (10, 77, 4)])
def test_quantize(rows, cols, blocks, mode, rounding, static):
    x = inputs(rows, cols)
    out, scale = quantize(x, blocks, mode, static)
    want, want_scale = reference(x, rounding)
    assert_close(out, want, atol=1)
    assert np.mean(out != want) < 0.1
    assert_close(scale, want_scale)


def example():
    blocks = 8
    x = inputs(100, 200)
    out, scale = quantize(x, blocks)
    want, want_scale = reference(x)
    return outcome("quantize", blocks, check(out, want, atol=1), check(scale, want_scale))


if __name__ == "__main__":
    raise SystemExit(main(example))
