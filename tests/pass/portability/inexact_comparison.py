"""The elements are brought near zero before they are compared."""

import asc2
import numpy as np


@asc2.jit
def kernel(x_ptr, y_ptr, n):
    x_gm = asc2.global_tensor(x_ptr, [64])
    y_gm = asc2.global_tensor(y_ptr, [64])
    x = asc2.copy_in(x_gm, [0], [64])
    found = asc2.where(x - 20000001 == 0, asc2.full([64], 1), asc2.full([64], 0))
    asc2.copy_out(found, y_gm, [0])


x = np.arange(1, 65, dtype=np.int32)
y = np.zeros_like(x)
kernel[1](x, y, 4)
