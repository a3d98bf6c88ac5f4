"""Saturation (N4.2): squares that leave float16, on a 910B in its overflow mode for old networks.

Read as written, the square of 300 is infinite and a mean that meets it is lost. A 910B keeps
infinities too, unless it is switched to saturation: then the square is the largest finite number,
and what would be NaN is zero.
"""

import asc
import asc2
import numpy as np
from asc.runtime import config
from showing import Shown, main

CLAUSE = "N4.2"


@asc2.jit
def squares_kernel(x_ptr: asc.GlobalAddress, y_ptr: asc.GlobalAddress, size: asc.ConstExpr[int]):
    x = asc2.copy_in(asc2.global_tensor(x_ptr, [size]), [0], [size])
    square = x * x
    asc2.copy_out(square, asc2.global_tensor(y_ptr, [2, size]), [0, 0])
    asc2.copy_out(square - square, asc2.global_tensor(y_ptr, [2, size]), [1, 0])


def squares(numerics, overflow):
    x = np.array([2.0, 255.0, 300.0, -300.0], np.float16)
    y = np.empty(2 * x.size, np.float16)
    squares_kernel[1](x, y, x.size, numerics=numerics, overflow=overflow)
    return y


def show():
    config.set_platform(config.Backend.Model, config.Platform.Ascend910B1, check=False)
    return [
        Shown("ieee", squares("ieee", "inf")),
        Shown("npu", squares("npu", "inf")),
        Shown("npu, saturating", squares("npu", "saturate")),
    ]


if __name__ == "__main__":
    raise SystemExit(main(CLAUSE, show))
