"""What launch arguments become in a kernel, and how arrays reach it (spec asc2 §1.3, 1.4)."""

import enum
import itertools

import ascemu
import ml_dtypes
import numpy as np
import pytest
from ascemu.dropin import asc, asc2


@asc2.jit
def add_one(x_ptr, out_ptr, n: asc.ConstExpr[int]):
    x_gm = asc2.global_tensor(x_ptr, [n])
    out_gm = asc2.global_tensor(out_ptr, [n])
    asc2.copy_out(asc2.copy_in(x_gm, [0], [n]) + 1, out_gm, [0])


@asc2.jit
def dtype_of(value, seen: asc.ConstExpr):
    seen.append(str(value.dtype))


def seen_dtype(value):
    seen = []
    dtype_of[1](value, asc.ConstExpr(seen), always_compile=True)
    return seen[0]


class Colour(enum.IntEnum):
    RED = 3


@pytest.mark.parametrize(
    "value, dtype",
    [
        (True, "int8"),
        (3, "int32"),
        (Colour.RED, "int32"),
        (2.5, "float32"),
        (np.float64(2.5), "float32"),
        (np.float32(2.5), "float32"),
        (np.float16(2.5), "float16"),
        (np.int64(3), "int64"),
        (np.uint8(3), "uint8"),
        (ml_dtypes.bfloat16(2.5), "bfloat16"),
        (np.zeros(3, np.float16), "float16"),
        (np.zeros(3, ml_dtypes.bfloat16), "bfloat16"),
        (np.zeros(3, np.uint16), "uint16"),
    ],
)
def test_dtypes(value, dtype):
    assert seen_dtype(value) == dtype


@pytest.mark.parametrize("value", [None, "text", (1,), [1], {}, 1j, object(), np.complex64(1)])
def test_unsupported_types_raise_type_error_directly(value):
    with pytest.raises(TypeError, match="not supported|not a data type") as caught:
        dtype_of[1](value, asc.ConstExpr([]))
    assert type(caught.value) is TypeError


@pytest.mark.parametrize("dtype", [np.complex64, np.bool_, ">f4", "datetime64[s]"])
def test_arrays_of_unknown_dtypes_are_refused(dtype):
    with pytest.raises(TypeError, match="not a data type of the kernel language"):
        dtype_of[1](np.zeros(3, dtype), asc.ConstExpr([]))


@asc2.jit
def store_scalar(out_ptr, value):
    asc2.copy_out(value, asc2.global_tensor(out_ptr, [1]), [0])


@pytest.mark.parametrize(
    "value, dtype, expected",
    [
        (True, np.int32, 1),
        (-(2**31), np.int32, -(2**31)),
        (2**31 - 1, np.int32, 2**31 - 1),
        (0.1, np.float32, np.float32(0.1)),
        (np.int64(2**40), np.int64, 2**40),
        (np.uint64(2**63 + 5), np.uint64, 2**63 + 5),
        (np.float16(0.1), np.float16, np.float16(0.1)),
        (ml_dtypes.bfloat16(0.1), ml_dtypes.bfloat16, ml_dtypes.bfloat16(0.1)),
        (np.float64(1e-300), np.float32, 0.0),
        (float("inf"), np.float32, np.inf),
    ],
)
def test_scalars_arrive_exactly(value, dtype, expected):
    out = np.zeros(1, dtype)
    store_scalar[1](out, value)
    assert out[0] == expected


@pytest.mark.parametrize("value", [2**31, -(2**31) - 1, 2**100])
def test_ints_outside_int32(value):
    with pytest.raises(OverflowError, match=f"argument 'value': the int {value} is outside int32"):
        store_scalar[1](np.zeros(1, np.int32), value)


def test_arrays_are_used_in_place():
    x = np.arange(8, dtype=np.float32)
    add_one[1](x, x, 8)
    assert x.tolist() == [1, 2, 3, 4, 5, 6, 7, 8]


def test_arrays_of_any_rank_are_flat_memory():
    x = np.arange(6, dtype=np.int32).reshape(2, 3)
    out = np.zeros((3, 2), np.int32)
    add_one[1](x, out, 6)
    assert out.tolist() == [[1, 2], [3, 4], [5, 6]]


def test_a_zero_dimensional_array_is_an_array():
    x = np.array(4, np.int32)
    assert add_one[1](x, x, 1) is None
    assert x[()] == 5


@pytest.mark.parametrize("view", [np.s_[::2], np.s_[::-1]], ids=["strided", "reversed"])
def test_arrays_that_are_not_contiguous_are_copied_back(view):
    base = np.arange(8, dtype=np.float32)
    out = base[view]
    expected = (out + 1).tolist()
    untouched = base.copy()
    add_one[1](out, out, out.size)
    assert out.tolist() == expected
    rest = np.ones(8, bool)
    rest[view] = False
    assert (base[rest] == untouched[rest]).all()


def test_a_transposed_output():
    x = np.arange(6, dtype=np.float32).reshape(2, 3)
    out = np.zeros((3, 2), np.float32).T
    add_one[1](x, out, 6)
    assert out.tolist() == [[1, 2, 3], [4, 5, 6]]


def test_an_array_that_is_not_aligned_is_copied_back():
    raw = bytearray(4 * 4 + 1)
    out = np.frombuffer(raw, np.float32, 4, offset=1)
    add_one[1](np.arange(4, dtype=np.float32), out, 4)
    assert out.tolist() == [1, 2, 3, 4]


