"""Both dimensions of the computed tile are multiples of 16."""

import asc2
import numpy as np


@asc2.jit
def kernel(x_ptr, y_ptr):
    x_gm = asc2.global_tensor(x_ptr, [16, 16])
    y_gm = asc2.global_tensor(y_ptr, [16, 16])
    x = asc2.copy_in(x_gm, [0, 0], [16, 16])
    asc2.copy_out((x + x).transpose(), y_gm, [0, 0])


x = np.arange(1, 256 + 1, dtype=np.float32).reshape(16, 16)
y = np.zeros((16, 16), np.float32)
kernel[1](x, y)
