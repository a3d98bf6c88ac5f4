"""copy_out, scalar stores and atomics: clipping, ranks, dtypes, refusals (§5.7, §5.8, §11.4)."""

import ascemu
import numpy as np
import pytest
from ascemu.dropin import asc2, asctile
from ascemu.errors import KernelError, OffsetsError
from op_launch import LEGAL, NUMPY, refused, told, values


@asctile.jit(always_compile=True)
def act(function: asctile.ConstExpr, x_ptr, out_ptr, shape: asctile.ConstExpr,
        gm_shape: asctile.ConstExpr):  # fmt: skip
    out = asctile.global_tensor(out_ptr, gm_shape)
    function(asctile.copy_in(asctile.global_tensor(x_ptr, shape), [0] * len(shape), shape), out)


def stored(x, out_shape, offsets, gm_shape=None, size=None, dtype=None, **options):
    """What copy_out of the tile x leaves in an array of minus ones."""
    out = np.full(size or out_shape, -1, dtype or x.dtype)
    store(x, out, offsets, gm_shape or out_shape, **options)
    return out


def store(x, out, offsets, gm_shape=None, **options):
    shape = list(gm_shape or out.shape)
    act[1](
        lambda tile, gm: asctile.copy_out(tile, gm, offsets, **options),
        x, out, list(x.shape), shape,
    )  # fmt: skip


@pytest.mark.parametrize("dtype", [*NUMPY, "uint8", "uint16", "uint32", "uint64"])
def test_inner_tiles_of_every_dtype(dtype):
    x = np.arange(12).astype(NUMPY.get(dtype, dtype)).reshape(3, 4)
    out = np.zeros([5, 7], x.dtype)
    store(x, out, [1, 2])
    assert (out[1:4, 2:6] == x).all()
    assert np.count_nonzero(out.astype(np.float64)) == 11


@pytest.mark.parametrize("offset", [0, 3, 5, 8, 100, 2**31, 2**62])
def test_the_last_dimension_is_clipped(offset):
    x = values("float32", [5], 1, 2)
    out = stored(x, [8], [offset])
    kept = max(0, min(5, 8 - offset))
    expected = np.full(8, -1, np.float32)
    expected[offset : offset + kept] = x[:kept]
    assert (out == expected).all()


def test_rows_are_clipped_and_a_warning_names_the_older_generations():
    x = values("float32", [4, 3], 1, 2)
    with ascemu.collect() as found:
        out = stored(x, [3, 4], [1, 2])
    expected = np.full([3, 4], -1, np.float32)
    expected[1:, 2:] = x[:2, :2]
    assert (out == expected).all()
    assert [one.code for one in told(found)] == ["portability-clip-rows"]
    with ascemu.collect() as found:
        assert (stored(x, [3, 4], [1, 2], real_shape=[2, 3]) == expected).all()
    assert not told(found)


@pytest.mark.parametrize("real", [[2, 3], [0, 0], [4, 1], [1, 4], [4, 4]])
def test_real_shape(real):
    x = values("float32", [4, 4], 1, 2)
    out = stored(x, [5, 5], [1, 1], real_shape=real)
    expected = np.full([5, 5], -1, np.float32)
    expected[1 : 1 + real[0], 1 : 1 + real[1]] = x[: real[0], : real[1]]
    assert (out == expected).all()


@pytest.mark.parametrize(
    ("tile", "gm", "offsets", "pick"),
    [
        ([6], [4, 6], [2, 0], np.s_[2]),
        ([3], [4, 6], [1, 2], np.s_[1, 2:5]),
        ([4], [2, 3, 4], [1, 2, 0], np.s_[1, 2]),
        ([3, 4], [2, 3, 4], [1, 0, 0], np.s_[1]),
        ([2, 1, 3], [2, 3, 4], [0, 1, 1], np.s_[0:2, 1:2, 1:4]),
    ],
)
def test_tiles_of_other_ranks(tile, gm, offsets, pick):
    x = values("float32", tile, 1, 2)
    expected = np.full(gm, -1, np.float32)
    expected[pick] = x
    assert (stored(x, gm, offsets) == expected).all()


