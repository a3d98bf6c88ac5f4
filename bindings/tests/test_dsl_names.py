"""The namespaces: every public name is in the tables, has a signature and documentation; the older
generations' forms do what the newest do."""

import inspect

import pytest
from ascemu import _core
from ascemu.dsl import ASC, ASC2, ASCTILE
from ascemu.dsl.namespaces import LEGACY_NAMES
from ascemu.dsl.values import IRValue
from dsl_trace import Trace

OPS = {row["name"] for row in _core.op_table()} | _core.unsupported_table().keys()
ALL = {**ASC, **ASCTILE, **ASC2}


def is_operation(value):
    return inspect.isfunction(value) or (inspect.isclass(value) and value.__name__.islower())


OPERATIONS = {
    name for names in (ASC, ASC2, ASCTILE) for name, v in names.items() if is_operation(v)
}


@pytest.fixture
def trace():
    with Trace() as trace:
        yield trace


def test_every_operation_is_in_the_tables():
    assert {LEGACY_NAMES.get(name, name) for name in OPERATIONS} == OPS


def test_the_newest_namespace_has_every_operation_but_the_oldest_one():
    assert OPS - ASCTILE.keys() == {"num_tiles"}
    assert not LEGACY_NAMES.keys() & ASCTILE.keys()


@pytest.mark.parametrize("name", sorted(OPERATIONS))
def test_operation_is_presentable(name):
    for names in (ASC, ASC2, ASCTILE):
        operation = names.get(name)
        if operation is None:
            continue
        assert operation.__name__ == LEGACY_NAMES.get(name, name) or operation.__name__ == name
        assert inspect.signature(operation).parameters is not None
        assert operation.__doc__ and operation.__doc__.split("\n")[0].endswith(".")


def test_shared_and_separate_objects():
    separate = {name for name in ASCTILE if ASC2[name] is not ASCTILE[name]}
    assert separate == {
        "copy",
        "copy_out",
        "full",
        "full_like",
        "gather",
        "matmul_acc",
        "range",
        "scatter",
        "zeros",
        "zeros_like",
    }


def test_locations_of_created_tensors_in_asc2(trace):
    for location in ("UB", "Auto", ASC2["TensorLocation"].UB):
        assert ASC2["full"]([4], 1, location=location).shape == (4,)
        assert ASC2["zeros"]([4], location=location).shape == (4,)
    assert ASC2["zeros_like"](ASC2["full_like"](trace.tile("int8", [4]), 1, "UB"), "UB").size == 4
    with pytest.raises(RuntimeError, match="^a filled tensor must be in UB, got location L0C$"):
        ASC2["zeros"]([4, 4], ASC2["float32"], "L0C")
    with pytest.raises(TypeError):
        ASCTILE["zeros"]([4], location="UB")


def test_real_shape_of_a_scalar_store(trace):
    array = trace.array("float32", [8])
    for value in (1.0, trace.scalar("float32"), trace.tile("float32", [1])):
        with pytest.raises(
            ValueError, match="^'real_shape' argument cannot be used when storing a scalar value$"
        ):
            ASC2["copy_out"](value, array, [0], real_shape=[1])
        ASCTILE["copy_out"](value, array, [0], real_shape=[1])
    ASC2["copy_out"](trace.tile("float32", [4]), array, [0], real_shape=[1])


def test_gather_orders(trace):
    array, index = trace.array("float32", [16, 8]), trace.tile("int32", [4])
    for arguments, options in (
        ((array, [0], 0, index), {}),
        ((array, [0], index, 0), {}),
        ((array, [0], index, 0, True, 3, 1.5), {}),
        ((array, [0]), {"index": index, "dim": 0, "real_shape": 3}),
        ((array, [0]), {"index": index, "dim": 0, "num_indices": 3}),
        ((array, [0], index), {"dim": 0}),
    ):
        assert ASC2["gather"](*arguments, **options).shape == (4, 8)
    with pytest.raises(TypeError):
        ASC2["gather"](array, [0], index, 0, real_shape=[3])
    with pytest.raises(TypeError):
        ASCTILE["gather"](array, [0], index, 0)


def test_scatter_orders(trace):
    array, index, rows = (
        trace.array("float32", [16, 8]),
        trace.tile("int32", [4]),
        trace.tile("float32", [4, 8]),
    )
    scatter = ASC2["scatter"]
    assert scatter(rows, 0, index, array, [0]) is None
    assert scatter(index, rows, array, [0], 0) is None
    assert scatter(index, rows, array, [0], dim=0, real_shape=3) is None
    assert scatter(rows, dim=0, index=index, dst=array, offsets=[0], num_indices=3) is None
    with pytest.raises(TypeError):
        ASCTILE["scatter"](index, rows, array, [0], 0)


