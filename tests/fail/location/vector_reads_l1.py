"""A vector operation cannot read L1."""

import asctile
import numpy as np


@asctile.jit
def kernel(x_ptr, y_ptr):
    x_gm = asctile.global_tensor(x_ptr, [16, 16])
    y_gm = asctile.global_tensor(y_ptr, [16, 16])
    x = asctile.copy_in(x_gm, [0, 0], [16, 16], "L1")
    asctile.copy_out(x + 1.0, y_gm, [0, 0])


x = np.zeros((16, 16), np.float32)
y = np.zeros((16, 16), np.float32)
kernel[1](x, y)
