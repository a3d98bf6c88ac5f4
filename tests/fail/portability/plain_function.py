"""A plain Python function called while the kernel is traced."""

import asc2
import numpy as np


def next_number(n):
    return n + 1


@asc2.jit
def kernel(x_ptr, y_ptr):
    x_gm = asc2.global_tensor(x_ptr, [64])
    y_gm = asc2.global_tensor(y_ptr, [64])
    asc2.copy_out(asc2.copy_in(x_gm, [0], [64]) * next_number(1), y_gm, [0])


x = np.arange(1, 65, dtype=np.float32)
y = np.zeros_like(x)
kernel[1](x, y)
assert np.array_equal(y, 2 * x)
