"""copy_in and scalar loads: clipping, tails, pads, ranks, offsets, refusals (§5.6, §11.4, §12)."""

import ascemu
import numpy as np
import pytest
from ascemu.dropin import asc2, asctile
from ascemu.errors import KernelError, OffsetsError
from op_launch import NUMPY, refused, values


@asctile.jit
def load(x_ptr, out_ptr, gm_shape: asctile.ConstExpr, offsets: asctile.ConstExpr,
         shape: asctile.ConstExpr, options: asctile.ConstExpr):  # fmt: skip
    x = asctile.global_tensor(x_ptr, gm_shape)
    tile = copied(x, offsets, shape, options)
    rank = len(shape)
    asctile.copy_out(tile, asctile.global_tensor(out_ptr, shape), [0] * rank)


def copied(x, offsets, shape, options):
    return asctile.copy_in(x, offsets, shape, **options)


def tile_of(x, offsets, shape, gm_shape=None, **options):
    """The tile that copy_in makes, as an array."""
    out = np.zeros(shape, x.dtype)
    if np.prod(shape) == 1:
        out = np.zeros(1, x.dtype)
    load[1](x, out, list(gm_shape or x.shape), list(offsets), list(shape), options,
            always_compile=True)  # fmt: skip
    return out.reshape(shape)


def undefined(tile):
    """Which elements hold the poison of a float dtype."""
    return np.isnan(tile.astype(np.float32))


@pytest.mark.parametrize("dtype", [*NUMPY, "uint8", "uint16", "uint32", "uint64"])
@pytest.mark.parametrize(
    ("offsets", "shape"), [([0, 0], [5, 7]), ([1, 2], [3, 4]), ([4, 6], [1, 1])]
)
def test_inner_tiles_of_every_dtype(dtype, offsets, shape):
    x = np.arange(35).astype(NUMPY.get(dtype, dtype)).reshape(5, 7)
    r, c = offsets
    assert (tile_of(x, offsets, shape) == x[r : r + shape[0], c : c + shape[1]]).all()


@pytest.mark.parametrize("pad", [0, 7, -1.5, float("inf"), float("-inf")])
@pytest.mark.parametrize("dtype", ["float32", "float16", "bfloat16"])
def test_pad_value_fills_all_that_lies_outside(dtype, pad):
    x = values(dtype, [5, 7])
    tile = tile_of(x, [3, 4], [4, 40], pad_value=pad)
    assert (tile[:2, :3] == x[3:, 4:]).all()
    assert (tile[2:] == x.dtype.type(pad)).all() and (tile[:2, 3:] == x.dtype.type(pad)).all()


@pytest.mark.parametrize("dtype", ["int8", "int16", "int32", "int64"])
def test_integer_pads(dtype):
    x = values(dtype, [5], -9, 9)
    assert tile_of(x, [3], [6], pad_value=-5).tolist() == [*x[3:], -5, -5, -5, -5]
    assert tile_of(x, [3], [4], pad_value=2.9).tolist() == [*x[3:], 2, 2]


