"""A K of 20 is zero up to 32; rows below the tensor are not stored."""

import asc2
import numpy as np


@asc2.jit
def kernel(a_ptr, b_ptr, c_ptr):
    a_gm = asc2.global_tensor(a_ptr, [16, 20])
    b_gm = asc2.global_tensor(b_ptr, [20, 16])
    c_gm = asc2.global_tensor(c_ptr, [16, 16])
    a = asc2.copy_in(a_gm, [0, 0], [32, 32], asc2.TensorLocation.L0A)
    b = asc2.copy_in(b_gm, [0, 0], [32, 16], asc2.TensorLocation.L0B)
    asc2.copy_out(a @ b, c_gm, [0, 0])


a = np.ones((16, 20), np.float16)
b = np.ones((20, 16), np.float16)
c = np.zeros((16, 16), np.float32)
kernel[1](a, b, c)
assert (c == 20).all(), c
