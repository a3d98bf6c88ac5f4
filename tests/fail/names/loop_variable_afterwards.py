"""The variable of a runtime loop does not exist after it."""

import asc2
import numpy as np


@asc2.jit
def kernel(x_ptr, y_ptr):
    y_gm = asc2.global_tensor(y_ptr, [64])
    for i in range(4):
        asc2.copy_out(1.0, y_gm, [i])
    asc2.copy_out(2.0, y_gm, [i])


x = np.arange(1, 65, dtype=np.float32)
y = np.zeros_like(x)
kernel[1](x, y)
