"""Two nested loops are both unrolled."""

import asc2
import numpy as np


@asc2.jit
def kernel(x_ptr, y_ptr, n):
    x_gm = asc2.global_tensor(x_ptr, [64])
    y_gm = asc2.global_tensor(y_ptr, [64])
    for i in asc2.range(2, unroll_factor=2):
        for j in asc2.range(2, unroll_factor=2):
            at = [(i * 2 + j) * 16]
            asc2.copy_out(asc2.copy_in(x_gm, at, [16]), y_gm, at)


x = np.arange(1, 65, dtype=np.float32)
y = np.zeros_like(x)
kernel[1](x, y, 4)
