"""A chain of steps: without reuse_alloc every result keeps its buffer to the end."""

import asctile
import numpy as np

TILE = 16384


@asctile.jit
def kernel(x_ptr, y_ptr):
    x_gm = asctile.global_tensor(x_ptr, [TILE])
    y_gm = asctile.global_tensor(y_ptr, [TILE])
    x = asctile.copy_in(x_gm, [0], [TILE])
    x = asctile.exp(x)
    x = x + 1.0
    x = asctile.log(x)
    asctile.copy_out(x, y_gm, [0])


x = np.ones(TILE, np.float32)
y = np.zeros(TILE, np.float32)
kernel[1](x, y)
