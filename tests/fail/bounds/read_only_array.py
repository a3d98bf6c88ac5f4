"""A store into an array that is not writable."""

import asc2
import numpy as np


@asc2.jit
def kernel(x_ptr, y_ptr):
    x_gm = asc2.global_tensor(x_ptr, [64])
    y_gm = asc2.global_tensor(y_ptr, [64])
    x = asc2.copy_in(x_gm, [0], [64])
    asc2.copy_out(x, y_gm, [0])


x = np.arange(1, 65, dtype=np.float32)
y = np.zeros_like(x)
y.flags.writeable = False
kernel[1](x, y)
