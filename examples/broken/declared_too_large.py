"""Broken on purpose: the tensor is declared longer than the array that was passed.

The host rounds the size up to whole tiles and hands the rounded number to the kernel, so the last
tile reads and writes past the end of both arrays. Nothing on the device checks that.
"""

import asc
import asc2
import numpy as np

EXPECTED = "KernelError"
MENTIONS = ("x_gm", "1000")


@asc2.jit
def scale_kernel(
    x_ptr: asc.GlobalAddress,
    out_ptr: asc.GlobalAddress,
    size: int,
    tile_size: asc.ConstExpr[int],
):
    x_gm = asc2.global_tensor(x_ptr, [size])
    out_gm = asc2.global_tensor(out_ptr, [size])
    for i in asc2.range(asc2.block_idx(), asc2.ceildiv(size, tile_size), asc2.block_num()):
        x = asc2.copy_in(x_gm, [i * tile_size], [tile_size])
        asc2.copy_out(x * 2.0, out_gm, [i * tile_size])


def launch():
    x = np.ones(1000, np.float32)
    out = np.zeros(1000, np.float32)
    tile_size = 128
    rounded_up = asc2.ceildiv(x.size, tile_size) * tile_size
    scale_kernel[4](x, out, rounded_up, tile_size)


if __name__ == "__main__":
    launch()
