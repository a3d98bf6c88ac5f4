"""Broken on purpose: a run-time scalar to the left of a tensor; the tensor has to come first."""

import asc
import asc2
import numpy as np

EXPECTED = "CodegenError"
MENTIONS = ("ValueError", "alpha * x")


@asc2.jit
def scale_kernel(
    x_ptr: asc.GlobalAddress,
    out_ptr: asc.GlobalAddress,
    alpha: float,
    size: asc.ConstExpr[int],
):
    x_gm = asc2.global_tensor(x_ptr, [size])
    out_gm = asc2.global_tensor(out_ptr, [size])
    x = asc2.copy_in(x_gm, [0], [size])
    asc2.copy_out(alpha * x, out_gm, [0])


def launch():
    scale_kernel[1](np.ones(64, np.float32), np.zeros(64, np.float32), 2.5, 64)


if __name__ == "__main__":
    launch()
