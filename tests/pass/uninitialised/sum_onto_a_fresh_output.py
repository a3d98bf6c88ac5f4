"""A launch before sets the output to zero; only there it starts unwritten."""

import asc2
import ascemu
import numpy as np


@asc2.jit
def clear(y_ptr):
    asc2.copy_out(asc2.full([64], 0.0), asc2.global_tensor(y_ptr, [64]), [0])


@asc2.jit
def kernel(x_ptr, y_ptr):
    x_gm = asc2.global_tensor(x_ptr, [2, 64])
    y_gm = asc2.global_tensor(y_ptr, [64])
    x = asc2.copy_in(x_gm, [asc2.block_idx(), 0], [64])
    asc2.atomic_add(x, y_gm, [0])


x = np.ones((2, 64), np.float32)
y = np.full(64, np.nan, np.float32)
with ascemu.options(fresh=["y_ptr"]):
    clear[1](y)
kernel[2](x, y)
assert (y == 2).all(), y
