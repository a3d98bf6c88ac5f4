"""Matrix products: forms, dtypes, odd sizes, bias, hf32, accumulators, L0C results (§6.6)."""

import numpy as np
import pytest
from ascemu.dropin import asc2, asctile
from ascemu.errors import BinaryOperandTypeError
from op_launch import NUMPY, apply, dtype_of, refused, result_of, values

CUBE = ["float16", "bfloat16", "float32"]
SIZES = [(1, 32, 11), (11, 19, 41), (16, 16, 16), (13, 1, 77), (47, 67, 21), (1, 1, 1), (31, 5, 1)]


def wide(x):
    return x.astype(np.float64)


def near(result, expected, tolerance=1e-5):
    np.testing.assert_allclose(wide(result), expected, rtol=tolerance, atol=tolerance)


def operands(dtype, m, k, n):
    return values(dtype, [m, k]), values(dtype, [k, n], seed=2)


@pytest.mark.parametrize("dtype", CUBE)
@pytest.mark.parametrize(("m", "k", "n"), SIZES)
def test_products(dtype, m, k, n):
    a, b = operands(dtype, m, k, n)
    for form in (asctile.matmul, lambda x, y: x @ y, lambda x, y: asctile.matmul(x, y, bias=None)):
        seen = []

        def product(x, y, form=form, seen=seen):
            result = form(x, y)
            seen.append((str(result.dtype), result.shape))
            return result

        near(result_of(product, a, b, shape=[m, n], dtype="float32"), wide(a) @ wide(b))
        assert set(seen) == {("float32", (m, n))}


@pytest.mark.parametrize("dtype", CUBE)
def test_transposed_operands(dtype):
    a, b = values(dtype, [19, 11]), values(dtype, [41, 19], seed=2)
    result = result_of(lambda x, y: x.T @ y.T, a, b, shape=[11, 41], dtype="float32")
    near(result, wide(a).T @ wide(b).T)


@pytest.mark.parametrize("dtype", CUBE)
@pytest.mark.parametrize("bias_dtype", CUBE)
@pytest.mark.parametrize("n", [1, 16, 21])
def test_bias(dtype, bias_dtype, n):
    a, b = operands(dtype, 7, 9, n)
    bias = values(bias_dtype, [n], seed=3)
    result = result_of(lambda *t: asctile.matmul(*t), a, b, bias, shape=[7, n], dtype="float32")
    near(result, wide(a) @ wide(b) + wide(bias))


def test_hf32_rounds_the_operands():
    a = np.array([[1 + 2**-13, 1 + 2**-10]], np.float32)
    b = np.ones([2, 2], np.float32)
    exact = result_of(asctile.matmul, a, b, shape=[1, 2])
    rounded = result_of(lambda x, y: asctile.matmul(x, y, hf32=True), a, b, shape=[1, 2])
    assert exact[0, 0] == 2 + 2**-10 + 2**-13
    assert rounded[0, 0] == 2 + 2**-10


@asc2.jit
def tiled(a_ptr, b_ptr, bias_ptr, out_ptr, m: asc2.ConstExpr, k: asc2.ConstExpr,
          n: asc2.ConstExpr, step: asc2.ConstExpr, with_bias: asc2.ConstExpr):  # fmt: skip
    a_gm = asc2.global_tensor(a_ptr, [m, k])
    b_gm = asc2.global_tensor(b_ptr, [k, n])
    out = asc2.global_tensor(out_ptr, [m, n])
    if with_bias:
        bias = asc2.copy_in(asc2.global_tensor(bias_ptr, [n]), [0], [n], "BT")
        acc = asc2.zeros_acc([m, n], asc2.float32, bias=bias)
    else:
        acc = asc2.zeros_acc([m, n], dtype=asc2.float32)
    for start in range(0, k, step):
        a_l1 = asc2.copy_in(a_gm, [0, start], [m, step], asc2.TensorLocation.L1)
        b_l1 = asc2.copy_in(b_gm, [start, 0], [step, n], "L1")
        asc2.matmul_acc(acc, a_l1.to("L0A"), b_l1.to(asc2.TensorLocation.L0B))
    asc2.copy_out(acc, out, [0, 0])


