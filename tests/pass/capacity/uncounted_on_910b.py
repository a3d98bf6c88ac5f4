"""Tiles of 32 KiB fit on 910B as well."""

import ascemu
import asctile
import numpy as np

TILE = 16384


@asctile.jit
def kernel(x_ptr, y_ptr):
    x_gm = asctile.global_tensor(x_ptr, [TILE])
    y_gm = asctile.global_tensor(y_ptr, [TILE])
    x = asctile.copy_in(x_gm, [0], [TILE])
    asctile.copy_out(x * x, y_gm, [0])


x = np.ones(TILE, np.float32)
y = np.zeros(TILE, np.float32)
with ascemu.options(platform="Ascend910B1"):
    kernel[1](x, y)
