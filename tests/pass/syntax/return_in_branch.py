"""A return inside a branch that is decided while tracing."""

import asc2
import numpy as np


@asc2.jit
def kernel(x_ptr, y_ptr, n: asc2.ConstExpr[int]):
    y_gm = asc2.global_tensor(y_ptr, [64])
    asc2.copy_out(1.0, y_gm, [0])
    if n > 3:
        return
    asc2.copy_out(2.0, y_gm, [0])


x = np.arange(1, 65, dtype=np.float32)
y = np.zeros_like(x)
kernel[1](x, y, 4)
assert y[0] == 1, y
