"""A scalar is loaded from behind the array."""

import asc2
import numpy as np


@asc2.jit
def kernel(x_ptr, y_ptr, n):
    x_gm = asc2.global_tensor(x_ptr, [64])
    asc2.copy_out(asc2.copy_in(x_gm, [n]), asc2.global_tensor(y_ptr, [64]), [0])


x = np.arange(1, 65, dtype=np.float32)
y = np.zeros_like(x)
kernel[1](x, y, 64)
