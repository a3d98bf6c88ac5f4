"""Two float32 accumulators of 256 x 256 are twice what L0C holds."""

import asctile
import numpy as np


@asctile.jit
def kernel(a_ptr, b_ptr, c_ptr):
    a_gm = asctile.global_tensor(a_ptr, [256, 16])
    b_gm = asctile.global_tensor(b_ptr, [16, 512])
    c_gm = asctile.global_tensor(c_ptr, [256, 512])
    for n in asctile.static_range(2):
        a = asctile.copy_in(a_gm, [0, 0], [256, 16])
        b = asctile.copy_in(b_gm, [0, n * 256], [16, 256])
        asctile.copy_out(a @ b, c_gm, [0, n * 256])


a = np.ones((256, 16), np.float16)
b = np.ones((16, 512), np.float16)
c = np.zeros((256, 512), np.float32)
kernel[1](a, b, c)
