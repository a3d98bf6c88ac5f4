"""The logarithm of a difference that can be negative."""

import asc2
import ascemu
import numpy as np


@asc2.jit
def kernel(x_ptr, y_ptr):
    x_gm = asc2.global_tensor(x_ptr, [8])
    y_gm = asc2.global_tensor(y_ptr, [8])
    x = asc2.copy_in(x_gm, [0], [8])
    asc2.copy_out(asc2.log(x - 3.0), y_gm, [0])


x = np.arange(8, dtype=np.float32)
y = np.zeros(8, np.float32)
with ascemu.options(checks={"numeric": "warn"}):
    kernel[1](x, y)
