"""Three tiles of 64 KiB fit into UB."""

import asctile
import numpy as np

TILE = 16384


@asctile.jit
def kernel(x_ptr, y_ptr, z_ptr):
    x_gm = asctile.global_tensor(x_ptr, [TILE])
    y_gm = asctile.global_tensor(y_ptr, [TILE])
    z_gm = asctile.global_tensor(z_ptr, [TILE])
    x = asctile.copy_in(x_gm, [0], [TILE])
    y = asctile.copy_in(y_gm, [0], [TILE])
    asctile.copy_out(x + y, z_gm, [0])


x = np.ones(TILE, np.float32)
y = np.ones(TILE, np.float32)
z = np.zeros(TILE, np.float32)
kernel[1](x, y, z)
