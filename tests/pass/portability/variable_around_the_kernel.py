"""A kernel gets the variable of the function around it as a constant."""

import asc2
import ascemu
import numpy as np


def make_kernel():
    @asc2.jit
    def kernel(x_ptr, y_ptr, scale: asc2.ConstExpr):
        x_gm = asc2.global_tensor(x_ptr, [64])
        y_gm = asc2.global_tensor(y_ptr, [64])
        asc2.copy_out(asc2.copy_in(x_gm, [0], [64]) * scale, y_gm, [0])

    return kernel


x = np.arange(1, 65, dtype=np.float32)
y = np.zeros_like(x)
with ascemu.options(checks={"portability": "warn"}):
    make_kernel()[1](x, y, 2.0)
assert np.array_equal(y, 2 * x)
