"""The first generation's names and argument orders in kernels (spec asc2 §0, §7, §8)."""

import ascemu
import numpy as np
import pytest
from ascemu.dropin import asc2
from op_launch import refused, values


@asc2.jit
def tiles(x_ptr, out_ptr, rows: asc2.ConstExpr, columns: asc2.ConstExpr):
    x = asc2.tensor(x_ptr, [rows, columns])
    out = asc2.tensor(out_ptr, [rows, columns])
    down = asc2.num_tiles(x, 0, [2, 8])
    across = asc2.num_tiles(x, axis=1, shape=[2, 8])
    for i in asc2.range(asc2.block_idx(), down, asc2.block_num(), parallel=True):
        for j in range(across):
            tile = asc2.load(x, [2, 8], tile_id=[i, j])
            asc2.store(tile * 2, out, tile_id=[i, j])


@pytest.mark.parametrize(("rows", "columns"), [(4, 16), (5, 19), (1, 1), (7, 8)])
@pytest.mark.parametrize("blocks", [1, 3])
@pytest.mark.filterwarnings("ignore")
def test_tiles_by_number(rows, columns, blocks):
    x = values("float32", [rows, columns])
    out = np.zeros_like(x)
    tiles[blocks](x, out, rows, columns)
    assert (out == 2 * x).all()


@asc2.jit
def forms(x_ptr, out_ptr):
    x = asc2.tensor(x_ptr, [4, 10])
    out = asc2.tensor(out_ptr, [8, 8])
    asc2.store(asc2.load(x, [1, 8], offsets=[1, 2]), out, offsets=[0, 0])
    asc2.store(asc2.load(x, shape=[1, 8], offsets=[1, 6]), out, offsets=[1, 0])
    asc2.store(asc2.load(x, [1, 8], offsets=[1, 6], pad_value=5), out, offsets=[2, 0])
    asc2.store(asc2.load(x, [2, 2], [1, 8], asc2.TileLocation.UB), out, [3, 0])
    number = asc2.load(x, offsets=[3, 3])
    asc2.store(number, out, offsets=[4, 1])
    asc2.store(7.5, out, [5, 2])
    a = asc2.load(x, [4, 4], offsets=[0, 0], location="L0A")
    b = asc2.load(x, [4, 4], offsets=[0, 0], location=asc2.TileLocation.L0B)
    acc = asc2.zeros_acc([4, 4], asc2.float32)
    asc2.matmul_acc(a, b, acc)
    asc2.store(asc2.reshape(asc2.copy(acc, [4, 4]), 2, 8), out, offsets=[6, 0])


def test_forms_of_load_and_store():
    x = values("float32", [4, 10], 1, 2)
    out = np.zeros([8, 8], np.float32)
    with ascemu.options(checks={"alignment": "off"}):
        forms[1](x, out)
    expected = np.zeros([8, 8], np.float32)
    expected[0] = x[1, 2:]
    expected[1, :4] = x[1, 6:]
    expected[2] = [*x[1, 6:], 5, 5, 5, 5]
    expected[3] = x[2, 2:]
    expected[4, 1], expected[5, 2] = x[3, 3], 7.5
    expected[6:] = (x[:, :4].astype(np.float64) @ x[:, :4]).reshape(2, 8)
    np.testing.assert_allclose(out, expected, rtol=1e-5)


@asc2.jit(always_compile=True)
def act(function: asc2.ConstExpr, x_ptr):
    function(asc2.tensor(x_ptr, [4, 8]))


@pytest.mark.parametrize(
    ("call", "exception", "message"),
    [
        (lambda x: asc2.load(x), ValueError, "exactly one of 'tile_id' and 'offsets'"),
        (lambda x: asc2.load(x, [1, 8], tile_id=[0, 0], offsets=[0, 0]), ValueError, "exactly one"),
        (
            lambda x: asc2.load(x, [8], offsets=[0, 0]),
            RuntimeError,
            "must have the tensor's rank 2",
        ),
        (lambda x: asc2.load(x, tile_id=[0, 0]), ValueError, "needs 'offsets', not 'tile_id'"),
        (lambda x: asc2.load(1, [1, 8], offsets=[0, 0]), TypeError, "'tensor' argument must be"),
        (lambda x: asc2.load(x, [1, 8], [0, 0], 5), TypeError, "'location' argument must be"),
        (lambda x: asc2.load(x, [1, 8], offsets=[0, 0], location=[]), TypeError, "'location' arg"),
        (lambda x: asc2.store(1.0, x), ValueError, "exactly one of 'tile_id' and 'offsets'"),
        (lambda x: asc2.store(1.0, x, tile_id=[0, 0]), ValueError, "needs 'offsets'"),
        (lambda x: asc2.store(None, x, [0, 0]), TypeError, "'src' argument must be"),
        (lambda x: asc2.num_tiles(x, 0, [4]), RuntimeError, "must have the tensor's rank 2"),
        (lambda x: asc2.num_tiles(x, 2, [4, 4]), ValueError, "'axis' must be from 0 to 1"),
        (lambda x: asc2.num_tiles(1, 0, [4, 4]), TypeError, "'tensor' argument must be"),
        (lambda x: asc2.range(4, parallel=1), TypeError, "'parallel' argument must be bool"),
    ],
)
def test_refusals(call, exception, message):
    with refused(exception, message):
        act[1](call, np.zeros([4, 8], np.float32))
