"""Transfers (spec asc2 §5, §11.1, §11.4): arguments, result types, error classes."""

import itertools

import numpy as np
import pytest
from ascemu.dsl import memory
from ascemu.dsl.dtypes import TensorLocation, float16, int32
from ascemu.dsl.global_tensor import GlobalTensor, RuntimeShape
from ascemu.dsl.values import PlainValue
from ascemu.errors import OffsetsError
from dsl_trace import Trace, run


@pytest.fixture
def trace():
    with Trace() as trace:
        yield trace


def test_global_tensor(trace):
    size = trace.scalar("int32")
    tensor = memory.global_tensor(trace.pointer("float16"), [4, size, 8])
    assert (tensor.dtype, tensor.rank, len(tensor.shape)) == (float16, 3, 3)
    assert (tensor.shape[0], tensor.shape[-1]) == (4, 8)
    assert type(tensor.shape[1]) is PlainValue and tensor.shape[1].dtype == int32
    assert [type(dim) for dim in tensor.shape] == [int, PlainValue, int]
    assert tensor.shape[::2] == (4, 8)
    assert not tensor.shape.is_static()
    assert tensor.shape.is_dynamic_dim(1) and not tensor.shape.is_dynamic_dim(0)
    assert isinstance(tensor.shape, RuntimeShape)
    for index in (3, -4):
        with pytest.raises(IndexError):
            tensor.shape[index]
    with pytest.raises(TypeError, match="^the index of a shape must be known while tracing"):
        tensor.shape[size]
    assert trace.array("int8", [4]).shape.is_static()
    assert not hasattr(tensor, "__getitem__")


def test_shape_of_a_rebound_global_tensor(trace):
    tensor = memory.global_tensor(trace.pointer("float16"), [4, trace.scalar("int32")])
    rebound = GlobalTensor(trace.builder.variable(tensor.value))
    assert rebound.rank == 2
    with pytest.raises(NotImplementedError, match="^the shape of a global tensor with runtime"):
        rebound.shape  # noqa: B018


@pytest.mark.parametrize("dtype", ["int8", "int16", "int64"])
def test_dynamic_dims_are_int32(trace, dtype):
    tensor = memory.global_tensor(trace.pointer("float16"), [trace.scalar(dtype)])
    assert tensor.shape[0].dtype == int32


@pytest.mark.parametrize(
    ("base", "shape", "exception"),
    [
        ("tile", [4], TypeError),
        ("pointer", 4, TypeError),
        ("pointer", [4.0], TypeError),
        ("pointer", ["4"], TypeError),
        ("pointer", [], RuntimeError),
        ("pointer", "4", TypeError),
    ],
)
def test_global_tensor_refusals(trace, base, shape, exception):
    value = trace.pointer("float16") if base == "pointer" else trace.tile("float16", [4])
    with pytest.raises(exception):
        memory.global_tensor(value, shape)


def test_copy_in_forms(trace):
    array = trace.array("float16", [16, 8])
    offset = trace.scalar("int32")
    assert memory.copy_in(array, [offset, 0], [4, 8]).shape == (4, 8)
    assert memory.copy_in(array, [offset, 0], [8]).shape == (8,)
    assert memory.copy_in(array, itertools.chain([0], [0]), (4, np.int64(8))).shape == (4, 8)
    assert memory.copy_in(array, [0, 0], [4, 8], "L0A").location is TensorLocation.L0A
    assert memory.copy_in(array, [0, 0], [4, 8], TensorLocation.L1).location is TensorLocation.L1
    assert memory.copy_in(array, [0, 0], [4, 8], real_shape=[offset, 3], pad_value=-1).rank == 2
    element = memory.copy_in(array, [0, offset])
    assert type(element) is PlainValue and element.dtype == float16


@pytest.mark.parametrize(
    ("arguments", "options", "exception"),
    [
        (([0], [4, 8]), {}, OffsetsError),
        (([0, 0, 0], [4, 8]), {}, OffsetsError),
        (([], [4, 8]), {}, RuntimeError),
        ((0, [4, 8]), {}, TypeError),
        (([0.0, 0], [4, 8]), {}, TypeError),
        (([0, None], [4, 8]), {}, TypeError),
        (([0, 0], [4, "n"]), {}, TypeError),
        (([0, 0], []), {}, RuntimeError),
        (([0, 0], [4, 0]), {}, RuntimeError),
        (([0, 0], 8), {}, TypeError),
        (([0, 0], [4, 8], "UB2"), {}, ValueError),
        (([0, 0], [4, 8], 26), {}, TypeError),
        (([0, 0], [4, 8]), {"real_shape": [4]}, ValueError),
        (([0, 0], [4, 8]), {"real_shape": [4, 9]}, RuntimeError),
        (([0, 0], [4, 8]), {"real_shape": 4}, TypeError),
        (([0, 0], [4, 8]), {"pad_value": "0"}, TypeError),
    ],
)
def test_copy_in_refusals(trace, arguments, options, exception):
    with pytest.raises(exception):
        memory.copy_in(trace.array("float16", [16, 8]), *arguments, **options)


def test_copy_in_runtime_shape(trace):
    with pytest.raises(
        TypeError, match="^All values in 'shape' must be integers known while tracing, got Plain"
    ) as caught:
        memory.copy_in(trace.array("float16", [16]), [0], [trace.scalar("int32")])
    assert "real_shape" in caught.value.ascemu_help


