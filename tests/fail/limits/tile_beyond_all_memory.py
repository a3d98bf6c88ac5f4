"""A tile of 4 GiB."""

import asc2
import numpy as np


@asc2.jit
def kernel(x_ptr, y_ptr):
    asc2.full([2**30], 1.0)


x = np.arange(1, 65, dtype=np.float32)
y = np.zeros_like(x)
kernel[1](x, y)
