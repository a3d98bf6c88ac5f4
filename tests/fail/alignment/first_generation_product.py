"""In the first generation the dimensions of a product are multiples of 16."""

import asc2
import numpy as np


@asc2.jit
def kernel(x_ptr, y_ptr):
    x_gm = asc2.tensor(x_ptr, [8, 8])
    y_gm = asc2.tensor(y_ptr, [8, 8])
    x = asc2.load(x_gm, [8, 8], offsets=[0, 0], location=asc2.TileLocation.L0A)
    w = asc2.load(x_gm, [8, 8], offsets=[0, 0], location=asc2.TileLocation.L0B)
    asc2.store(x @ w, y_gm, offsets=[0, 0])


x = np.arange(1, 64 + 1, dtype=np.float32).reshape(8, 8)
y = np.zeros((8, 8), np.float32)
kernel[1](x, y)
