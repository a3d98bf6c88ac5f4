"""They have a value."""

import asc2
import numpy as np


@asc2.jit
def kernel(x_ptr, y_ptr):
    x_gm = asc2.global_tensor(x_ptr, [64])
    y_gm = asc2.global_tensor(y_ptr, [64])
    x = asc2.copy_in(x_gm, [0], [64])
    with asc2.mask(count=16, other=7):
        y = x + 1.0
        asc2.copy_out(y, y_gm, [0])


x = np.ones(64, np.float32)
y = np.zeros_like(x)
kernel[1](x, y)
assert y.sum() == 16 * 2 + 48 * 7, y
