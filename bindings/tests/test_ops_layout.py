"""Shape functions and creation: values, forms, refusals (spec asc2 §6.8, §11.1)."""

import itertools

import numpy as np
import pytest
from ascemu.dropin import asc2, asctile
from ascemu.errors import KernelError
from op_launch import LEGAL, NUMPY, apply, dtype_of, refused, result_of, values

X = np.arange(24, dtype=np.float32).reshape(4, 6)


def shape_of(function, x=X):
    """The shape of the tensor that `function` returns, found while tracing."""
    seen = []
    apply(lambda tile: [seen.append(function(tile).shape)], [x], [])
    return seen[0]


@pytest.mark.parametrize("dtype", [*LEGAL["full"]])
def test_reshape_keeps_the_order_of_elements(dtype):
    x = values(dtype, [4, 6])
    for form in (
        lambda a: asctile.reshape(a, 2, 3, 4),
        lambda a: asctile.reshape(a, [2, 3, 4]),
        lambda a: a.reshape((2, 3, 4)),
        lambda a: a.reshape(i for i in (2, 3, 4)),
    ):
        assert (result_of(form, x, shape=[2, 3, 4]) == x.reshape(2, 3, 4)).all()
    assert (result_of(lambda a: a.ravel(), x, shape=[24]) == x.ravel()).all()


@pytest.mark.parametrize(
    ("shape", "axes", "expected"),
    [
        ([1, 4, 1, 6], (), (4, 6)),
        ([1, 4, 1, 6], (0,), (4, 1, 6)),
        ([1, 4, 1, 6], (2, 0), (4, 6)),
        ([4, 6], (), (4, 6)),
        ([1, 4], (-1,), (1, 4)),
        ([1, 4], (7,), (1, 4)),
        ([1, 4], (0, 0), (4,)),
    ],
)
def test_squeeze(shape, axes, expected):
    x = values("float32", shape)
    assert shape_of(lambda a: asctile.squeeze(a, *axes), x) == expected
    assert (result_of(lambda a: a.squeeze(*axes), x, shape=expected) == x.reshape(expected)).all()


@pytest.mark.parametrize(
    ("axes", "expected"),
    [
        ((0,), (1, 4, 6)),
        ((1,), (4, 1, 6)),
        ((2,), (4, 6, 1)),
        ((0, 3), (1, 4, 6, 1)),
        ((3, 0), (1, 4, 6, 1)),
        ((1, 1), (4, 1, 6)),
        ((9,), (4, 6, 1)),
        ((10**30,), (4, 6, 1)),
        ((-1,), (4, 1, 6)),
        ((-(10**30),), (1, 4, 6)),
        ((), (4, 6)),
    ],
)
def test_expand_dims(axes, expected):
    assert shape_of(lambda a: asctile.expand_dims(a, *axes)) == expected
    assert shape_of(lambda a: a.expand_dims(*axes)) == expected


@pytest.mark.parametrize("dtype", LEGAL["transpose"])
@pytest.mark.parametrize("rank", [2, 3, 4])
def test_every_permutation(dtype, rank):
    x = values(dtype, [2, 3, 4, 5][:rank])
    for order in itertools.permutations(range(rank)):
        expected = x.transpose(order)
        result = result_of(lambda a, o=order: a.transpose(*o), x, shape=expected.shape)
        assert (result == expected).all(), order
    expected = np.swapaxes(x, -1, -2)
    for form in (asctile.transpose, lambda a: a.T, lambda a: a.transpose()):
        assert (result_of(form, x, shape=expected.shape) == expected).all()


def test_the_identity_returns_the_tensor_itself():
    def same(a):
        assert a.transpose(0, 1) is a
        assert a.broadcast_to(4, 6) is a
        return a

    assert (result_of(same, X) == X).all()


@pytest.mark.parametrize("dtype", LEGAL["broadcast_to"])
@pytest.mark.parametrize(
    ("shape", "target"), [([1], [7]), ([4, 1], [4, 6]), ([6], [4, 6]), ([1, 3, 1], [2, 2, 3, 4])]
)
def test_broadcast_to(dtype, shape, target):
    x = values(dtype, shape)
    for form in (lambda a: a.broadcast_to(*target), lambda a: asctile.broadcast_to(a, target)):
        assert (result_of(form, x, shape=target) == np.broadcast_to(x, target)).all()


