"""softmax, rms_norm and layer_norm (spec asc2 §6.4, §11.1)."""

import numpy as np
import pytest
from ascemu.dropin import asctile
from op_launch import NUMPY, apply, refused, result_of, values

TOLERANCE = {"float16": 2e-3, "bfloat16": 1e-2, "float32": 2e-6}


def wide(x):
    return x.astype(np.float64)


def near(result, expected):
    tolerance = TOLERANCE[str(result.dtype)]
    np.testing.assert_allclose(wide(result), expected, rtol=tolerance, atol=tolerance)


@pytest.mark.parametrize("dtype", ["float16", "float32"])
@pytest.mark.parametrize("shape", [[1], [7], [64], [3, 1], [5, 33], [1, 40]])
def test_softmax(dtype, shape):
    x = values(dtype, shape, -9, 9)
    e = np.exp(wide(x) - wide(x).max(-1, keepdims=True))
    near(result_of(asctile.softmax, x), e / e.sum(-1, keepdims=True))
    near(result_of(lambda a: a.softmax(), x), e / e.sum(-1, keepdims=True))


def test_softmax_of_large_values_does_not_overflow():
    x = np.array([[1e4, 1e4, -1e4], [-3e38, 3e38, 0]], np.float32)
    assert result_of(asctile.softmax, x).tolist() == [[0.5, 0.5, 0], [0, 1, 0]]


def rms(x, gamma, eps):
    return wide(x) / np.sqrt((wide(x) ** 2).mean(-1, keepdims=True) + eps) * wide(gamma)


@pytest.mark.parametrize("dtype", ["float16", "float32"])
@pytest.mark.parametrize("weight", ["float16", "float32"])
@pytest.mark.parametrize("shape", [[40], [4, 17], [2, 3, 8]])
def test_rms_norm(dtype, weight, shape):
    x, gamma = values(dtype, shape), values(weight, shape[-1:], seed=2)
    near(result_of(lambda a, g: asctile.rms_norm(a, g, 1e-5), x, gamma), rms(x, gamma, 1e-5))


def test_epsilon_of_rms_norm_has_the_dtype_of_the_input():
    x = np.full([8], 1e-4, np.float16)
    gamma = np.ones([8], np.float16)
    result = result_of(lambda a, g: asctile.rms_norm(a, g, 1e-8), x, gamma)
    assert (result == 1).all()
    x = np.full([8], 1e-4, np.float32)
    result = result_of(lambda a, g: asctile.rms_norm(a, g, 1e-8), x, np.ones([8], np.float32))
    np.testing.assert_allclose(result, np.sqrt(0.5), rtol=1e-5)


@pytest.mark.parametrize("dtype", ["float16", "bfloat16", "float32"])
@pytest.mark.parametrize("shape", [[40], [4, 17], [1, 64]])
@pytest.mark.parametrize("output_rstd", [True, False])
def test_layer_norm(dtype, shape, output_rstd):
    x = values(dtype, shape)
    gamma, beta = values(dtype, shape[-1:], seed=2), values(dtype, shape[-1:], seed=3)
    rows = shape[0] if len(shape) == 2 else 1
    out, mean, spread = np.zeros_like(x), np.zeros(rows, np.float32), np.zeros(rows, np.float32)
    apply(
        lambda a, g, b: asctile.layer_norm(a, g, b, 1e-3, output_rstd),
        [x, gamma, beta],
        [out, mean, spread],
    )
    average, variance = wide(x).mean(-1, keepdims=True), wide(x).var(-1, keepdims=True)
    rstd = 1 / np.sqrt(variance + 1e-3)
    near(out, (wide(x) - average) * rstd * wide(gamma) + wide(beta))
    np.testing.assert_allclose(mean, average.reshape(-1), rtol=1e-5, atol=1e-6)
    expected = rstd if output_rstd else variance
    np.testing.assert_allclose(spread, expected.reshape(-1), rtol=1e-5)


