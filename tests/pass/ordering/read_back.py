"""The kernel stores a tile and goes on with the local tensor."""

import asc2
import numpy as np


@asc2.jit
def kernel(x_ptr):
    x_gm = asc2.global_tensor(x_ptr, [256])
    x = asc2.copy_in(x_gm, [0], [64])
    y = x + 1.0
    asc2.copy_out(y, x_gm, [64])
    asc2.copy_out(y * 2.0, x_gm, [128])


x = np.arange(256, dtype=np.float32)
kernel[1](x)
