"""Operations on tiles (spec asc2 §6, §8, §11.1): result dtypes and shapes, error classes."""

import inspect

import pytest
from ascemu.dsl import creation, elementwise, matmul, normalize, reduce, shape
from ascemu.dsl.dtypes import RoundMode, TensorLocation, bfloat16, float16, float32, int32, int64
from ascemu.dsl.local_tensor import LocalTensor
from ascemu.dsl.methods import METHODS
from ascemu.dsl.values import PlainValue
from ascemu.errors import BinaryOperandTypeError
from dsl_trace import Trace


@pytest.fixture
def trace():
    with Trace() as trace:
        yield trace


def test_attributes(trace):
    tile = trace.tile("float16", [2, 3])
    assert (tile.dtype, tile.shape, tile.size, tile.rank) == (float16, (2, 3), 6, 2)
    assert tile.location is TensorLocation.Auto
    assert tile.T.shape == (3, 2)
    assert repr(tile).startswith("LocalTensor(dtype=float16, shape=[2, 3], location=Auto, handle=%")
    with pytest.raises(TypeError, match="^LocalTensor cannot be made directly$"):
        LocalTensor([1, 2])
    for absent in ("__getitem__", "__iter__", "__mod__", "__rlshift__", "__len__", "__iadd__"):
        assert not hasattr(tile, absent)


@pytest.mark.parametrize(
    ("left", "right", "result"),
    [
        (("float32", [4, 8]), ("float32", [1, 8]), ("float32", (4, 8))),
        (("float16", [4, 1]), ("float32", [1, 8]), ("float32", (4, 8))),
        (("int16", [8]), ("float16", [8]), ("float16", (8,))),
        (("int32", [8]), ("int64", [1]), ("int64", (8,))),
        (("bfloat16", [8]), ("float16", [8]), ("bfloat16", (8,))),
        (("float16", [2, 8]), ("bfloat16", [8]), ("float16", (2, 8))),
    ],
)
def test_binary_results(trace, left, right, result):
    tensor = elementwise.add(trace.tile(*left), trace.tile(*right))
    assert (str(tensor.dtype), tensor.shape) == result


@pytest.mark.parametrize("name", [n for n in dir(elementwise) if n in ("less", "equal", "greater")])
def test_comparisons(trace, name):
    compare = getattr(elementwise, name)
    assert str(compare(trace.tile("int8", [8]), 3).dtype) == "int1"
    assert str(compare(3, trace.tile("int8", [8])).dtype) == "int1"


def test_binary_operand_classes(trace):
    tile, scalar = trace.tile("float32", [8]), trace.scalar("float32")
    for left, right in ((tile, None), ("x", tile), (tile, trace.array("float32", [8]))):
        with pytest.raises(BinaryOperandTypeError, match="^Operands of add must be tensors or"):
            elementwise.add(left, right)
    for left, right in ((1, 2), (scalar, 2), (scalar, scalar)):
        with pytest.raises(BinaryOperandTypeError, match="^At least one operand of mul must be"):
            elementwise.mul(left, right)
    with pytest.raises(BinaryOperandTypeError):
        tile @ 2  # noqa: B018


