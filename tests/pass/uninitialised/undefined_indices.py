"""Only the loaded indices are used."""

import asc2
import numpy as np


@asc2.jit
def kernel(x_ptr, y_ptr, i_ptr):
    x_gm = asc2.global_tensor(x_ptr, [16, 8])
    y_gm = asc2.global_tensor(y_ptr, [32, 8])
    index = asc2.copy_in(asc2.global_tensor(i_ptr, [8]), [0], [16])
    x = asc2.copy_in(x_gm, [0, 0], [16, 8])
    asc2.scatter(x, 0, index, y_gm, [0], num_indices=8)


x = np.ones((16, 8), np.float32)
y = np.zeros((32, 8), np.float32)
kernel[1](x, y, np.arange(8, dtype=np.int32))
assert (y[:8] == 1).all() and not y[8:].any(), y