@pytest.mark.parametrize("dtype", ["float32", "uint32"])
def test_offsets_must_be_signed_integers(trace, dtype):
    with pytest.raises(TypeError):
        memory.copy_in(trace.array("float16", [16]), [trace.scalar(dtype)], [4])


def test_source_and_destination_classes(trace):
    tile, array = trace.tile("float16", [4]), trace.array("float16", [16])
    with pytest.raises(TypeError, match=r"^'src' argument must be GlobalTensor, got LocalTensor "):
        memory.copy_in(tile, [0], [4])
    with pytest.raises(TypeError, match="^'dst' argument must be GlobalTensor, got GlobalAddress"):
        memory.copy_out(tile, trace.pointer("float16"), [0])
    with pytest.raises(TypeError, match="^'src' argument must be LocalTensor or a number, got str"):
        memory.copy_out("1", array, [0])
    with pytest.raises(TypeError, match="^'src' argument must be LocalTensor or a number, got Glo"):
        memory.copy_out(array, array, [0])
    assert isinstance(array, GlobalTensor)


def test_copy_out_refusals(trace):
    array = trace.array("float16", [16, 8])
    with pytest.raises(OffsetsError):
        memory.copy_out(trace.tile("float16", [4, 8]), array, [0])
    memory.copy_out(trace.tile("float32", [4, 8]), array, [0, 0])
    with pytest.raises(RuntimeError, match="'src' is a float32 tensor"):
        trace.builder.finish()


def test_single_elements_are_stored_as_scalars():
    out = np.array([7, 9, 9, 9], np.float16)

    def body(pointer):
        array = memory.global_tensor(pointer, [4])
        memory.copy_out(2.5, array, [1])
        memory.copy_out(memory.copy_in(array, [0], [1]), array, [3], real_shape=[0])

    assert run(body, [out]).findings == []
    assert out.tolist() == [7, 2.5, 9, 7]


def test_copy(trace):
    tile = trace.tile("float16", [16, 16])
    assert memory.copy(tile) is tile
    assert memory.copy(tile, shape=[16, 16]) is tile
    assert memory.copy(tile, [0, 0], [8, 16], "L1").location is TensorLocation.L1
    assert memory.copy(tile, [0, 0], [8, 16]).shape == (8, 16)
    with pytest.raises(OffsetsError):
        memory.copy(tile, [0], [8, 16])
    with pytest.raises(TypeError):
        memory.copy(trace.array("float16", [4]))


def test_gather(trace):
    array, index = trace.array("float32", [16, 8]), trace.tile("int32", [4])
    rows = memory.gather(array, [0], 0, index)
    assert (str(rows.dtype), rows.shape) == ("float32", (4, 8))
    memory.gather(array, [0], 0, index, False, trace.scalar("int32"), -1.0)


@pytest.mark.parametrize(
    ("offsets", "dim", "index", "options", "exception"),
    [
        ([0, 0], 0, ("int32", [4]), {}, ValueError),
        ([], 0, ("int32", [4]), {}, RuntimeError),
        ([0.5], 0, ("int32", [4]), {}, TypeError),
        ([0], 0, None, {}, TypeError),
        ([0], 0, ("float32", [4]), {}, RuntimeError),
        ([0], 0, ("int32", [4, 4]), {}, ValueError),
        ([0, 0, 0], 2, ("int32", [4]), {}, ValueError),
        ([0, 0], 1, ("int32", [4]), {}, NotImplementedError),
        ([0], 0.0, ("int32", [4]), {}, TypeError),
        ([0], 0, ("int32", [4]), {"num_indices": 2.5}, TypeError),
        ([0], 0, ("int32", [4]), {"num_indices": [2]}, TypeError),
        ([0], 0, ("int32", [4]), {"check_bounds": 1}, TypeError),
    ],
)
def test_gather_refusals(trace, offsets, dim, index, options, exception):
    tile = None if index is None else trace.tile(*index)
    with pytest.raises(exception):
        memory.gather(trace.array("float32", [16, 8]), offsets, dim, tile, **options)


@pytest.mark.parametrize(
    ("src", "dim", "index", "offsets", "exception"),
    [
        (("float32", [4]), 0, ("int32", [4]), [0], ValueError),
        (("float16", [4, 8]), 0, ("int32", [4]), [0], ValueError),
        (("float32", [4, 8]), 0, ("int32", [2, 2]), [0], ValueError),
        (("float32", [4, 8]), 0, ("float32", [4]), [0], RuntimeError),
        (("float32", [4, 8]), 5, ("int32", [4]), [0], ValueError),
    ],
)
def test_scatter_refusals(trace, src, dim, index, offsets, exception):
    with pytest.raises(exception):
        memory.scatter(
            trace.tile(*src), dim, trace.tile(*index), trace.array("float32", [16, 8]), offsets
        )


def test_atomics(trace):
    array = trace.array("float32", [16])
    for operation in (memory.atomic_add, memory.atomic_max, memory.atomic_min):
        assert operation(trace.tile("float32", [4]), array, [0]) is None
    with pytest.raises(RuntimeError):
        memory.atomic_add(trace.tile("int32", [4]), array, [0])
    with pytest.raises(RuntimeError):
        memory.atomic_add(trace.tile("int8", [4]), trace.array("int8", [4]), [0])
    with pytest.raises(TypeError):
        memory.atomic_add(1.0, array, [0])