@pytest.mark.usefixtures("undefined_is_stored")
@pytest.mark.parametrize("size", [1, 7, 15, 17, 19, 33])
@pytest.mark.parametrize("dtype", ["float32", "float16"])
def test_a_tail_is_zero_to_the_end_of_its_block_and_undefined_beyond(size, dtype):
    x = values(dtype, [size], 1, 2)
    tile = tile_of(x, [0], [100])
    block = 32 // x.dtype.itemsize
    end = -(-size // block) * block
    assert (tile[:size] == x).all()
    assert (tile[size:end] == 0).all()
    assert undefined(tile[end:]).all()


@pytest.mark.usefixtures("undefined_is_stored")
def test_rows_beyond_the_tensor_are_undefined_without_a_pad():
    x = values("float32", [3, 5], 1, 2)
    tile = tile_of(x, [1, 0], [4, 8])
    assert (tile[:2, :5] == x[1:]).all() and (tile[:2, 5:] == 0).all()
    assert undefined(tile[2:]).all()


@pytest.mark.parametrize(
    ("real", "pad"), [([2, 3], None), ([2, 3], 9), ([0, 0], None), ([4, 8], 1)]
)
def test_real_shape(real, pad):
    x = values("float32", [9, 9], 1, 2)
    options = {"real_shape": real} | ({} if pad is None else {"pad_value": pad})
    tile = tile_of(x, [1, 1], [4, 8], **options)
    expected = np.full([4, 8], 0 if pad is None else pad, np.float32)
    expected[: real[0], : real[1]] = x[1 : 1 + real[0], 1 : 1 + real[1]]
    assert (tile == expected).all()


def test_real_shape_and_the_tensor_both_clip():
    x = values("float32", [5], 1, 2)
    assert tile_of(x, [3], [8], real_shape=[4], pad_value=-1).tolist() == [*x[3:], *[-1] * 6]


@asctile.jit
def at_run_time(x_ptr, out_ptr, size, start, valid):
    x = asctile.global_tensor(x_ptr, [size])
    tile = asctile.copy_in(x, [start], [8], real_shape=[valid], pad_value=-1)
    asctile.copy_out(tile, asctile.global_tensor(out_ptr, [8]), [0])


@pytest.mark.parametrize(
    ("size", "start", "valid", "expected"),
    [
        (10, 0, 8, [0, 1, 2, 3, 4, 5, 6, 7]),
        (10, 7, 8, [7, 8, 9, -1, -1, -1, -1, -1]),
        (10, 7, 2, [7, 8, -1, -1, -1, -1, -1, -1]),
        (10, 10, 8, [-1] * 8),
        (10, 2**31 - 1, 8, [-1] * 8),
        (10, 0, 0, [-1] * 8),
        (3, 0, 8, [0, 1, 2, -1, -1, -1, -1, -1]),
    ],
)
@pytest.mark.parametrize("static", [True, False])
def test_runtime_sizes_offsets_and_real_shapes(size, start, valid, expected, static):
    arguments = [size, start, valid]
    if static:
        arguments = [asctile.ConstExpr(value) for value in arguments]
    out = np.zeros(8, np.float32)
    at_run_time[1](np.arange(10, dtype=np.float32), out, *arguments)
    assert out.tolist() == expected


@pytest.mark.parametrize("valid", [-1, 9, 2**31 - 1])
def test_a_runtime_real_shape_beyond_the_tile_is_a_fault(valid):
    out = np.zeros(8, np.float32)
    with pytest.raises(KernelError, match=rf"real_shape \[{valid}\] does not fit the tile \[8\]"):
        at_run_time[1](np.arange(10, dtype=np.float32), out, 10, 0, valid)
    kept = min(max(valid, 0), 8)
    assert out.tolist() == [*range(kept), *[-1] * (8 - kept)]


@pytest.mark.parametrize(
    ("gm", "offsets", "shape", "pick"),
    [
        ([4, 6], [2, 0], [6], np.s_[2]),
        ([4, 6], [1, 2], [3], np.s_[1, 2:5]),
        ([2, 3, 4], [1, 2, 0], [4], np.s_[1, 2]),
        ([2, 3, 4], [1, 0, 0], [3, 4], np.s_[1]),
        ([2, 3, 4], [0, 1, 1], [2, 2], np.s_[0, 1:3, 1:3]),
        ([2, 3, 4], [1, 1, 1], [1, 2, 3], np.s_[1:2, 1:3, 1:4]),
        ([24], [4], [2, 5], None),
    ],
)
def test_tiles_of_other_ranks(gm, offsets, shape, pick):
    x = np.arange(24, dtype=np.float32)
    tile = tile_of(x, offsets, shape, gm_shape=gm, pad_value=-1)
    if pick is None:
        expected = np.full(shape, -1.0)
        expected[0] = x[4:9]
    else:
        expected = x.reshape(gm)[pick]
    assert (tile == expected).all()


def test_higher_ranks_clip_and_pad_every_dimension():
    x = values("float32", [3, 4, 5], 1, 2)
    tile = tile_of(x, [2, 3, 3], [2, 2, 8], pad_value=-1)
    expected = np.full([2, 2, 8], -1, np.float32)
    expected[0, 0, :2] = x[2, 3, 3:]
    assert (tile == expected).all()


def test_a_row_outside_moves_nothing_and_warns():
    x = values("float32", [3, 8])
    with ascemu.collect() as found:
        tile = tile_of(x, [3, 0], [8], pad_value=5)
    assert (tile == 5).all()
    assert [one.code for one in found] == ["portability-outside-row"]


@pytest.mark.usefixtures("undefined_is_stored")
@pytest.mark.parametrize("offset", [8, 100, 2**31, 2**40, 2**62, 2**63 - 1])
def test_tiles_wholly_outside_move_nothing(offset):
    x = values("float32", [8])
    assert (tile_of(x, [offset], [8], pad_value=3) == 3).all()
    assert undefined(tile_of(x, [offset], [8])).all()


@pytest.mark.parametrize("offset", [-1, -8, -(2**31), -(2**62), -(2**63)])
def test_negative_offsets_are_faults(offset):
    x = values("float32", [8])
    with pytest.raises(KernelError, match="at negative coordinates of 'x'") as caught:
        tile_of(x, [offset], [8], pad_value=3)
    assert caught.value.diagnostic.code == "read-out-of-bounds"
    assert f"offsets: [{offset}]" in caught.value.diagnostic.notes


@pytest.mark.parametrize("declared", [[9], [1000], [2**31], [2**62], [3, 3], [2**31, 2**31]])
def test_a_declared_shape_beyond_the_array_is_a_fault(declared):
    x = values("float32", [8], 1, 2)
    shape = [9] if len(declared) == 1 else [3, 3]
    with pytest.raises(KernelError, match="past the end of the array of 'x'") as caught:
        tile_of(x, [0] * len(declared), shape, gm_shape=declared)
    assert caught.value.diagnostic.check == "bounds"


def test_reads_that_leave_the_array_are_poison():
    x = values("float32", [8], 1, 2)
    with ascemu.options(checks={"bounds": "warn"}), ascemu.collect() as found:
        tile = tile_of(x, [0], [12], gm_shape=[12])
    assert (tile[:8] == x).all() and undefined(tile[8:]).all()
    assert "copy_in reads 4 elements past the end of the array" in found[0].message


@asc2.jit
def element(x_ptr, out_ptr, gm_shape: asc2.ConstExpr, i, j):
    x = asc2.global_tensor(x_ptr, gm_shape)
    value = asc2.copy_in(x, [i, j])
    asc2.copy_out(value, asc2.global_tensor(out_ptr, [1]), [0])


@pytest.mark.parametrize("dtype", NUMPY)
def test_scalar_loads(dtype):
    x = values(dtype, [3, 5], -9, 9)
    out = np.zeros(1, x.dtype)
    element[1](x, out, [3, 5], 1, 2)
    assert out[0] == x[1, 2]
    element[1](x, out, [3, 5], 0, 12)  # nothing is clipped, the offset is linear
    assert out[0] == x[2, 2]


@pytest.mark.parametrize(
    ("i", "j"), [(3, 0), (0, 15), (-1, 0), (2**31 - 1, 2**31 - 1), (-(2**31), -(2**31))]
)
def test_scalar_loads_outside_are_faults(i, j):
    with pytest.raises(KernelError, match="copy_in reads 1 element") as caught:
        element[1](values("float32", [3, 5]), np.zeros(1, np.float32), [3, 5], i, j)
    assert caught.value.diagnostic.code == "read-out-of-bounds"


@pytest.mark.parametrize(
    ("offsets", "shape", "options", "exception", "message"),
    [
        ([0], [4, 4], {}, OffsetsError, "'offsets' must have 2 values, got 1"),
        ([0, 0, 0], [4, 4], {}, OffsetsError, "'offsets' must have 2 values, got 3"),
        ([], [4, 4], {}, OffsetsError, "'offsets' must have at least one value"),
        ([0.0, 0], [4, 4], {}, TypeError, "All values in 'offsets' must be integers"),
        (["0", 0], [4, 4], {}, TypeError, "All values in 'offsets' must be integers"),
        ([0, 0], [], {}, RuntimeError, "the shape must have at least one value"),
        ([0, 0], [4, 0], {}, RuntimeError, "not positive"),
        ([0, 0], [4, -4], {}, RuntimeError, "not positive"),
        ([0, 0], [4, 4.0], {}, TypeError, "All values in 'shape' must be integers"),
        ([0, 0], [1] * 9, {}, RuntimeError, "at most 8 dimensions, got 9"),
        ([0, 0], [10**6, 10**6], {}, KernelError, "is larger than 1 GiB"),
        ([0, 0], [4, 4], {"location": "UBX"}, ValueError, "'location' argument must be one of"),
        ([0, 0], [4, 4], {"location": 26}, TypeError, "'location' argument must be"),
        ([0, 0], [4, 4], {"location": "L0C"}, RuntimeError, "location L0C"),
        ([0, 0], [4, 4], {"location": "FIX"}, RuntimeError, "location FIX"),
        ([0, 0], [4, 4], {"real_shape": [4]}, ValueError, "'real_shape' must have 2 values"),
        ([0, 0], [4, 4], {"real_shape": [5, 4]}, RuntimeError, "'real_shape' has 5 in dimension 0"),
        ([0, 0], [4, 4], {"real_shape": 4}, TypeError, "'real_shape' argument must be a sequence"),
        ([0, 0], [4, 4], {"real_shape": [4, 4], "location": "L1"}, RuntimeError, "'real_shape'"),
        ([0, 0], [4, 4], {"pad_value": "0"}, TypeError, "'pad_value' argument must be a number"),
        ([0, 0], [4, 4], {"pad_value": None, "real_shape": [None, 1]}, TypeError, "'real_shape'"),
    ],
)
def test_refusals(offsets, shape, options, exception, message):
    x = np.ones([8, 8], np.float32)
    with refused(exception, message):
        load[1](x, np.zeros(1), [8, 8], offsets, shape, options, always_compile=True)