def test_a_row_outside_moves_nothing_and_warns():
    with ascemu.collect() as found:
        assert (stored(values("float32", [4]), [3, 4], [3, 0]) == -1).all()
    assert [one.code for one in found] == ["portability-outside-row"]


def test_more_than_four_long_dimensions_are_refused():
    x = values("float32", [2, 2, 2, 2, 2])
    with refused(RuntimeError, "has more than four dimensions above 1"):
        stored(x, [2, 2, 2, 2, 2], [0] * 5)
    y = values("float32", [2, 1, 2, 2, 1, 2])
    assert (stored(y, list(y.shape), [0] * 6) == y).all()


@pytest.mark.parametrize("offset", [-1, -5, -(2**62), -(2**63)])
def test_negative_offsets_are_faults(offset):
    x, out = values("float32", [5], 1, 2), np.full(8, -1, np.float32)
    with pytest.raises(KernelError, match="copy_out writes .* at negative coordinates") as caught:
        store(x, out, [offset])
    assert caught.value.diagnostic.code == "write-out-of-bounds"
    kept = max(0, 5 + offset)
    assert (out == [*x[5 - kept :], *[-1] * (8 - kept)]).all()


@pytest.mark.parametrize("declared", [[12], [2**40], [2, 6], [2**31, 2**31]])
def test_a_declared_shape_beyond_the_array_is_a_fault(declared):
    x, out = values("float32", [12], 1, 2), np.full(8, -1, np.float32)
    with pytest.raises(KernelError, match=r"past the end of the array of 'out' \(parameter 'out_"):
        store(x if len(declared) == 1 else x.reshape(2, 6), out, [0] * len(declared), declared)
    if declared != [2**31, 2**31]:
        assert (out == x[:8]).all()


@asc2.jit
def scalars(out_ptr, number, i, j):
    out = asc2.global_tensor(out_ptr, [3, 5])
    asc2.copy_out(number, out, [i, j])


@pytest.mark.parametrize("dtype", NUMPY)
def test_scalar_stores_convert_constants(dtype):
    for number, stored_as in ((3, 3), (True, 1), (2.5, 2.5 if "float" in dtype else 2)):
        out = np.zeros([3, 5], NUMPY[dtype])
        scalars[1](out, asc2.ConstExpr(number), 1, 2)
        assert out[1, 2] == stored_as and np.count_nonzero(out.astype(np.float64)) == 1


@pytest.mark.parametrize(
    ("scalar", "target", "exact"),
    [("int32", "int64", True), ("int32", "int8", True), ("float32", "float16", True),
     ("float32", "bfloat16", True), ("int32", "float32", True), ("float32", "int32", True),
     ("int32", "float16", False), ("float32", "int64", False), ("float16", "bfloat16", False)],
)  # fmt: skip
def test_scalar_stores_convert_runtime_scalars_where_a_cast_exists(scalar, target, exact):
    out = np.zeros([3, 5], NUMPY[target])
    number = np.array(7, NUMPY[scalar])[()]
    if exact:
        scalars[1](out, number, 0, 12)  # the offset is linear
        assert out[2, 2] == 7
    else:
        with refused(NotImplementedError, f"cannot be cast from {scalar} to {target}"):
            scalars[1](out, number, 0, 0)


@pytest.mark.parametrize(
    ("i", "j"), [(3, 0), (0, 15), (-1, 0), (2**31 - 1, 2**31 - 1), (-(2**31), -(2**31))]
)
def test_scalar_stores_outside_are_faults(i, j):
    out = np.zeros([3, 5], np.float32)
    with pytest.raises(KernelError, match="copy_out writes 1 element") as caught:
        scalars[1](out, 1.0, i, j)
    assert caught.value.diagnostic.code == "write-out-of-bounds"
    assert not out.any()