@pytest.mark.parametrize(
    ("call", "exception"),
    [
        (lambda t: elementwise.add(t("int8", [8]), 1), RuntimeError),
        (lambda t: elementwise.div(t("bfloat16", [8]), 1), RuntimeError),
        (lambda t: elementwise.add(t("float32", [8]), t("float32", [4])), RuntimeError),
        (lambda t: elementwise.add(t("int64", [8]), t("float32", [8])), RuntimeError),
        (lambda t: elementwise.exp(t("bfloat16", [8])), RuntimeError),
        (lambda t: elementwise.exp("x"), TypeError),
        (lambda t: elementwise.sin(1.0), TypeError),
        (lambda t: elementwise.abs(None), TypeError),
        (lambda t: elementwise.where(t("int32", [8]), 1, 2), RuntimeError),
        (lambda t: elementwise.where(1, 1, 2), TypeError),
        (lambda t: elementwise.where(t("int16", [8]) > 0, "a", 2), TypeError),
        (lambda t: elementwise.where(t("int16", [8]) > 0, t("float32", [4]), 2), RuntimeError),
        (lambda t: elementwise.cast(t("float32", [8]), "int32"), TypeError),
        (lambda t: elementwise.cast(t("float32", [8]), int32, 1), TypeError),
        (lambda t: elementwise.cast([1], int32), TypeError),
        (lambda t: elementwise.cast(1.5, int32, RoundMode.Rint), RuntimeError),
        (lambda t: reduce.reduce_sum(t("int32", [8])), RuntimeError),
        (lambda t: reduce.reduce_sum(t("float16", [4, 8]), 0), RuntimeError),
        (lambda t: reduce.reduce_sum(t("float32", [4, 8]), 2), RuntimeError),
        (lambda t: reduce.reduce_sum(t("float32", [4, 8]), -1), RuntimeError),
        (lambda t: reduce.reduce_sum(t("float32", [4, 8]), 0, 0), RuntimeError),
        (lambda t: reduce.reduce_sum(t("float32", [4, 8]), 0, 1), RuntimeError),
        (lambda t: reduce.reduce_sum(t("float32", [4, 8]), 1.0), TypeError),
        (lambda t: reduce.reduce_sum(t("float32", [4, 8]), 1, keep_dims=1), TypeError),
        (lambda t: reduce.reduce_prod(t("float32", [4, 8])), RuntimeError),
        (lambda t: reduce.reduce_max(3), TypeError),
        (lambda t: normalize.softmax(t("float32", [2, 2, 8])), RuntimeError),
        (lambda t: normalize.rms_norm(t("float32", [8]), t("float32", [8]), 1), TypeError),
        (lambda t: normalize.rms_norm(t("float32", [8]), 1.0, 1e-5), TypeError),
        (lambda t: shape.reshape(t("float32", [4, 8]), 5), RuntimeError),
        (lambda t: shape.reshape(t("float32", [4, 8]), 4.0, 8), TypeError),
        (lambda t: shape.squeeze(t("float32", [4, 8]), 0), RuntimeError),
        (lambda t: shape.squeeze(t("float32", [1, 1])), RuntimeError),
        (lambda t: shape.transpose(t("float32", [8])), IndexError),
        (lambda t: shape.transpose(t("float32", [4, 8]), [1, 0]), TypeError),
        (lambda t: shape.transpose(t("float32", [4, 8]), 0), RuntimeError),
        (lambda t: shape.transpose(t("float32", [4, 8]), 1, -2), RuntimeError),
        (lambda t: shape.transpose(t("int64", [4, 8])), RuntimeError),
        (lambda t: shape.broadcast_to(t("float32", [4, 8]), 4, 4), RuntimeError),
        (lambda t: shape.concat(), TypeError),
        (lambda t: shape.concat([t("float32", [4])]), TypeError),
        (lambda t: shape.concat(t("float32", [4]), t("float16", [4])), RuntimeError),
        (lambda t: shape.concat(t("float32", [4, 2]), t("float32", [4, 3])), RuntimeError),
        (lambda t: shape.broadcast_shapes(), ValueError),
        (lambda t: shape.broadcast_shapes([2], [3]), RuntimeError),
        (lambda t: creation.full([4], "x"), TypeError),
        (lambda t: creation.full([4], 1, "float32"), TypeError),
        (lambda t: creation.full([], 1), RuntimeError),
        (lambda t: creation.full([0], 1), RuntimeError),
        (lambda t: creation.full(4, 1), TypeError),
        (lambda t: creation.full([4], 1, location="UB"), TypeError),
        (lambda t: creation.zeros([4, 2.0]), TypeError),
        (lambda t: matmul.matmul(t("float16", [4, 8]), 3), BinaryOperandTypeError),
        (lambda t: matmul.matmul(t("int8", [4, 8]), t("int8", [8, 4])), RuntimeError),
        (lambda t: matmul.matmul(t("float16", [4, 8]), t("float32", [8, 4])), RuntimeError),
        (lambda t: matmul.matmul(t("float16", [8]), t("float16", [8, 4])), RuntimeError),
        (lambda t: matmul.matmul(t("float16", [4, 8]), t("float16", [4, 8])), RuntimeError),
        (lambda t: matmul.matmul(t("float32", [4, 8]), t("float32", [8, 4]), hf32=1), TypeError),
        (
            lambda t: matmul.matmul(t("float16", [4, 8]), t("float16", [8, 4]), hf32=True),
            RuntimeError,
        ),
        (lambda t: matmul.matmul(t("float32", [4, 8]), t("float32", [8, 4]), 1), TypeError),
        (lambda t: matmul.zeros_acc([4, 4], float16), RuntimeError),
        (lambda t: matmul.zeros_acc([4, 4], "float32"), TypeError),
        (lambda t: matmul.zeros_acc([4], float32), IndexError),
        (lambda t: matmul.zeros_acc(4, float32), TypeError),
    ],
)
def test_refusals(trace, call, exception):
    with pytest.raises(exception) as caught:
        call(trace.tile)
    assert type(caught.value) is exception


