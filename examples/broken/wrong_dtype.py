"""Broken on purpose: a float16 tile is summed along an axis; that takes int32, int64, float32."""

import asc
import asc2
import numpy as np

EXPECTED = "CodegenError"
MENTIONS = ("float16", "reduce_sum")


@asc2.jit
def row_sums_kernel(
    x_ptr: asc.GlobalAddress,
    out_ptr: asc.GlobalAddress,
    rows: asc.ConstExpr[int],
    cols: asc.ConstExpr[int],
):
    x_gm = asc2.global_tensor(x_ptr, [rows, cols])
    out_gm = asc2.global_tensor(out_ptr, [rows])
    x = asc2.copy_in(x_gm, [0, 0], [rows, cols])
    total = asc2.reduce_sum(x, 1)
    asc2.copy_out(total, out_gm, [0])


def launch():
    x = np.ones((16, 32), np.float16)
    row_sums_kernel[1](x, np.zeros(16, np.float16), 16, 32)


if __name__ == "__main__":
    launch()
