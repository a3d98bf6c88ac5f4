"""Reduction tree (N12.1): the sum of a float16 tensor depends on the order of its additions.

A 4096 that is taken back later stands among ones; the exact sum is 510. Read as written, the ones
are added to the 4096 one after another, and each is lost to rounding. The device adds neighbours
first, so that most ones reach the 4096 in larger sums. The chips differ too: a 910B adds the sums
of 256-byte repeats one after another, a 950PR folds the repeats onto each other first.
"""

import asc
import asc2
import numpy as np
from asc.runtime import config
from showing import Shown, main

CLAUSE = "N12.1"


@asc2.jit
def sum_kernel(x_ptr: asc.GlobalAddress, y_ptr: asc.GlobalAddress, size: asc.ConstExpr[int]):
    x = asc2.copy_in(asc2.global_tensor(x_ptr, [size]), [0], [size])
    asc2.copy_out(asc2.reduce_sum(x), asc2.global_tensor(y_ptr, [1]), [0])


def total(numerics, platform):
    config.set_platform(config.Backend.Model, platform, check=False)
    x = np.full(512, 1.0, np.float16)
    x[0] = 4096
    x[128] = -4096
    y = np.empty(1, np.float16)
    sum_kernel[1](x, y, x.size, numerics=numerics)
    return y


def show():
    return [
        Shown("ieee", total("ieee", config.Platform.Ascend910B1)),
        Shown("npu, 910B", total("npu", config.Platform.Ascend910B1)),
        Shown("npu, 950PR", total("npu", config.Platform.Ascend950PR_9599)),
    ]


if __name__ == "__main__":
    raise SystemExit(main(CLAUSE, show))
