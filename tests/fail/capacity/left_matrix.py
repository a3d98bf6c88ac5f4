"""A float32 tile of 256 x 128 is twice what L0A holds."""

import asctile
import numpy as np


@asctile.jit
def kernel(a_ptr, b_ptr, c_ptr):
    a_gm = asctile.global_tensor(a_ptr, [256, 128])
    b_gm = asctile.global_tensor(b_ptr, [128, 16])
    c_gm = asctile.global_tensor(c_ptr, [256, 16])
    a = asctile.copy_in(a_gm, [0, 0], [256, 128])
    b = asctile.copy_in(b_gm, [0, 0], [128, 16])
    asctile.copy_out(a @ b, c_gm, [0, 0])


a = np.ones((256, 128), np.float32)
b = np.ones((128, 16), np.float32)
c = np.zeros((256, 16), np.float32)
kernel[1](a, b, c)
