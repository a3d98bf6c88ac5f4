"""Broken on purpose: a variable is misspelled, in a branch that this launch never takes."""

import asc
import asc2
import numpy as np

EXPECTED = "CodegenError"
MENTIONS = ("ofset", "offset")


@asc2.jit
def shift_kernel(
    x_ptr: asc.GlobalAddress,
    out_ptr: asc.GlobalAddress,
    size: int,
    amount: int,
    tile_size: asc.ConstExpr[int],
):
    x_gm = asc2.global_tensor(x_ptr, [size])
    out_gm = asc2.global_tensor(out_ptr, [size])
    offset = asc2.block_idx() * tile_size
    if amount > 0:
        x = asc2.copy_in(x_gm, [offset + amount], [tile_size])
        asc2.copy_out(x, out_gm, [ofset])  # noqa: F821


def launch():
    shift_kernel[1](np.ones(64, np.float32), np.zeros(64, np.float32), 64, 0, 64)


if __name__ == "__main__":
    launch()
