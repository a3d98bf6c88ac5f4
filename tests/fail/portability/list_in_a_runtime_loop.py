"""A list is filled in a runtime loop: it grows once, while the kernel is traced."""

import asc2
import numpy as np


@asc2.jit
def kernel(x_ptr, y_ptr, n):
    y_gm = asc2.global_tensor(y_ptr, [64])
    tiles = []
    for _ in range(4):
        tiles.append(16)
    asc2.copy_out(asc2.full([64], len(tiles)), y_gm, [0])


x = np.arange(1, 65, dtype=np.int32)
y = np.zeros_like(x)
kernel[1](x, y, 4)
