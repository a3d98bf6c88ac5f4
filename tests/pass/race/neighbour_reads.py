"""A block updates its own tile in place."""

import asc2
import numpy as np


@asc2.jit
def kernel(x_ptr):
    x_gm = asc2.global_tensor(x_ptr, [192])
    block = asc2.block_idx()
    x = asc2.copy_in(x_gm, [block * 64], [64])
    asc2.copy_out(x + 1.0, x_gm, [block * 64])


x = np.arange(192, dtype=np.float32)
kernel[2](x)