def test_read_only_arrays_can_be_read():
    x = np.arange(8, dtype=np.float32)
    x.flags.writeable = False
    out = np.zeros(8, np.float32)
    add_one[1](x, out, 8)
    assert out.tolist() == [1, 2, 3, 4, 5, 6, 7, 8]


@pytest.mark.parametrize("stride", [1, 2])
def test_read_only_arrays_cannot_be_written(stride):
    out = np.zeros(16, np.float32)[::stride]
    out.flags.writeable = False
    with pytest.raises(ascemu.KernelError) as caught:
        add_one[1](np.zeros(8, np.float32), out, 8)
    assert caught.value.diagnostic.code == "write-to-read-only"
    assert not out.any()


def test_arrays_without_elements():
    with pytest.raises(RuntimeError, match="argument 'x_ptr' has no elements.*must be > 0"):
        add_one[1](np.zeros(0, np.float32), np.zeros(8, np.float32), 8)


def test_overlapping_arrays_are_refused():
    base = np.zeros(12, np.float32)
    with pytest.raises(ValueError, match="'x_ptr' and 'out_ptr' overlap") as caught:
        add_one[1](base[:8], base[4:], 8)
    assert caught.value.diagnostic.code == "overlapping-arguments"
    assert str(caught.value) == str(caught.value.diagnostic)


def test_arrays_that_interleave_without_sharing_elements_are_disjoint():
    base = np.zeros(16, np.float32)
    base[::2] = np.arange(8)
    add_one[1](base[::2], base[1::2], 8)
    assert base[1::2].tolist() == [1, 2, 3, 4, 5, 6, 7, 8]


def test_other_views_of_the_whole_array_are_the_same_array():
    x = np.arange(8, dtype=np.float32)
    add_one[1](x, x.reshape(2, 4), 8)
    assert x.tolist() == [1, 2, 3, 4, 5, 6, 7, 8]


def test_another_layout_of_the_whole_array_is_another_array():
    x = np.zeros((4, 4), np.float32)
    with pytest.raises(ValueError, match="overlap"):
        add_one[1](x, x.T, 16)
    add_one[1](x.T, x.T, 16)
    assert (x == 1).all()


def test_adjacent_arrays_do_not_overlap():
    base = np.zeros(16, np.float32)
    add_one[1](base[:8], base[8:], 8)
    assert base.tolist() == [0] * 8 + [1] * 8


@asc2.jit
def constant(out_ptr, value: asc.ConstExpr, seen: asc.ConstExpr):
    seen.append(value)


@pytest.mark.parametrize(
    "value",
    [
        3,
        2.5,
        True,
        None,
        "text",
        (1, (2, [3])),
        Colour.RED,
        asc2.float16,
        asc2.RoundMode.Rint,
        asc2.add,
        np.float32,
        itertools.chain([1], [2]),
        asc.ConstExpr(asc.ConstExpr(5)),
    ],
)
def test_constants_of_any_kind(value):
    out, seen = np.zeros(1, np.int32), []
    constant[1](out, value, asc.ConstExpr(seen))
    assert len(seen) == 1
    assert seen[0] is value or seen[0] == 5


def test_const_expr_objects_make_any_parameter_a_constant():
    seen = []

    @asc2.jit
    def kernel(value, seen: asc.ConstExpr):
        seen.append(value)

    kernel[1](asc.ConstExpr("text"), asc.ConstExpr(seen))
    assert seen == ["text"]


@asc2.jit
def typed(n: asc.ConstExpr[int], x: asc.ConstExpr[int | float] = 1.0):
    pass


def test_const_expr_type_arguments():
    typed[1](3, 2.5)
    typed[1](True, 2)
    with pytest.raises(RuntimeError, match=r"ConstExpr\[int\] is required for 'n' argument, str"):
        typed[1]("3", 1)
    with pytest.raises(RuntimeError, match=r"ConstExpr\[int, float\] is required for 'x'"):
        typed[1](3, None)


def test_const_expr_objects_are_not_held_to_the_type_arguments():
    typed[1](asc.ConstExpr("3"), 2)


class Point(asc.Struct):
    x = asc.Field(asc.int32)
    y = asc.Field(asc.float32, 0.5)


@asc2.jit
def sum_struct(out_ptr, point, n):
    gm = asc2.global_tensor(out_ptr, [2])
    for _ in range(n):
        point.x = point.x + 1
    asc2.copy_out(point.x, gm, [0])
    asc2.copy_out(point.y, gm, [1])


def test_structs_are_passed_by_value():
    out, point = np.zeros(2, np.float32), Point(x=3)
    sum_struct[1](out, point, 4)
    assert out.tolist() == [7.0, 0.5]
    assert point.x == 3


def test_binding_follows_the_signature():
    out = np.zeros(1, np.int32)
    store_scalar[1](value=4, out_ptr=out)
    assert out[0] == 4
    with pytest.raises(TypeError, match="missing a required argument"):
        store_scalar[1](out)
    with pytest.raises(TypeError, match="too many positional arguments"):
        store_scalar[1](out, 1, 2)
    with pytest.raises(TypeError, match="multiple values"):
        store_scalar[1](out, out_ptr=out, value=2)
    with pytest.raises(TypeError, match="unexpected keyword"):
        store_scalar[1](out, 1, other=2)
