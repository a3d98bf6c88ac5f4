"""Broken on purpose: a moving average whose first tile starts two elements before the tensor."""

import asc
import asc2
import numpy as np

EXPECTED = "KernelError"
MENTIONS = ("x_gm", "-2")


@asc2.jit
def average_kernel(
    x_ptr: asc.GlobalAddress,
    out_ptr: asc.GlobalAddress,
    size: int,
    radius: asc.ConstExpr[int],
    tile_size: asc.ConstExpr[int],
):
    x_gm = asc2.global_tensor(x_ptr, [size])
    out_gm = asc2.global_tensor(out_ptr, [size])
    for i in asc2.range(asc2.block_idx(), asc2.ceildiv(size, tile_size), asc2.block_num()):
        offset = i * tile_size
        total = asc2.zeros([tile_size], asc2.float32)
        for shift in asc2.static_range(-radius, radius + 1):
            total = total + asc2.copy_in(x_gm, [offset + shift], [tile_size])
        asc2.copy_out(total / (2 * radius + 1), out_gm, [offset])


def launch():
    x = np.ones(512, np.float32)
    average_kernel[2](x, np.zeros_like(x), x.size, 2, 64)


if __name__ == "__main__":
    launch()
