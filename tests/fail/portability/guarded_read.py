"""A conditional expression guards a read, but the device evaluates both sides."""

import asc2
import numpy as np


@asc2.jit
def kernel(x_ptr, y_ptr, n):
    x_gm = asc2.global_tensor(x_ptr, [64])
    y_gm = asc2.global_tensor(y_ptr, [64])
    last = asc2.copy_in(x_gm, [n]) if n < 64 else 0
    asc2.copy_out(last, y_gm, [0])


x = np.arange(1, 65, dtype=np.int32)
y = np.zeros_like(x)
kernel[1](x, y, 4)
