"""Tiles beyond the declared shape move nothing."""

import asc2
import numpy as np


@asc2.jit
def kernel(x_ptr, y_ptr):
    x_gm = asc2.global_tensor(x_ptr, [64])
    y_gm = asc2.global_tensor(y_ptr, [64])
    for i in range(5):
        x = asc2.copy_in(x_gm, [16 * i], [16])
        asc2.copy_out(x, y_gm, [16 * i])


x = np.arange(1, 65, dtype=np.float32)
y = np.zeros_like(x)
kernel[1](x, y)
assert np.array_equal(y, x), y
