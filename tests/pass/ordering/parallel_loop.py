"""The first generation's loop orders its iterations."""

import asc2
import numpy as np


@asc2.jit
def kernel(x_ptr):
    x_gm = asc2.tensor(x_ptr, [256])
    for i in asc2.range(3):
        x = asc2.load(x_gm, [64], tile_id=[i])
        asc2.store(x + 1.0, x_gm, tile_id=[i + 1])


x = np.arange(256, dtype=np.float32)
kernel[1](x)