def test_broadcast_tensors():
    a, b, c = values("float32", [4, 1]), values("int32", [6]), values("float16", [1, 1])
    outs = [np.zeros([4, 6], x.dtype) for x in (a, b, c)]
    apply(asctile.broadcast_tensors, [a, b, c], outs)
    for x, out in zip((a, b, c), outs, strict=True):
        assert (out == np.broadcast_to(x, [4, 6])).all()

    def few(x):
        assert asctile.broadcast_tensors() == ()
        assert asctile.broadcast_tensors(x)[0] is x
        return x

    result_of(few, a)


@pytest.mark.parametrize("dtype", LEGAL["concat"])
def test_concat(dtype):
    a, b, c = values(dtype, [2, 5]), values(dtype, [1, 5]), values(dtype, [3, 5])
    result = result_of(asctile.concat, a, b, c, shape=[6, 5])
    assert (result == np.concatenate([a, b, c])).all()
    assert (result_of(lambda x: asctile.concat(x), a) == a).all()
    assert (result_of(lambda x: asctile.concat(x, x), a, shape=[4, 5]) == np.tile(a, (2, 1))).all()


REFUSALS = [
    (lambda x: x.reshape(5, 5), RuntimeError, "shape [4, 6] has 24 elements, shape [5, 5] has 25"),
    (lambda x: x.reshape(-1, 6), RuntimeError, "not positive"),
    (lambda x: x.reshape(0), RuntimeError, "not positive"),
    (lambda x: x.reshape(), RuntimeError, "at least one value"),
    (lambda x: x.reshape(2**40, 2**40), KernelError, "is larger than 1 GiB"),
    (lambda x: x.reshape(1, 1, 1, 1, 1, 1, 1, 1, 24), RuntimeError, "at most 8 dimensions, got 9"),
    (lambda x: x.reshape("24"), TypeError, "must be"),
    (lambda x: x.reshape(24.0), TypeError, "must be integers"),
    (lambda x: x.reshape(None), TypeError, "must be integers"),
    (lambda x: x.reshape(asctile.block_num()), TypeError, "known while tracing"),
    (lambda x: (x > 0).reshape(24), RuntimeError, "'input' has dtype int1"),
    (lambda x: x.squeeze(0), RuntimeError, "its size is 4"),
    (lambda x: asctile.full([1, 1], 1).squeeze(), RuntimeError, "at least one value"),
    (lambda x: x.transpose(0), RuntimeError, "needs 2 axes, got 1"),
    (lambda x: x.transpose(0, 0), RuntimeError, "no permutation"),
    (lambda x: x.transpose(1, -2), RuntimeError, "no permutation"),
    (lambda x: x.transpose([1, 0]), TypeError, "must be integers"),
    (lambda x: x.ravel().T, IndexError, "no two dimensions"),
    (lambda x: x.to(asctile.int64).T, RuntimeError, "'input' has dtype int64"),
    (lambda x: x.broadcast_to(4, 7), RuntimeError, "[4, 6] does not broadcast to [4, 7]"),
    (lambda x: x.broadcast_to(6), RuntimeError, "[4, 6] does not broadcast to [6]"),
    (lambda x: (x > 0).broadcast_to(2, 4, 6), RuntimeError, "'input' has dtype int1"),
    (lambda x: asctile.concat(), TypeError, "at least one tensor"),
    (lambda x: asctile.concat([x, x]), TypeError, "input 0 of concat must be LocalTensor"),
    (lambda x: asctile.concat(x, 1.0), TypeError, "input 1 of concat must be LocalTensor"),
    (lambda x: asctile.concat(x, x.T), RuntimeError, ""),
    (lambda x: asctile.concat(x, x.to(asctile.int32)), RuntimeError, "int32"),
    (lambda x: asctile.concat(x > 0, x > 0), RuntimeError, "int1"),
    (lambda x: asctile.broadcast_tensors(x, 1.0)[0], TypeError, "'tensors' argument must be"),
    (lambda x: asctile.broadcast_tensors(x, x.T)[0], RuntimeError, "do not broadcast"),
]


@pytest.mark.parametrize(("call", "exception", "message"), REFUSALS)
def test_refusals(call, exception, message):
    with refused(exception, message):
        apply(lambda x: [call(x)], [X], [])


