"""numerics="fp64": arrays, arguments, masks, printing and messages as the dtypes say (N19)."""

import ascemu
import numpy as np
import pytest
from ascemu.dropin import asc2, asctile
from ascemu.errors import KernelError
from op_launch import result_of, values
from yardstick import in_mode, same, wide


@pytest.fixture(autouse=True)
def fp64():
    with ascemu.options(numerics="fp64"):
        yield


def test_masked_lanes_are_those_of_the_declared_dtype():
    x = np.arange(300, dtype=np.float16)

    def masked(t):
        with asctile.mask(count=100, other=0.1):
            return t / 3.0

    same(result_of(masked, x), np.where(np.arange(300) % 128 < 100, np.arange(300) / 3.0, 0.1))


def test_gather_and_scatter():
    @asctile.jit(always_compile=True)
    def kernel(x_ptr, index_ptr, out_ptr):
        index = asctile.copy_in(asctile.global_tensor(index_ptr, [4]), [0], [4])
        rows = asctile.gather(asctile.global_tensor(x_ptr, [8, 16]), [0], 0, index)
        asctile.scatter(rows / 3.0, 0, index, asctile.global_tensor(out_ptr, [8, 16]), [0])

    x = values("float16", [8, 16])
    index = np.array([6, 1, 3, 0], np.int32)
    out = np.zeros_like(x)
    kernel[1](x, index, out)
    expected = np.zeros([8, 16])
    expected[index] = wide(x)[index] / 3.0
    same(out, expected)


@pytest.mark.parametrize("blocks", [1, 3])
def test_atomics_round_once_to_the_dtype_of_the_array(blocks):
    @asctile.jit(always_compile=True)
    def kernel(x_ptr, out_ptr):
        x = asctile.copy_in(asctile.global_tensor(x_ptr, [32]), [0], [32])
        asctile.atomic_add(x / 3.0, asctile.global_tensor(out_ptr, [32]), [0])

    x = values("float16", [32], 100, 900)
    out = np.full(32, 0.25, np.float16)
    kernel[blocks](x, out)
    expected = np.full(32, 0.25, np.float16)
    for _ in range(blocks):
        expected = (wide(expected) + wide(x) / 3.0).astype(np.float16)
    same(out, wide(expected))


def test_arguments_are_numbers_of_their_dtype():
    @asctile.jit(always_compile=True)
    def kernel(x_ptr, out_ptr, scale: float):
        x = asctile.copy_in(asctile.global_tensor(x_ptr, [16]), [0], [16])
        asctile.copy_out(x * scale, asctile.global_tensor(out_ptr, [16]), [0])

    x = np.arange(16, dtype=np.float32)
    out = np.zeros_like(x)
    kernel[1](x, out, 0.1)
    same(out, wide(x) * wide(np.float32(0.1)))


def test_prints_name_the_declared_dtype(capsys):
    @asctile.jit(always_compile=True, debug=True)
    def kernel(x_ptr):
        x = asctile.copy_in(asctile.global_tensor(x_ptr, [2]), [0], [2])
        asctile.device_print(x / 3.0)

    kernel[1](np.array([1, 2], np.float16))
    assert capsys.readouterr().out == "float16 [2]\n[0.333333, 0.666667]\n"


@pytest.mark.usefixtures("undefined_is_stored")
def test_what_memory_holds_where_nothing_was_loaded_is_still_poison():
    x = np.arange(16, dtype=np.float16)
    out = np.zeros(64, np.float16)

    @asctile.jit(always_compile=True)
    def kernel(x_ptr, out_ptr):
        x = asctile.copy_in(asctile.global_tensor(x_ptr, [5]), [0], [64])
        asctile.copy_out(x, asctile.global_tensor(out_ptr, [64]), [0])

    kernel[1](x, out)
    assert out[:16].tolist() == [0, 1, 2, 3, 4] + [0] * 11
    assert (out[16:].view(np.uint16) == 0x7EA5).all()


def bad_access(dtype, write):
    @asc2.jit(always_compile=True)
    def kernel(x_ptr, rows):
        x_gm = asc2.global_tensor(x_ptr, [rows, 16])
        tile = asc2.copy_in(x_gm, [0, 0] if write else [rows - 1, 8], [2, 16])
        asc2.copy_out(tile, x_gm, [rows - 1, 8] if write else [0, 0])

    with ascemu.collect() as found, pytest.raises(KernelError) as caught:
        kernel[2](np.ones([3, 16], dtype), 4)
    return str(caught.value), [str(finding) for finding in found]


@pytest.mark.parametrize("dtype", ["float16", "float32", "int32"])
@pytest.mark.parametrize("write", [False, True])
def test_messages_of_a_bad_access_are_those_of_ieee(dtype, write):
    expected = in_mode("ieee", bad_access, dtype, write)
    assert len(expected[1]) >= 2 and dtype in expected[0]
    assert bad_access(dtype, write) == expected
