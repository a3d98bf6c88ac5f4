"""L0C can."""

import asc2
import numpy as np


@asc2.jit
def kernel(x_ptr, y_ptr):
    x_gm = asc2.global_tensor(x_ptr, [8, 8])
    y_gm = asc2.global_tensor(y_ptr, [8, 8])
    a = asc2.copy_in(x_gm, [0, 0], [8, 8], "L1")
    b = asc2.copy_in(x_gm, [0, 0], [8, 8], "L1")
    asc2.copy_out(a @ b, y_gm, [0, 0])


x = np.arange(1, 65, dtype=np.float32)
y = np.zeros_like(x)
kernel[1](x, y)
assert np.allclose(y.reshape(8, 8), x.reshape(8, 8) @ x.reshape(8, 8)), y
