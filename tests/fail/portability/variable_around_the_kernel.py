"""A kernel reads a variable of the function that it is defined in."""

import asc2
import ascemu
import numpy as np


def make_kernel(factor):
    @asc2.jit
    def kernel(x_ptr, y_ptr):
        x_gm = asc2.global_tensor(x_ptr, [64])
        y_gm = asc2.global_tensor(y_ptr, [64])
        asc2.copy_out(asc2.copy_in(x_gm, [0], [64]) * factor, y_gm, [0])

    return kernel


x = np.arange(1, 65, dtype=np.float32)
y = np.zeros_like(x)
with ascemu.options(checks={"portability": "warn"}):
    make_kernel(2.0)[1](x, y)
assert np.array_equal(y, 2 * x)
