"""A negative offset."""

import asc2
import numpy as np


@asc2.jit
def kernel(x_ptr, y_ptr):
    y_gm = asc2.global_tensor(y_ptr, [64])
    asc2.copy_out(asc2.full([8], 1.0), y_gm, [asc2.block_idx() * 8 - 8])


x = np.arange(1, 65, dtype=np.float32)
y = np.zeros_like(x)
kernel[2](x, y)
