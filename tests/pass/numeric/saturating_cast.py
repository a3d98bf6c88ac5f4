"""Values up to 300 are clamped to what int8 holds before they are cast."""

import asc2
import ascemu
import numpy as np


@asc2.jit
def kernel(x_ptr, y_ptr):
    x_gm = asc2.global_tensor(x_ptr, [8])
    y_gm = asc2.global_tensor(y_ptr, [8])
    x = asc2.copy_in(x_gm, [0], [8])
    clamped = asc2.minimum(x, 127.0)
    asc2.copy_out(clamped.to(asc2.int8), y_gm, [0])


x = np.linspace(0, 300, 8).astype(np.float16)
y = np.zeros(8, np.int8)
with ascemu.options(checks={"numeric": "error"}):
    kernel[1](x, y)
