"""The inner loop orders its iterations, the outer one does not: a sweep reads the sweep before."""

import asc2
import numpy as np


@asc2.jit
def kernel(x_ptr):
    x_gm = asc2.global_tensor(x_ptr, [256])
    for _sweep in asc2.range(2):
        for i in asc2.range(4, gm_barrier=True):
            x = asc2.copy_in(x_gm, [i * 64], [64])
            asc2.copy_out(x + 1.0, x_gm, [i * 64])


x = np.arange(256, dtype=np.float32)
kernel[1](x)
