"""A loop adds to the array atomically; the sum stays in a local tensor too."""

import asc2
import numpy as np


@asc2.jit
def kernel(x_ptr):
    x_gm = asc2.global_tensor(x_ptr, [256])
    total = asc2.copy_in(x_gm, [0], [64])
    for _ in asc2.range(3):
        asc2.atomic_add(total, x_gm, [0])
        total = total + total


x = np.arange(256, dtype=np.float32)
kernel[1](x)
