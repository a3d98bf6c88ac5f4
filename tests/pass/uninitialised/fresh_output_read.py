"""Half of the output is stored, and that half is read back."""

import asc2
import ascemu
import numpy as np


@asc2.jit
def kernel(x_ptr, y_ptr):
    x_gm = asc2.global_tensor(x_ptr, [64])
    y_gm = asc2.global_tensor(y_ptr, [64])
    for i in asc2.range(0, 1, gm_barrier=True):
        asc2.copy_out(asc2.copy_in(x_gm, [0], [32]), y_gm, [i])
        y = asc2.copy_in(y_gm, [i], [32])
        asc2.copy_out(y + y, x_gm, [0])


x = np.ones(64, np.float32)
y = np.zeros(64, np.float32)
with ascemu.options(fresh=["y_ptr"]):
    kernel[1](x, y)
assert (x[:32] == 2).all(), x
