"""Squares in float32 of values that came as float16."""

import asc2
import ascemu
import numpy as np


@asc2.jit
def kernel(x_ptr, y_ptr):
    x_gm = asc2.global_tensor(x_ptr, [8])
    y_gm = asc2.global_tensor(y_ptr, [8])
    x = asc2.copy_in(x_gm, [0], [8])
    wide = x.to(asc2.float32)
    asc2.copy_out(wide * wide, y_gm, [0])


x = np.full(8, 300, np.float16)
y = np.zeros(8, np.float32)
with ascemu.options(checks={"numeric": "error"}):
    kernel[1](x, y)