def test_broadcast_shapes():
    assert asctile.broadcast_shapes([4, 1], (6,)) == (4, 6)
    assert asctile.broadcast_shapes([3]) == (3,)
    with pytest.raises(ValueError, match="at least one shape"):
        asctile.broadcast_shapes()
    with pytest.raises(RuntimeError, match=r"\[4\], \[5\] do not broadcast"):
        asctile.broadcast_shapes([4], [5])


@pytest.mark.parametrize("dtype", LEGAL["full"])
def test_filled_tiles(dtype):
    x = values(dtype, [5])
    wanted = dtype_of(dtype)
    assert (result_of(lambda a: asctile.full([5], 3, wanted), x) == x.dtype.type(3)).all()
    assert (result_of(lambda a: asctile.zeros([5], dtype=wanted), x) == 0).all()
    assert (result_of(asctile.zeros_like, x) == 0).all()
    assert (
        result_of(lambda a: asctile.full_like(a, 2.5), x) == np.array(2.5).astype(x.dtype)
    ).all()


@pytest.mark.parametrize(
    ("value", "dtype"),
    [(1, "int32"), (True, "int32"), (1.5, "float32"), (np.float32(2), "float32")],
)
def test_the_dtype_of_a_filled_tile(value, dtype):
    def made(x):
        tile = asctile.full([4], value)
        assert str(tile.dtype) == dtype
        assert str(asctile.zeros([4]).dtype) == "int32"
        return tile

    assert (result_of(made, np.zeros([4], dtype)) == value).all()


@pytest.mark.parametrize("dtype", ["int8", "int16", "int64", "float16", "bfloat16"])
def test_a_runtime_scalar_gives_its_own_dtype(dtype):
    def made(x):
        tile = asctile.full([4], asctile.number(3, dtype_of(dtype)))
        assert str(tile.dtype) == dtype
        return tile

    assert (result_of(made, np.zeros([4], NUMPY[dtype])) == NUMPY[dtype].type(3)).all()


CREATION_REFUSALS = [
    (lambda m: m.full([4], None), TypeError, "'value' argument must be a number"),
    (lambda m: m.full([4], "1"), TypeError, "'value' argument must be a number"),
    (lambda m: m.full([4], 1, "float32"), TypeError, "'dtype' argument must be DataType"),
    (lambda m: m.full([4], 1, m.float64), RuntimeError, "float64"),
    (lambda m: m.full([], 1), RuntimeError, "at least one value"),
    (lambda m: m.full([0], 1), RuntimeError, "not positive"),
    (lambda m: m.full([4, -1], 1), RuntimeError, "not positive"),
    (lambda m: m.full(4, 1), TypeError, "'shape' argument must be a sequence"),
    (lambda m: m.full([4.0], 1), TypeError, "must be integers"),
    (lambda m: m.full([4], m.number(1, m.float64)), RuntimeError, "float64"),
    (lambda m: m.zeros([4], None), TypeError, "'dtype' argument must be DataType"),
    (lambda m: m.zeros_like(4), TypeError, "'input' argument must be LocalTensor"),
    (lambda m: m.full_like(4, 1), TypeError, "'input' argument must be LocalTensor"),
    (lambda m: m.full([4], float("nan"), m.int32), ValueError, "has no value as int32"),
    (lambda m: m.full([4], float("inf"), m.int32), OverflowError, "has no value as int32"),
    (lambda m: m.full([2**20, 2**20], 1), KernelError, "is larger than 1 GiB"),
]


@pytest.mark.parametrize(("call", "exception", "message"), CREATION_REFUSALS)
@pytest.mark.parametrize("module", [asc2, asctile])
def test_creation_refusals(module, call, exception, message):
    with refused(exception, message):
        apply(lambda x: [call(module)], [X], [])


def test_locations_of_created_tiles_belong_to_the_older_namespace():
    for location in ("UB", asc2.TensorLocation.UB, None):
        apply(lambda x, at=location: [asc2.zeros_like(x, location=at)], [X], [])
        apply(lambda x, at=location: [asc2.full([4], 1, location=at)], [X], [])
    with refused(RuntimeError, "must be in UB, got location L0C"):
        apply(lambda x: [asc2.zeros([4], asc2.float32, "L0C")], [X], [])
    with refused(TypeError, "location"):
        apply(lambda x: [asctile.zeros([4], location="UB")], [X], [])
