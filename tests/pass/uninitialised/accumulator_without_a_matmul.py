"""One step of the loop starts it."""

import asc2
import numpy as np


@asc2.jit
def kernel(a_ptr, c_ptr, steps):
    a_gm = asc2.global_tensor(a_ptr, [16, 16])
    c_gm = asc2.global_tensor(c_ptr, [16, 16])
    acc = asc2.zeros_acc([16, 16], asc2.float32)
    for _k in range(steps):
        a = asc2.copy_in(a_gm, [0, 0], [16, 16], asc2.TensorLocation.L0A)
        b = asc2.copy_in(a_gm, [0, 0], [16, 16], asc2.TensorLocation.L0B)
        asc2.matmul_acc(acc, a, b)
    asc2.copy_out(acc, c_gm, [0, 0])


a = np.eye(16, dtype=np.float32)
c = np.zeros_like(a)
kernel[1](a, c, 1)
assert np.array_equal(c, a), c
