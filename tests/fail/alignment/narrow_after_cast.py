"""Eight elements are 32 bytes in float32, but 16 in float16."""

import asc2
import numpy as np


@asc2.jit
def kernel(x_ptr, y_ptr):
    x_gm = asc2.global_tensor(x_ptr, [4, 8])
    y_gm = asc2.global_tensor(y_ptr, [4, 8])
    x = asc2.copy_in(x_gm, [0, 0], [4, 8])
    asc2.copy_out(x.to(asc2.float16), y_gm, [0, 0])


x = np.arange(1, 32 + 1, dtype=np.float32).reshape(4, 8)
y = np.zeros((4, 8), np.float16)
kernel[1](x, y)
