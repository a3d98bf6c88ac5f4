"""The tail is never chosen."""

import asc2
import numpy as np


@asc2.jit
def kernel(x_ptr, l_ptr, y_ptr):
    x_gm = asc2.global_tensor(x_ptr, [40])
    l_gm = asc2.global_tensor(l_ptr, [64])
    y_gm = asc2.global_tensor(y_ptr, [64])
    x = asc2.copy_in(x_gm, [0], [64])
    limit = asc2.copy_in(l_gm, [0], [64])
    asc2.copy_out(asc2.where(limit > 0.0, x, 0.0), y_gm, [0])


x = np.arange(1, 41, dtype=np.float32)
y = np.zeros(64, np.float32)
kernel[1](x, np.repeat(np.array([1, 0], np.float32), [40, 24]), y)
assert np.array_equal(y[:40], x) and not y[40:].any(), y