def test_matmul_acc_orders(trace):
    a, b = trace.tile("float16", [4, 8]), trace.tile("float16", [8, 4])
    acc = ASC2["zeros_acc"]([4, 4], ASC2["float32"])
    assert ASC2["matmul_acc"](acc, a, b) is None
    assert ASC2["matmul_acc"](a, b, acc) is None
    with pytest.raises(RuntimeError):
        ASCTILE["matmul_acc"](a, b, acc)
    ASC2["matmul_acc"](trace.tile("float32", [4, 4]), a, b)
    with pytest.raises(RuntimeError) as caught:
        trace.builder.finish()
    assert caught.value.ascemu_code == "bad-accumulator"


def test_copy_orders(trace):
    tile = trace.tile("float16", [32, 32])
    copy = ASC2["copy"]
    assert copy(tile, [0, 16], [32, 16], "L1").shape == (32, 16)
    assert copy(tile, [16, 16], location="L1").shape == (16, 16)
    assert copy(tile, [16, 16], offsets=[16, 0], location="L0A").shape == (16, 16)
    assert copy(tile, location="L1").shape == (32, 32)
    assert copy(tile, [0, 0], location="L1").shape == (32, 32)
    assert copy(tile, [trace.scalar("int32"), 0], shape=[8, 32]).shape == (8, 32)


def test_load_orders(trace):
    load, array, i = ASC2["load"], trace.array("float32", [64, 8]), trace.scalar("int32")
    assert load(array, [4, 8], tile_id=[i, 0]).shape == (4, 8)
    assert load(array, [4, 8], offsets=[i * 4, 0]).shape == (4, 8)
    assert load(array, [i * 4, 0], [4, 8]).shape == (4, 8)
    assert load(array, [i * 4, 0], [4, 8], "L0A").location.name == "L0A"
    assert load(array, shape=[4, 8], offsets=[0, 0], pad_value=None).shape == (4, 8)
    assert load(array, offsets=[i, 0]).dtype == ASC2["float32"]
    assert load(array, [i, 0]).dtype == ASC2["float32"]
    assert load(array, [4, 8], tile_id=[0, 0]).location.name == "UB"


@pytest.mark.parametrize(
    ("arguments", "options", "exception"),
    [
        ((), {}, ValueError),
        (([4, 8],), {"tile_id": [0, 0], "offsets": [0, 0]}, ValueError),
        ((), {"shape": [4, 8]}, ValueError),
        ((), {"tile_id": [0, 0]}, ValueError),
        (([8],), {"offsets": [0, 0]}, RuntimeError),
        (([0, 0], [4, 8], "UB", 1), {}, TypeError),
    ],
)
def test_load_refusals(trace, arguments, options, exception):
    with pytest.raises(exception):
        ASC2["load"](trace.array("float32", [64, 8]), *arguments, **options)


def test_store(trace):
    store, array, i = ASC2["store"], trace.array("float32", [64]), trace.scalar("int32")
    tile = trace.tile("float32", [16])
    assert store(tile, array, tile_id=[i]) is None
    assert store(tile, array, offsets=[i]) is None
    assert store(tile, array, [i]) is None
    assert store(1.5, array, offsets=[i]) is None
    for value, options in (
        (tile, {}),
        (tile, {"tile_id": [0], "offsets": [0]}),
        (1.5, {"tile_id": [0]}),
        (trace.tile("float32", [1]), {"tile_id": [0]}),
        (trace.scalar("float32"), {"tile_id": [0]}),
    ):
        with pytest.raises(ValueError):
            store(value, array, **options)


def test_num_tiles(trace):
    num_tiles = ASC2["num_tiles"]
    array = ASC2["tensor"](trace.pointer("float32"), [100, trace.scalar("int32")])
    assert num_tiles(array, 0, [16, 16]) == 7
    assert isinstance(num_tiles(array, 1, [16, 16]), IRValue)
    with pytest.raises(RuntimeError):
        num_tiles(array, 0, [16])
    with pytest.raises(ValueError):
        num_tiles(array, 2, [16, 16])


def test_older_names():
    assert ASC2["Tile"] is ASC2["LocalTensor"] and ASC2["Tensor"] is ASC2["GlobalTensor"]
    assert ASC2["TileLocation"] is ASC2["TensorLocation"]
    assert ASC2["TensorLocation"]["L0A"].value == 23 and ASC2["RoundMode"].Odd.value == 6
