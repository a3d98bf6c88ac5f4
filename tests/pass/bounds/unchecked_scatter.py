"""With check_bounds the row is left out."""

import asc2
import numpy as np


@asc2.jit
def kernel(x_ptr, y_ptr, i_ptr):
    x_gm = asc2.global_tensor(x_ptr, [2, 8])
    y_gm = asc2.global_tensor(y_ptr, [8, 8])
    index = asc2.copy_in(asc2.global_tensor(i_ptr, [2]), [0], [2])
    x = asc2.copy_in(x_gm, [0, 0], [2, 8])
    asc2.scatter(x, 0, index, y_gm, [0])


x = np.ones(64, np.float32)
y = np.zeros_like(x)
kernel[1](x, y, np.array([7, 8], np.int32))
assert y.sum() == y[56:].sum() == 8, y
