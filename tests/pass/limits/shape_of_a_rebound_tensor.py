"""Without the branch it is known."""

import asc2
import numpy as np


@asc2.jit
def kernel(x_ptr, y_ptr, n):
    gm = asc2.global_tensor(x_ptr, [n])
    asc2.copy_out(gm.shape[0], asc2.global_tensor(y_ptr, [64]), [0])


x = np.arange(1, 65, dtype=np.float32)
y = np.zeros_like(x)
kernel[1](x, y, 16)
assert y[0] == 16