def test_epsilon_of_layer_norm_is_float32():
    x = np.full([8], 3, np.float16)
    gamma, beta = np.ones([8], np.float16), np.zeros([8], np.float16)
    spread = np.zeros(1, np.float32)
    out, mean = np.zeros_like(x), np.zeros(1, np.float32)
    apply(lambda *t: asctile.layer_norm(*t, 1e-8), [x, gamma, beta], [out, mean, spread])
    np.testing.assert_allclose(spread, 1e4, rtol=1e-4)


def test_epsilon_at_run_time():
    @asctile.jit
    def kernel(x_ptr, out_ptr, eps):
        x = asctile.copy_in(asctile.global_tensor(x_ptr, [16]), [0], [16])
        out = asctile.global_tensor(out_ptr, [2, 16])
        asctile.copy_out(asctile.rms_norm(x, x, eps), out, [0, 0])
        normal, mean, rstd = asctile.layer_norm(x, x, x, eps)
        asctile.copy_out(normal, out, [1, 0])

    x = values("float32", [16])
    out = np.zeros([2, 16], np.float32)
    kernel[1](x, out, 0.25)
    near(out[0], rms(x, x, 0.25))
    normal = (wide(x) - wide(x).mean()) / np.sqrt(wide(x).var() + 0.25) * wide(x) + wide(x)
    near(out[1], normal)


ONES = np.ones([4, 8], np.float32)
CALLS = {
    "softmax": lambda x: asctile.softmax(x),
    "rms_norm": lambda x: asctile.rms_norm(x, x, 1e-5),
    "layer_norm": lambda x: asctile.layer_norm(x, x, x, 1e-5),
}


@pytest.mark.parametrize("name", CALLS)
@pytest.mark.parametrize("dtype", ["int8", "int16", "int32", "int64", "bfloat16", "float64"])
def test_dtypes(name, dtype):
    if (name, dtype) == ("layer_norm", "bfloat16"):
        return
    with refused(RuntimeError, f"{name}: 'input' has dtype {dtype}; legal: "):
        apply(lambda x: [CALLS[name](x)], [np.ones([4, 8], NUMPY[dtype])], [])


@pytest.mark.parametrize(
    ("call", "exception", "message"),
    [
        (lambda x: asctile.softmax(x.reshape(2, 2, 8)), RuntimeError, "'input' has rank 3"),
        (lambda x: asctile.softmax(1.0), TypeError, "'input' argument must be LocalTensor"),
        (lambda x: asctile.rms_norm(x, x, 1), TypeError, "'epsilon' argument must be float"),
        (lambda x: asctile.rms_norm(x, x, None), TypeError, "'epsilon' argument must be float"),
        (lambda x: asctile.rms_norm(x, 1.0, 1e-5), TypeError, "'gamma' argument must be"),
        (lambda x: asctile.rms_norm(x, x.to(asctile.int32), 1e-5), RuntimeError, "'gamma'"),
        (lambda x: asctile.rms_norm(x, asctile.full([7], 1.0), 1e-5), RuntimeError, "'gamma' of"),
        (lambda x: asctile.layer_norm(x, x, x, 1), TypeError, "'epsilon' argument must be float"),
        (lambda x: asctile.layer_norm(x, x, None, 1e-5), TypeError, "'beta' argument must be"),
        (lambda x: asctile.layer_norm(x, x, x, 1e-5, 1), TypeError, "'output_rstd' argument"),
        (lambda x: asctile.layer_norm(x, x, asctile.full([9], 1.0), 1e-5), RuntimeError, "'beta'"),
    ],
)  # fmt: skip
def test_refusals(call, exception, message):
    with refused(exception, message):
        apply(lambda x: [call(x)], [ONES], [])


def test_an_integer_scalar_is_no_epsilon():
    @asctile.jit
    def kernel(x_ptr, eps):
        x = asctile.copy_in(asctile.global_tensor(x_ptr, [8]), [0], [8])
        asctile.rms_norm(x, x, eps)

    with refused(TypeError, "'epsilon' argument must be float, got PlainValue int32"):
        kernel[1](np.ones(8, np.float32), 1)
