"""A column as a tile of rank 1, which may have any length."""

import asc2
import numpy as np


@asc2.jit
def kernel(x_ptr, y_ptr):
    x_gm = asc2.global_tensor(x_ptr, [32])
    y_gm = asc2.global_tensor(y_ptr, [32])
    x = asc2.copy_in(x_gm, [0], [5])
    asc2.copy_out(x, y_gm, [0])


x = np.arange(1, 32 + 1, dtype=np.float32).reshape(8, 4)
y = np.zeros(32, np.float32)
kernel[1](x, y)
