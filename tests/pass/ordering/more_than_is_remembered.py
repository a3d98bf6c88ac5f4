"""As many stores one behind the other."""

import asc2
import numpy as np


@asc2.jit
def kernel(x_ptr):
    x_gm = asc2.global_tensor(x_ptr, [8 * 17000])
    head = asc2.copy_in(x_gm, [0], [8])
    for i in asc2.range(17000):
        asc2.copy_out(head, x_gm, [i * 8])


x = np.zeros(8 * 17000, np.float32)
kernel[1](x)
