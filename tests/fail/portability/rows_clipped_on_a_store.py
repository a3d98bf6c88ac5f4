"""A store whose rows run past the end of the tensor."""

import asc2
import numpy as np


@asc2.jit
def kernel(x_ptr, y_ptr):
    y_gm = asc2.global_tensor(y_ptr, [8, 8])
    asc2.copy_out(asc2.full([4, 8], 1.0), y_gm, [6, 0])


x = np.arange(1, 65, dtype=np.float32)
y = np.zeros_like(x)
kernel[1](x, y)
