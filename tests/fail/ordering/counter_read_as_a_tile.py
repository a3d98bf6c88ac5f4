"""A loop counts in an element of the array and reads it as part of a tile."""

import asc2
import numpy as np


@asc2.jit
def kernel(x_ptr):
    x_gm = asc2.global_tensor(x_ptr, [256])
    for _ in asc2.range(4):
        head = asc2.copy_in(x_gm, [0], [8])
        asc2.copy_out(head + 1.0, x_gm, [64])
        asc2.copy_out(5.0, x_gm, [0])


x = np.arange(256, dtype=np.float32)
kernel[1](x)