@pytest.mark.parametrize(
    ("call", "code"),
    [
        (lambda t: elementwise.cast(t("float16", [8]), int64), "bad-cast"),
        (lambda t: elementwise.cast(t("float32", [8]), int32, RoundMode.Odd), "bad-cast"),
        (
            lambda t: matmul.matmul_acc(
                t("float32", [4, 4]), t("float16", [4, 8]), t("float16", [8, 4])
            ),
            "bad-accumulator",
        ),
        (lambda t: t("float32", [8]).to("L1").to("UB"), "bad-location"),
    ],
)
def test_refusals_of_the_compiler(trace, call, code):
    call(trace.tile)
    with pytest.raises(RuntimeError) as caught:
        trace.builder.finish()
    assert caught.value.ascemu_code == code


def test_where_of_numbers(trace):
    mask = trace.tile("float32", [2, 8]) > 0
    assert elementwise.where(mask, 1, 0).dtype == int32
    assert elementwise.where(mask, 1, 0.5).dtype == float32
    assert elementwise.where(mask, trace.tile("float16", [8]), 0).dtype == float16
    assert elementwise.where(mask, trace.tile("float16", [8]), 0).shape == (2, 8)


def test_cast_and_to(trace):
    tile = trace.tile("float32", [8])
    assert elementwise.cast(tile, float32, RoundMode.Floor) is tile
    assert tile.to(float32) is tile
    assert tile.to(float16).dtype == float16
    assert tile.to(int32, RoundMode.Ceil).dtype == int32
    assert tile.to(int32, round_mode=RoundMode.Ceil).dtype == int32
    assert tile.to(dtype=bfloat16).dtype == bfloat16
    assert tile.to("L1").location is TensorLocation.L1
    assert tile.to(TensorLocation.UB).location is TensorLocation.UB
    assert tile.to(TensorLocation.Auto) is tile
    placed = tile.to("UB")
    assert placed.to("UB") is placed
    assert type(elementwise.cast(2.5, int32)) is PlainValue
    assert elementwise.cast(trace.scalar("int32"), float32).dtype == float32


@pytest.mark.parametrize("arguments", [(), (3,), (None,), (int32, 1), ("UB", RoundMode.Rint)])
def test_to_without_a_fitting_form(trace, arguments):
    with pytest.raises(RuntimeError, match=r"^No viable candidates were found to dispatch to\("):
        trace.tile("float32", [8]).to(*arguments)


def test_to_an_unknown_location(trace):
    with pytest.raises(ValueError, match="^'location' argument must be one of L0A, .+, got 'UB2'$"):
        trace.tile("float32", [8]).to("UB2")


@pytest.mark.parametrize("name", ["exp", "sqrt", "erf"])
def test_scalar_forms(trace, name):
    operation = getattr(elementwise, name)
    for operand in (2, 2.5, True, trace.scalar("int32"), trace.scalar("float32")):
        result = operation(operand)
        assert type(result) is PlainValue and result.dtype == float32


