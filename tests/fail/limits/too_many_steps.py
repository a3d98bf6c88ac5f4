"""A loop that runs longer than the limit allows."""

import asc2
import ascemu
import numpy as np


@asc2.jit
def kernel(x_ptr, y_ptr):
    y_gm = asc2.global_tensor(y_ptr, [64])
    for i in range(2**30):
        asc2.copy_out(1.0, y_gm, [i % 64])


x = np.arange(1, 65, dtype=np.float32)
y = np.zeros_like(x)
with ascemu.options(max_steps=1000):
    kernel[1](x, y)
