"""The host passes the length of another array."""

import asc2
import numpy as np


@asc2.jit
def kernel(x_ptr, y_ptr, n):
    x_gm = asc2.global_tensor(x_ptr, [n])
    y_gm = asc2.global_tensor(y_ptr, [n])
    for i in range(asc2.ceildiv(n, 16)):
        asc2.copy_out(asc2.copy_in(x_gm, [16 * i], [16]), y_gm, [16 * i])


x = np.arange(1, 81, dtype=np.float32)
y = np.zeros(64, np.float32)
kernel[1](x, y, 80)