@pytest.mark.parametrize("shape", [[1], [1, 1], [1, 1, 1]])
@pytest.mark.parametrize(
    ("dtype", "target"),
    [("float32", "float32"), ("float32", "float16"), ("int32", "int64"), ("float32", "int32")],
)
def test_a_tile_of_one_element_is_stored_as_a_scalar(shape, dtype, target):
    x = np.full(shape, 3, NUMPY[dtype])
    out = np.zeros([2, 4], NUMPY[target])
    store(x, out, [0, 6])
    assert out[1, 2] == 3
    with pytest.raises(KernelError, match="copy_out writes 1 element"):
        store(x, out, [0, 8])


def test_real_shape_of_a_scalar_store_is_ignored_but_for_asc2():
    x, out = np.full([1], 3, np.float32), np.zeros(4, np.float32)
    store(x, out, [2], real_shape=[0])
    assert out.tolist() == [0, 0, 3, 0]
    for value in (lambda tile: tile, lambda tile: 1.0):
        with refused(ValueError, "'real_shape' argument cannot be used when storing a scalar"):
            act[1](
                lambda tile, gm, v=value: asc2.copy_out(v(tile), gm, [2], real_shape=[1]),
                x, out, [1], [4],
            )  # fmt: skip


@pytest.mark.parametrize(
    ("call", "exception", "message"),
    [
        (lambda x, gm: asctile.copy_out(x, gm, [0]), OffsetsError, "must have 2 values, got 1"),
        (lambda x, gm: asctile.copy_out(x, gm, []), OffsetsError, "at least one value"),
        (lambda x, gm: asctile.copy_out(x, gm, 0), TypeError, "must be a sequence"),
        (lambda x, gm: asctile.copy_out(x, gm, [0, 1.5]), TypeError, "must be integers"),
        (lambda x, gm: asctile.copy_out(None, gm, [0, 0]), TypeError, "must be LocalTensor or a"),
        (lambda x, gm: asctile.copy_out("x", gm, [0, 0]), TypeError, "must be LocalTensor or a"),
        (lambda x, gm: asctile.copy_out(gm, gm, [0, 0]), TypeError, "must be LocalTensor or a"),
        (lambda x, gm: asctile.copy_out(x, x, [0, 0]), TypeError, "'dst' argument must be Global"),
        (lambda x, gm: asctile.copy_out(x.to(asctile.float16), gm, [0, 0]), RuntimeError,
         "'src' is a float16 tensor [4, 4], 'dst' holds float32"),
        (lambda x, gm: asctile.copy_out(x > 0, gm, [0, 0]), RuntimeError, "'src' is an int1"),
        (lambda x, gm: asctile.copy_out(x, gm, [0, 0], real_shape=[4]), ValueError, "2 values"),
        (lambda x, gm: asctile.copy_out(x, gm, [0, 0], real_shape=[5, 4]), RuntimeError, "has 5"),
        (lambda x, gm: asctile.copy_out(x, gm, [0, 0], real_shape=[1.0, 4]), TypeError, "integers"),
        (lambda x, gm: asctile.copy_out(x, gm, [0, asctile.number(0, asctile.float32)]),
         TypeError, "must be a signed integer"),
    ],
)  # fmt: skip
def test_refusals(call, exception, message):
    x = np.ones([4, 4], np.float32)
    with refused(exception, message):
        act[1](call, x, x.copy(), [4, 4], [4, 4])


ATOMIC = {"atomic_add": np.add, "atomic_max": np.maximum, "atomic_min": np.minimum}


