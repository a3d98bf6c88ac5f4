"""Two blocks store scalars side by side."""

import asc2
import numpy as np


@asc2.jit
def kernel(y_ptr):
    y_gm = asc2.global_tensor(y_ptr, [64])
    asc2.copy_out(asc2.number(1.0, asc2.float32), y_gm, [asc2.block_idx() * 1])


y = np.zeros(64, np.float32)
kernel[2](y)
