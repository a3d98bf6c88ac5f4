"""A kernel stores its result in an array."""

import asc2
import numpy as np


@asc2.jit
def kernel(x_ptr, y_ptr, n):
    x_gm = asc2.global_tensor(x_ptr, [64])
    y_gm = asc2.global_tensor(y_ptr, [64])
    STATE_TILES = 4
    asc2.copy_out(asc2.copy_in(x_gm, [0], [64]) + STATE_TILES, y_gm, [0])


x = np.arange(1, 65, dtype=np.float32)
y = np.zeros_like(x)
kernel[1](x, y, 4)
