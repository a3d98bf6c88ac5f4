"""Three rows are stored."""

import asc2
import numpy as np


@asc2.jit
def kernel(x_ptr, y_ptr, i_ptr):
    x_gm = asc2.global_tensor(x_ptr, [8, 8])
    y_gm = asc2.global_tensor(y_ptr, [4, 8])
    index = asc2.copy_in(asc2.global_tensor(i_ptr, [4]), [0], [4])
    rows = asc2.gather(x_gm, [0], 0, index, num_indices=3)
    asc2.copy_out(rows, y_gm, [0, 0], real_shape=[3, 8])


x = np.arange(1, 65, dtype=np.float32).reshape(8, 8)
y = np.zeros((4, 8), np.float32)
kernel[1](x, y, np.array([7, 1, 2, 0], np.int32))
assert np.array_equal(y[:3], x[[7, 1, 2]]) and not y[3].any(), y
