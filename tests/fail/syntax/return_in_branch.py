"""A return inside a runtime branch."""

import asc2
import numpy as np


@asc2.jit
def kernel(x_ptr, y_ptr):
    if asc2.block_idx() == 0:
        return
    asc2.copy_out(1.0, asc2.global_tensor(y_ptr, [64]), [0])


x = np.arange(1, 65, dtype=np.float32)
y = np.zeros_like(x)
kernel[1](x, y)
