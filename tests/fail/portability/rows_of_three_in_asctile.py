"""asctile takes rows of 12 bytes, asc2 refuses them."""

import asctile
import numpy as np


@asctile.jit
def kernel(x_ptr, y_ptr):
    x_gm = asctile.global_tensor(x_ptr, [4, 3])
    y_gm = asctile.global_tensor(y_ptr, [4, 3])
    x = asctile.copy_in(x_gm, [0, 0], [4, 3])
    asctile.copy_out(x + x, y_gm, [0, 0])


x = np.arange(1, 12 + 1, dtype=np.float32).reshape(4, 3)
y = np.zeros((4, 3), np.float32)
kernel[1](x, y)
