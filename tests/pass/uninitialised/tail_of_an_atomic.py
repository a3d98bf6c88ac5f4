"""The update is clipped to the columns that are defined."""

import asc2
import numpy as np


@asc2.jit
def kernel(x_ptr, y_ptr):
    x_gm = asc2.global_tensor(x_ptr, [2, 40])
    y_gm = asc2.global_tensor(y_ptr, [40])
    x = asc2.copy_in(x_gm, [0, 0], [2, 64])
    asc2.atomic_add(asc2.reduce_sum(x, 0), y_gm, [0])


x = np.ones((2, 40), np.float32)
y = np.zeros(64, np.float32)
kernel[1](x, y)
assert (y[:40] == 2).all() and not y[40:].any(), y
