"""A single element is converted."""

import asc2
import numpy as np


@asc2.jit
def kernel(x_ptr, y_ptr):
    y_gm = asc2.global_tensor(y_ptr, [64])
    one = asc2.full([1], 2.5, asc2.float16)
    asc2.copy_out(one, y_gm, [3])


x = np.arange(1, 65, dtype=np.float32)
y = np.zeros_like(x)
kernel[1](x, y)
assert y[3] == 2.5, y
