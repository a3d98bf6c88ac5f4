"""one_hot: one row per index, by comparing the class numbers with a scalar read from memory.

The values of the two cases may be Python numbers, typed scalars or compile-time constants.
"""

import asc
import asc2
import numpy as np
import pytest
from checking import assert_close, check, main, outcome


@asc2.jit
def one_hot_kernel(
    index_ptr: asc.GlobalAddress,
    classes_ptr: asc.GlobalAddress,
    out_ptr: asc.GlobalAddress,
    count,
    depth,
    on_value,
    off_value,
    tile_depth: asc.ConstExpr[int],
):
    index_gm = asc2.global_tensor(index_ptr, [count])
    classes_gm = asc2.global_tensor(classes_ptr, [depth])
    out_gm = asc2.global_tensor(out_ptr, [count, depth])
    classes = asc2.copy_in(classes_gm, [0], [tile_depth])
    for i in asc2.range(asc2.block_idx(), count, asc2.block_num()):
        index = asc2.copy_in(index_gm, [i])
        row = asc2.where(classes == index, on_value, off_value)
        asc2.copy_out(row.to(out_ptr.dtype), out_gm, [i, 0])


def one_hot(indices, depth, dtype, blocks, on_value=1, off_value=0, static=False):
    out = np.empty((indices.size, depth), dtype)
    scalars = [indices.size, depth, on_value, off_value]
    if static:
        scalars = map(asc2.ConstExpr, scalars)
    classes = np.arange(depth, dtype=np.int32)
    one_hot_kernel[blocks](indices, classes, out, *scalars, asc2.ceildiv(depth, 16) * 16)
    return out


def inputs(count, depth, seed=11):
    return np.random.default_rng(seed).integers(-1, depth + 1, count).astype(np.int32)


def reference(indices, depth, on_value=1, off_value=0):
    return np.where(indices[:, None] == np.arange(depth), on_value, off_value)


@pytest.mark.parametrize("static", [False, True], ids=["dynamic", "static"])
@pytest.mark.parametrize("dtype", [np.int16, np.int32, np.float16, np.float32])
@pytest.mark.parametrize("count,depth,blocks", [(1, 8, 1), (20, 10, 3), (100, 67, 8)])
def test_one_hot(count, depth, blocks, dtype, static):
    indices = inputs(count, depth)
    out = one_hot(indices, depth, dtype, blocks, static=static)
    assert_close(out, reference(indices, depth))


@pytest.mark.parametrize("static", [False, True], ids=["dynamic", "static"])
def test_other_values(static):
    indices = inputs(30, 20)
    out = one_hot(indices, 20, np.float32, 2, on_value=5, off_value=-2, static=static)
    assert_close(out, reference(indices, 20, 5, -2))


def test_zero_dimensional_torch_tensors_are_typed_scalars():
    torch = pytest.importorskip("torch")
    indices = inputs(30, 20)
    on_value = torch.tensor(3, dtype=torch.int16)
    off_value = torch.tensor(4, dtype=torch.int16)
    out = one_hot(indices, 20, np.int16, 2, on_value, off_value)
    assert_close(out, reference(indices, 20, 3, 4))


def example():
    blocks = 8
    indices = inputs(300, 100)
    out = one_hot(indices, 100, np.float32, blocks)
    return outcome("one_hot", blocks, check(out, reference(indices, 100)))


if __name__ == "__main__":
    raise SystemExit(main(example))
