"""A step beyond the end."""

import asc2
import numpy as np


@asc2.jit
def kernel(x_ptr, y_ptr, step):
    y_gm = asc2.global_tensor(y_ptr, [64])
    for i in range(0, 4, step):
        asc2.copy_out(1.0, y_gm, [i])


x = np.arange(1, 65, dtype=np.float32)
y = np.zeros_like(x)
kernel[1](x, y, 9)
assert y.sum() == 1
