"""A loop over K takes steps of 8 columns; a block of float16 in L1 has 16."""

import asctile
import numpy as np


@asctile.jit
def kernel(a_ptr, b_ptr, c_ptr):
    a_gm = asctile.global_tensor(a_ptr, [16, 32])
    b_gm = asctile.global_tensor(b_ptr, [32, 16])
    c_gm = asctile.global_tensor(c_ptr, [16, 16])
    a = asctile.copy_in(a_gm, [0, 0], [16, 32], "L1")
    acc = asctile.zeros_acc([16, 16], asctile.float32)
    for k in range(0, 32, 8):
        left = asctile.copy(a, [0, k], [16, 8], "L0A")
        right = asctile.copy_in(b_gm, [k, 0], [8, 16], "L0B")
        asctile.matmul_acc(acc, left, right)
    asctile.copy_out(acc, c_gm, [0, 0])


a = np.arange(512, dtype=np.float16).reshape(16, 32) % 7
b = np.ones((32, 16), np.float16)
c = np.zeros((16, 16), np.float32)
kernel[1](a, b, c)
