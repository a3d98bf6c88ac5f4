"""One tile in L1 is the left and the right side of a product."""

import asctile
import numpy as np


@asctile.jit
def kernel(x_ptr, y_ptr):
    x_gm = asctile.global_tensor(x_ptr, [16, 16])
    y_gm = asctile.global_tensor(y_ptr, [16, 16])
    x = asctile.copy_in(x_gm, [0, 0], [16, 16], "L1")
    asctile.copy_out(x @ x, y_gm, [0, 0])


x = np.eye(16, dtype=np.float16)
y = np.zeros((16, 16), np.float32)
kernel[1](x, y)
