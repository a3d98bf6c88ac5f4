"""A kernel writes a result into a Python object of the host."""

import asc2
import numpy as np


class State:
    tiles = 0


STATE = State()


@asc2.jit
def kernel(x_ptr, y_ptr, n):
    x_gm = asc2.global_tensor(x_ptr, [64])
    y_gm = asc2.global_tensor(y_ptr, [64])
    STATE.tiles = 4
    asc2.copy_out(asc2.copy_in(x_gm, [0], [64]), y_gm, [0])


x = np.arange(1, 65, dtype=np.float32)
y = np.zeros_like(x)
kernel[1](x, y, 4)
