"""The same array is passed twice: under its other name it is read after it was stored."""

import asc2
import numpy as np


@asc2.jit
def kernel(x_ptr, y_ptr):
    x_gm = asc2.global_tensor(x_ptr, [256])
    y_gm = asc2.global_tensor(y_ptr, [256])
    for i in asc2.range(3):
        x = asc2.copy_in(x_gm, [i * 64], [64])
        asc2.copy_out(x, y_gm, [i * 64 + 64])


x = np.arange(256, dtype=np.float32)
kernel[1](x, x)
