"""Torch tensors as launch arguments: in place, by dtype, 0-dimensional ones as scalars."""

import pytest
from ascemu.dropin import asc, asc2

torch = pytest.importorskip("torch", reason="torch is not installed")
pytestmark = pytest.mark.torch


@asc2.jit
def add_one(x_ptr, out_ptr, n: asc.ConstExpr[int]):
    x_gm = asc2.global_tensor(x_ptr, [n])
    out_gm = asc2.global_tensor(out_ptr, [n])
    asc2.copy_out(asc2.copy_in(x_gm, [0], [n]) + 1, out_gm, [0])


@asc2.jit
def store_scalar(out_ptr, value):
    asc2.static_assert(value.dtype == out_ptr.dtype)
    asc2.copy_out(value, asc2.global_tensor(out_ptr, [1]), [0])


@pytest.mark.parametrize("name", ["float16", "bfloat16", "float32", "int16", "int32", "int64"])
def test_tensors_are_used_in_place(name):
    x = torch.arange(8, dtype=getattr(torch, name))
    add_one[1](x, x, 8)
    assert x.tolist() == [1, 2, 3, 4, 5, 6, 7, 8]


@pytest.mark.parametrize("name", ["float16", "bfloat16", "float32", "int8", "int16", "int64"])
def test_zero_dimensional_tensors_are_typed_scalars(name):
    dtype = getattr(torch, name)
    out = torch.zeros(1, dtype=dtype)
    store_scalar[1](out, torch.tensor(3, dtype=dtype))
    assert out.item() == 3


def test_views_with_an_offset():
    base = torch.arange(12, dtype=torch.float32)
    add_one[1](base[4:], base[4:], 8)
    assert base.tolist() == [0, 1, 2, 3, 5, 6, 7, 8, 9, 10, 11, 12]


def test_tensors_that_are_not_contiguous_are_copied_back():
    x = torch.arange(6, dtype=torch.float32).reshape(2, 3)
    out = torch.zeros(3, 2).T
    add_one[1](x, out, 6)
    assert out.tolist() == [[1, 2, 3], [4, 5, 6]]


def test_tensors_that_want_gradients():
    x = torch.zeros(8, requires_grad=True)
    add_one[1](torch.zeros(8), x, 8)
    assert x.detach().tolist() == [1] * 8


def test_torch_and_numpy_views_of_one_array_are_the_same_array():
    x = torch.zeros(8)
    add_one[1](x, x.numpy(), 8)
    assert x.tolist() == [1] * 8


def test_empty_tensors():
    with pytest.raises(RuntimeError, match="has no elements"):
        add_one[1](torch.zeros(0), torch.zeros(8), 8)


def test_other_devices():
    with pytest.raises(TypeError, match="device 'meta'"):
        add_one[1](torch.zeros(8, device="meta"), torch.zeros(8), 8)


@pytest.mark.parametrize("dtype", [torch.bool, torch.complex64])
def test_unknown_dtypes(dtype):
    with pytest.raises(TypeError, match="not a data type of the kernel language"):
        add_one[1](torch.zeros(8, dtype=dtype), torch.zeros(8), 8)


def test_a_size_as_constant():
    @asc2.jit
    def kernel(out_ptr, shape: asc.ConstExpr):
        gm = asc2.global_tensor(out_ptr, [1])
        _, n = shape
        asc2.copy_out(n, gm, [0])

    out = torch.zeros(1, dtype=torch.int32)
    kernel[1](out, torch.zeros(2, 7).shape)
    assert out.item() == 7