@pytest.mark.parametrize("name", ATOMIC)
@pytest.mark.parametrize("dtype", LEGAL["atomic_add"])
def test_atomics_of_every_dtype_clip_every_dimension(name, dtype):
    x, out = values(dtype, [3, 4]), values(dtype, [4, 5], seed=2)
    expected = out.copy()
    expected[2:, 3:] = ATOMIC[name](out[2:, 3:], x[:2, :2])
    act[1](lambda tile, gm: getattr(asctile, name)(tile, gm, [2, 3]), x, out, [3, 4], [4, 5])
    assert (out == expected).all()


@asc2.jit
def from_all_blocks(x_ptr, out_ptr, n: asc2.ConstExpr):
    x = asc2.copy_in(asc2.global_tensor(x_ptr, [n]), [0], [n])
    out = asc2.global_tensor(out_ptr, [3, n])
    step = asc2.block_idx() + 1
    asc2.atomic_add(x, out, [0, 0])
    asc2.atomic_max(asc2.full([1, n], step, asc2.int32), out, [1, 0])
    asc2.atomic_min(asc2.full([1, n], 0 - step, asc2.int32), out, [2, 0])


def test_atomics_from_all_blocks():
    x, out = np.arange(9, dtype=np.int32), np.zeros([3, 9], np.int32)
    from_all_blocks[48](x, out, 9)
    assert (out == [x * 48, [48] * 9, [-48] * 9]).all()


@pytest.mark.parametrize("name", ATOMIC)
@pytest.mark.parametrize("dtype", ["int8", "int64", "float64", "uint32"])
def test_atomic_dtypes(name, dtype):
    x = np.ones([4], NUMPY.get(dtype, dtype))
    with refused(RuntimeError, f"{name}: 'dst' has dtype {dtype}; legal: "):
        act[1](lambda tile, gm: getattr(asctile, name)(tile, gm, [0]), x, x.copy(), [4], [4])


@pytest.mark.parametrize(
    ("call", "exception", "message"),
    [
        (lambda x, gm: asctile.atomic_add(x.to(asctile.int32), gm, [0, 0]), RuntimeError,
         "'src' has dtype int32, 'dst' has float32"),
        (lambda x, gm: asctile.atomic_add(1.0, gm, [0, 0]), TypeError, "'src' argument must be"),
        (lambda x, gm: asctile.atomic_add(x, x, [0, 0]), TypeError, "'dst' argument must be"),
        (lambda x, gm: asctile.atomic_add(x, gm, ["a", 0]), TypeError, "must be integers"),
    ],
)  # fmt: skip
def test_atomic_refusals(call, exception, message):
    x = np.ones([4, 4], np.float32)
    with refused(exception, message):
        act[1](call, x, x.copy(), [4, 4], [4, 4])


def test_atomics_outside_the_array_are_faults():
    x, out = np.ones([8], np.int32), np.zeros([5], np.int32)
    with pytest.raises(KernelError, match="atomic_add updates 3 elements past the end of the arr"):
        act[1](lambda tile, gm: asctile.atomic_add(tile, gm, [0]), x, out, [8], [8])
    assert (out == 1).all()


def test_atomics_of_an_accumulator():
    x, out = values("float32", [4, 4]), np.ones([4, 4], np.float32)
    act[1](lambda tile, gm: asctile.atomic_add(tile @ tile, gm, [0, 0]), x, out, [4, 4], [4, 4])
    np.testing.assert_allclose(out, 1 + x.astype(np.float64) @ x, rtol=1e-5)


def test_missing_leading_offsets_of_atomics_count_as_zero_and_warn():
    x, out = np.ones([4], np.float32), np.zeros([2, 4], np.float32)
    with ascemu.collect() as found:
        act[1](lambda tile, gm: asctile.atomic_add(tile, gm, [1]), x, out, [4], [2, 4])
    assert out.tolist() == [[0, 1, 1, 1], [0] * 4]
    assert "1 offsets for a global tensor of rank 2" in found[0].message
    with refused(OffsetsError, "must have 2 values, got 3"):
        act[1](lambda tile, gm: asctile.atomic_add(tile, gm, [1, 0, 0]), x, out, [4], [2, 4])
