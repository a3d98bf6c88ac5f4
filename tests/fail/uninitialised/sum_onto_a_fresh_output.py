"""The output of torch.empty is added to and never set to zero."""

import asc2
import ascemu
import numpy as np


@asc2.jit
def kernel(x_ptr, y_ptr):
    x_gm = asc2.global_tensor(x_ptr, [2, 64])
    y_gm = asc2.global_tensor(y_ptr, [64])
    x = asc2.copy_in(x_gm, [asc2.block_idx(), 0], [64])
    asc2.atomic_add(x, y_gm, [0])


x = np.ones((2, 64), np.float32)
y = np.zeros(64, np.float32)
with ascemu.options(fresh=["y_ptr"]):
    kernel[2](x, y)
