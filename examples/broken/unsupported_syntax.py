"""Broken on purpose: `break` does not exist in the kernel language."""

import asc
import asc2
import numpy as np

EXPECTED = "UnsupportedSyntaxError"
MENTIONS = ("break",)


@asc2.jit
def first_negative_kernel(
    x_ptr: asc.GlobalAddress, out_ptr: asc.GlobalAddress, size: asc.ConstExpr[int]
):
    x_gm = asc2.global_tensor(x_ptr, [size])
    out_gm = asc2.global_tensor(out_ptr, [1])
    for i in asc2.range(size):
        value = asc2.copy_in(x_gm, [i])
        if value < 0.0:
            asc2.copy_out(i, out_gm, [0])
            break


def launch():
    first_negative_kernel[1](np.ones(8, np.float32), np.zeros(1, np.int32), 8)


if __name__ == "__main__":
    launch()