def test_reductions(trace):
    tile = trace.tile("float32", [2, 4, 8])
    assert type(tile.sum()) is PlainValue
    assert tile.sum(0).shape == (4, 8)
    assert tile.max(0, 2).shape == (4,)
    assert tile.min(1, keep_dims=True).shape == (2, 1, 8)
    assert tile.prod(2).dtype == float32
    assert reduce.reduce_sum(trace.tile("int32", [4, 8]), 1).dtype == int32


def test_normalisations(trace):
    tile, vector = trace.tile("float16", [4, 8]), trace.tile("float16", [8])
    assert tile.softmax().dtype == float16
    assert normalize.rms_norm(tile, vector, 1e-5).shape == (4, 8)
    assert normalize.rms_norm(tile, vector, trace.scalar("float32")).shape == (4, 8)
    out, mean, spread = normalize.layer_norm(tile, vector, vector, 1e-5)
    assert (out.dtype, mean.dtype, spread.dtype) == (float16, float32, float32)
    assert (out.shape, mean.shape, spread.shape) == ((4, 8), (4,), (4,))


def test_shapes(trace):
    tile = trace.tile("float32", [1, 4, 8])
    assert tile.reshape(8, 4).shape == tile.reshape([8, 4]).shape == (8, 4)
    assert tile.reshape(iter((2, 16))).shape == (2, 16)
    assert tile.ravel().shape == (32,)
    assert tile.expand_dims(0, 2, 2).shape == (1, 1, 1, 4, 8)
    assert tile.squeeze().shape == tile.squeeze(0, 7, -1).shape == (4, 8)
    assert tile.transpose().shape == (1, 8, 4)
    assert tile.transpose(2, 0, 1).shape == (8, 1, 4)
    assert tile.transpose(0, 1, 2) is tile
    assert tile.broadcast_to(3, 4, 8).shape == tile.broadcast_to((3, 4, 8)).shape == (3, 4, 8)
    assert shape.concat(tile, tile).shape == (2, 4, 8)
    a, b = shape.broadcast_tensors(trace.tile("int16", [4, 1]), trace.tile("int16", [8]))
    assert a.shape == b.shape == (4, 8)
    assert shape.broadcast_tensors(tile) == (tile,)
    assert shape.broadcast_tensors() == ()


def test_broadcast_shapes_on_the_host():
    assert shape.broadcast_shapes([4, 1], (8,), [1, 1, 1]) == (1, 4, 8)


def test_creation(trace):
    assert creation.full([4], True).dtype == creation.full([4], 3).dtype == int32
    assert creation.full([4], 0.5).dtype == float32
    assert creation.full([1], trace.scalar("float16")).dtype == float16
    assert creation.full((2, 4), 1, bfloat16).dtype == bfloat16
    assert creation.zeros([4]).dtype == int32
    assert creation.zeros([4], float16).dtype == float16
    like = creation.full_like(trace.tile("int8", [3]), 7)
    assert (str(like.dtype), like.shape) == ("int8", (3,))
    assert creation.zeros_like(like).shape == (3,)


def test_matmul(trace):
    a, b = trace.tile("float16", [3, 8]), trace.tile("float16", [8, 5])
    product = a @ b
    assert (product.dtype, product.shape, product.location) == (float32, (3, 5), TensorLocation.L0C)
    assert matmul.matmul(a, b, trace.tile("float32", [5])).shape == (3, 5)
    acc = matmul.zeros_acc([3, 5], float32)
    assert matmul.matmul_acc(acc, a, b) is None
    assert acc.location is TensorLocation.L0C


@pytest.mark.parametrize("name", METHODS)
def test_methods_are_the_operations(trace, name):
    assert getattr(LocalTensor, name) is METHODS[name]
    assert "input" in inspect.signature(getattr(LocalTensor, name)).parameters


def test_operations_outside_a_kernel():
    with pytest.raises(
        RuntimeError, match="^'exp' cannot be called without initialization of global builder$"
    ):
        elementwise.exp(1.0)
    with pytest.raises(RuntimeError, match="^'full' cannot be called without"):
        creation.full([4], 1)
