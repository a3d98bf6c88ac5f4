"""The outer loop orders the sweeps; within a sweep every tile is read before it is stored."""

import asc2
import numpy as np


@asc2.jit
def kernel(x_ptr):
    x_gm = asc2.global_tensor(x_ptr, [256])
    for _sweep in asc2.range(2, gm_barrier=True):
        for i in asc2.range(4):
            x = asc2.copy_in(x_gm, [i * 64], [64])
            asc2.copy_out(x + 1.0, x_gm, [i * 64])


x = np.arange(256, dtype=np.float32)
kernel[1](x)
