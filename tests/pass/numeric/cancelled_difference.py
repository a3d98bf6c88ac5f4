"""The large numbers are subtracted from each other first."""

import asc2
import ascemu
import numpy as np


@asc2.jit
def kernel(x_ptr, y_ptr):
    x_gm = asc2.global_tensor(x_ptr, [8])
    y_gm = asc2.global_tensor(y_ptr, [8])
    x = asc2.copy_in(x_gm, [0], [8])
    shifted = 1000000.0 - 999999.0
    asc2.copy_out(x + shifted, y_gm, [0])


x = np.linspace(0.1, 0.9, 8, dtype=np.float32)
y = np.zeros(8, np.float32)
with ascemu.options(checks={"numeric": "error"}):
    kernel[1](x, y)
