"""Every copy of an unrolled body has buffers of its own."""

import asctile
import numpy as np

TILE = 8192


@asctile.jit
def kernel(x_ptr, y_ptr, count):
    x_gm = asctile.global_tensor(x_ptr, [count * TILE])
    y_gm = asctile.global_tensor(y_ptr, [count * TILE])
    for i in asctile.range(count, unroll_factor=4):
        x = asctile.copy_in(x_gm, [i * TILE], [TILE])
        asctile.copy_out(x * 2.0, y_gm, [i * TILE])


x = np.ones(4 * TILE, np.float32)
y = np.zeros(4 * TILE, np.float32)
kernel[1](x, y, 4)
