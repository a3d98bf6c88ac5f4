"""The largest element of a tile that is loaded in part."""

import asc2
import numpy as np


@asc2.jit
def kernel(x_ptr, y_ptr):
    x_gm = asc2.global_tensor(x_ptr, [50])
    y_gm = asc2.global_tensor(y_ptr, [1])
    x = asc2.copy_in(x_gm, [0], [64])
    asc2.copy_out(asc2.reduce_max(x), y_gm, [0])


x = np.arange(-50, 0, dtype=np.float32)
y = np.zeros(1, np.float32)
kernel[1](x, y)
