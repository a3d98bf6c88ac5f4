"""Cast folding (N17.1): the low half of a split number is lost on the device.

A float32 tensor is split into a float16 part and the float16 of what that part leaves out, as
kernels do that multiply float32 matrices on a float16 cube. Read as written, the second part is the
rounding error of the first. The device's compiler makes x of `x.to(float16).to(float32)`, so that
nothing is left out. An explicit round mode on one of the casts keeps them apart.
"""

import asc
import asc2
import numpy as np
from showing import Shown, main

CLAUSE = "N17.1"


@asc2.jit
def split_kernel(
    x_ptr: asc.GlobalAddress, low_ptr: asc.GlobalAddress, size: asc.ConstExpr[int], kept
):
    x = asc2.copy_in(asc2.global_tensor(x_ptr, [size]), [0], [size])
    high = x.to(asc2.float16, asc2.RoundMode.Rint) if kept else x.to(asc2.float16)
    low = (x - high.to(asc2.float32)).to(asc2.float16)
    asc2.copy_out(low, asc2.global_tensor(low_ptr, [size]), [0])


def low_parts(numerics, kept=False):
    x = np.array([1.0, 1.0001, 3.14159265, 1000.1], np.float32)
    low = np.empty(x.size, np.float16)
    split_kernel[1](x, low, x.size, asc.ConstExpr(kept), numerics=numerics)
    return low


def show():
    return [
        Shown("ieee", low_parts("ieee")),
        Shown("npu", low_parts("npu")),
        Shown("npu, with an explicit round mode", low_parts("npu", kept=True)),
    ]


if __name__ == "__main__":
    raise SystemExit(main(CLAUSE, show))