@pytest.mark.parametrize("dtype", CUBE)
@pytest.mark.parametrize(("k", "step"), [(32, 16), (41, 16), (25, 16), (9, 16), (19, 19)])
@pytest.mark.parametrize("with_bias", [True, False])
def test_accumulation_over_tiles_of_k(dtype, k, step, with_bias):
    a, b = operands(dtype, 11, k, 13)
    bias = values("float32", [13], seed=3)
    out = np.zeros([11, 13], np.float32)
    tiled[1](a, b, bias, out, 11, k, 13, step, with_bias)
    near(out, wide(a) @ wide(b) + (wide(bias) if with_bias else 0))


@pytest.mark.usefixtures("undefined_is_stored")
def test_the_tail_of_k_is_zero_up_to_a_block_and_undefined_beyond():
    a, b = operands("float32", 11, 3, 13)
    out = np.zeros([11, 13], np.float32)
    tiled[1](a, b, values("float32", [13]), out, 11, 3, 13, 8, False)
    near(out, wide(a) @ wide(b))
    tiled[1](a, b, values("float32", [13]), out, 11, 3, 13, 16, False)
    assert np.isnan(out).all()


def test_an_accumulator_in_a_loop_starts_again_each_time():
    @asc2.jit
    def kernel(a_ptr, b_ptr, out_ptr):
        a = asc2.copy_in(asc2.global_tensor(a_ptr, [4, 4]), [0, 0], [4, 4])
        b = asc2.copy_in(asc2.global_tensor(b_ptr, [4, 4]), [0, 0], [4, 4])
        out = asc2.global_tensor(out_ptr, [3, 4, 4])
        for i in range(3):
            acc = asc2.zeros_acc([4, 4], asc2.float32)
            for _ in range(i + 1):
                asc2.matmul_acc(acc, a, b)
            asc2.copy_out(acc, out, [i, 0, 0])

    a, b = operands("float32", 4, 4, 4)
    out = np.zeros([3, 4, 4], np.float32)
    kernel[1](a, b, out)
    near(out, [wide(a) @ wide(b) * count for count in (1, 2, 3)])


def test_matmul_acc_returns_none_and_takes_the_older_order():
    def accumulate(x, y):
        acc = asc2.zeros_acc([5, 7], asc2.float32)
        assert asc2.matmul_acc(acc, x, y) is None
        assert asc2.matmul_acc(x, y, acc) is None
        return acc

    a, b = operands("float16", 5, 3, 7)
    near(result_of(accumulate, a, b, shape=[5, 7], dtype="float32"), 2 * (wide(a) @ wide(b)))


@pytest.mark.parametrize(
    ("order", "dtype"),
    [
        ("relu_cast", "float16"),
        ("relu_cast", "bfloat16"),
        ("cast_relu", "float16"),
        ("cast", "float16"),
        ("cast", "bfloat16"),
        ("relu", "float16"),
    ],
)
def test_results_pass_through_relu_and_cast_on_the_way_out(order, dtype):  # contract N15.1
    a, b = operands(dtype, 9, 17, 5)

    def finish(x, y):
        c = x @ y
        if order.startswith("relu"):
            c = asctile.relu(c)
        if "cast" in order:
            c = c.to(dtype_of(dtype))
        return c.relu() if order == "cast_relu" else c

    out_dtype = "float32" if order == "relu" else dtype
    result = result_of(finish, a, b, shape=[9, 5], dtype=out_dtype)
    product = result_of(lambda x, y: x @ y, a, b, shape=[9, 5], dtype="float32")
    near(product, wide(a) @ wide(b))
    expected = np.maximum(product, np.float32(0)) if "relu" in order else product
    assert result.tobytes() == expected.astype(NUMPY[out_dtype]).tobytes()


def test_a_chain_needs_a_cast_between():
    a = values("float16", [8, 8])
    result = result_of(lambda x: (x @ x).to(asctile.float16) @ x, a, dtype="float32")
    inner = (wide(a) @ wide(a)).astype(np.float32).astype(np.float16)
    near(result, wide(inner) @ wide(a), 1e-2)
    with refused(RuntimeError, "L0C"):
        result_of(lambda x: (x @ x) @ x, values("float32", [8, 8]))


