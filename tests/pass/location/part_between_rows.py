"""It begins at row 16, where a fractal does."""

import asctile
import numpy as np


@asctile.jit
def kernel(a_ptr, b_ptr, c_ptr):
    a_gm = asctile.global_tensor(a_ptr, [32, 16])
    b_gm = asctile.global_tensor(b_ptr, [16, 16])
    c_gm = asctile.global_tensor(c_ptr, [16, 16])
    a = asctile.copy_in(a_gm, [0, 0], [32, 16], "L1")
    b = asctile.copy_in(b_gm, [0, 0], [16, 16], "L0B")
    part = asctile.copy(a, [16, 0], [16, 16], "L0A")
    asctile.copy_out(part @ b, c_gm, [0, 0])


a = np.arange(512, dtype=np.float16).reshape(32, 16) % 7
b = np.ones((16, 16), np.float16)
c = np.zeros((16, 16), np.float32)
kernel[1](a, b, c)
assert np.array_equal(c, a[16:] @ b.astype(np.float32)), c
