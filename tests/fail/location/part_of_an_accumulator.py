"""Half of an accumulator, cut at column 8."""

import asctile
import numpy as np


@asctile.jit
def kernel(a_ptr, b_ptr, c_ptr):
    a_gm = asctile.global_tensor(a_ptr, [16, 16])
    b_gm = asctile.global_tensor(b_ptr, [16, 32])
    c_gm = asctile.global_tensor(c_ptr, [16, 16])
    a = asctile.copy_in(a_gm, [0, 0], [16, 16])
    b = asctile.copy_in(b_gm, [0, 0], [16, 32])
    half = asctile.copy(a @ b, [0, 8], [16, 16], "UB")
    asctile.copy_out(half + 1.0, c_gm, [0, 0])


a = np.ones((16, 16), np.float16)
b = np.ones((16, 32), np.float16)
c = np.zeros((16, 16), np.float32)
kernel[1](a, b, c)