def test_an_accumulator_meets_a_vector_tile():
    a = values("float32", [8, 8])
    result = result_of(lambda x: x + (x @ x) * 2, a)
    near(result, wide(a) + wide(a) @ wide(a) * 2)
    result = result_of(lambda x: (x @ x).to("UB").exp().sum(1), a * 0.1, shape=[8])
    near(result, np.exp(wide(a * np.float32(0.1)) @ wide(a * np.float32(0.1))).sum(1))


A = np.ones([4, 8], np.float32)
REFUSALS = [
    (lambda x: asctile.matmul(x, 1.0), BinaryOperandTypeError, "'other' operand of matmul must"),
    (lambda x: asctile.matmul(None, x), BinaryOperandTypeError, "'input' operand of matmul must"),
    (lambda x: x @ x, RuntimeError, "[4, 8]"),
    (lambda x: asctile.matmul(x, x.reshape(8, 2, 2)), RuntimeError, "two dimensions"),
    (lambda x: asctile.matmul(x, x.ravel()), RuntimeError, "two dimensions"),
    (lambda x: asctile.matmul(x, x.T.to(asctile.float16)), RuntimeError, "float32 and float16"),
    (lambda x: asctile.matmul(x.to(asctile.int32), x.T.to(asctile.int32)), RuntimeError, "int32"),
    (lambda x: asctile.matmul(x, x.T, hf32=1), TypeError, "'hf32' argument must be bool"),
    (lambda x: asctile.matmul(x.to(asctile.float16), x.T.to(asctile.float16), hf32=True),
     RuntimeError, "'hf32' needs float32 operands"),
    (lambda x: asctile.matmul(x, x.T, 1.0), TypeError, "'bias' argument must be LocalTensor"),
    (lambda x: asctile.matmul(x, x.T, asctile.zeros([5], asctile.float32)), RuntimeError, "'bias'"),
    (lambda x: asctile.matmul(x, x.T, asctile.zeros([4])), RuntimeError, "'bias' has dtype int32"),
    (lambda x: asctile.zeros_acc([4, 4], "float32"), TypeError, "'dtype' argument"),
    (lambda x: asctile.zeros_acc([4, 4], asctile.float16), RuntimeError, "must be float32"),
    (lambda x: asctile.zeros_acc([4], asctile.float32), IndexError, "two dimensions"),
    (lambda x: asctile.zeros_acc(4, asctile.float32), TypeError, "'shape' argument"),
    (lambda x: asctile.zeros_acc([4, 0], asctile.float32), RuntimeError, "not positive"),
    (lambda x: asctile.matmul_acc(x, x, x.T), RuntimeError, "not directly the result of zeros_acc"),
    (lambda x: asctile.matmul_acc(asctile.zeros_acc([5, 5], asctile.float32), x, x.T),
     RuntimeError, "[5, 5]"),
    (lambda x: asctile.matmul_acc(asctile.zeros_acc([4, 4], asctile.float32).relu(), x, x.T),
     RuntimeError, "not directly the result of zeros_acc"),
    (lambda x: asctile.matmul_acc(1, x, x.T), BinaryOperandTypeError, "'acc' operand of"),
]  # fmt: skip


@pytest.mark.parametrize(("call", "exception", "message"), REFUSALS)
def test_refusals(call, exception, message):
    with refused(exception, message):
        apply(lambda x: [call(x)], [A], [])


def test_a_number_is_no_matrix():
    for call in (lambda x: x @ 2.0, lambda x: 2.0 @ x):
        with refused(BinaryOperandTypeError, "must be LocalTensor"):
            apply(lambda x, call=call: [call(x)], [A], [])


def test_an_accumulator_cannot_be_rebound_at_run_time():
    @asc2.jit
    def kernel(a_ptr, n):
        a = asc2.copy_in(asc2.global_tensor(a_ptr, [4, 4]), [0, 0], [4, 4])
        acc = asc2.zeros_acc([4, 4], asc2.float32)
        for _ in range(n):
            acc = asc2.zeros_acc([4, 4], asc2.float32)
        asc2.matmul_acc(acc, a, a)

    with refused(RuntimeError, "not directly the result of zeros_acc"):
        kernel[1](np.ones([4, 4], np.float32), 2)
