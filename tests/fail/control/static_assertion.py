"""A static_assert that is false."""

import asc2
import numpy as np


@asc2.jit
def kernel(x_ptr, y_ptr, n: asc2.ConstExpr[int]):
    asc2.static_assert(n % 8 == 0, f"{n} is no multiple of 8")


x = np.arange(1, 65, dtype=np.float32)
y = np.zeros_like(x)
kernel[1](x, y, 12)
