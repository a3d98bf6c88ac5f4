"""Broken on purpose: a tile in L1 is stored to global memory; only UB and L0C have that way out."""

import asc
import asc2
import numpy as np

EXPECTED = "RuntimeError"
MENTIONS = ("L1",)


@asc2.jit
def copy_kernel(x_ptr: asc.GlobalAddress, out_ptr: asc.GlobalAddress, size: asc.ConstExpr[int]):
    x_gm = asc2.global_tensor(x_ptr, [size, size])
    out_gm = asc2.global_tensor(out_ptr, [size, size])
    x = asc2.copy_in(x_gm, [0, 0], [size, size], asc2.TensorLocation.L1)
    asc2.copy_out(x, out_gm, [0, 0])


def launch():
    x = np.ones((32, 32), np.float16)
    copy_kernel[1](x, np.zeros_like(x), 32)


if __name__ == "__main__":
    launch()
