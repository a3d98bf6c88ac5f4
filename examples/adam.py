"""adam: one optimiser step; parameter and both moments are updated in place."""

import asc
import asc2
import numpy as np
import pytest
from checking import assert_close, check, main, outcome, to_float64

RATE, BETA1, BETA2, EPSILON = 1e-2, 0.9, 0.999, 1e-8


@asc2.jit(reuse_alloc=1)
def adam_kernel(
    param_ptr: asc.GlobalAddress,
    grad_ptr: asc.GlobalAddress,
    moment_ptr: asc.GlobalAddress,
    square_ptr: asc.GlobalAddress,
    size,
    rate,
    beta1,
    beta2,
    epsilon,
    correction1,
    correction2,
    tile_size: asc.ConstExpr[int],
):
    param_gm = asc2.global_tensor(param_ptr, [size])
    grad_gm = asc2.global_tensor(grad_ptr, [size])
    moment_gm = asc2.global_tensor(moment_ptr, [size])
    square_gm = asc2.global_tensor(square_ptr, [size])
    for i in asc2.range(asc2.block_idx(), asc2.ceildiv(size, tile_size), asc2.block_num()):
        offset = i * tile_size
        grad = asc2.copy_in(grad_gm, [offset], [tile_size])
        moment = asc2.copy_in(moment_gm, [offset], [tile_size])
        square = asc2.copy_in(square_gm, [offset], [tile_size])
        param = asc2.copy_in(param_gm, [offset], [tile_size])
        moment = moment * beta1 + grad * (1.0 - beta1)
        square = square * beta2 + grad * grad * (1.0 - beta2)
        denominator = asc2.sqrt(square / correction2) + epsilon
        param = param - moment * (rate / correction1) / denominator
        asc2.copy_out(moment, moment_gm, [offset])
        asc2.copy_out(square, square_gm, [offset])
        asc2.copy_out(param, param_gm, [offset])


def adam(param, grad, moment, square, step, blocks, tile_size=256, static=False):
    """Updates `param`, `moment` and `square` in place."""
    scalars = [param.size, RATE, BETA1, BETA2, EPSILON, 1 - BETA1**step, 1 - BETA2**step]
    if static:
        scalars = map(asc2.ConstExpr, scalars)
    adam_kernel[blocks](param, grad, moment, square, *scalars, tile_size)


def inputs(size, seed=13):
    rng = np.random.default_rng(seed)
    param, grad, moment = (rng.normal(0, 1, size).astype(np.float32) for _ in range(3))
    return param, grad, moment, rng.uniform(0.1, 2, size).astype(np.float32)


def reference(param, grad, moment, square, step):
    param, grad, moment, square = map(to_float64, (param, grad, moment, square))
    moment = BETA1 * moment + (1 - BETA1) * grad
    square = BETA2 * square + (1 - BETA2) * grad**2
    bias1, bias2 = 1 - BETA1**step, 1 - BETA2**step
    param = param - RATE / bias1 * moment / (np.sqrt(square / bias2) + EPSILON)
    return param, moment, square


@pytest.mark.parametrize("static", [False, True], ids=["dynamic", "static"])
@pytest.mark.parametrize("step", [1, 100])
@pytest.mark.parametrize("size,blocks", [(17, 1), (1000, 4), (5000, 16)])
def test_adam_step(size, blocks, step, static):
    param, grad, moment, square = inputs(size)
    expected = reference(param, grad, moment, square, step)
    adam(param, grad, moment, square, step, blocks, static=static)
    for result, want in zip((param, moment, square), expected, strict=True):
        assert_close(result, want)


def test_adam_steps_follow_each_other():
    state = inputs(300)
    expected = tuple(map(to_float64, state))
    grad = expected[1]
    for step in range(1, 6):
        param, moment, square = reference(expected[0], grad, expected[2], expected[3], step)
        expected = (param, grad, moment, square)
        adam(*state, step, 2)
    for result, want in zip(state, expected, strict=True):
        assert_close(result, want, rtol=1e-5)


def example():
    blocks = 16
    param, grad, moment, square = inputs(30_000)
    expected = reference(param, grad, moment, square, 3)
    adam(param, grad, moment, square, 3, blocks, tile_size=1024)
    checks = [check(r, want) for r, want in zip((param, moment, square), expected, strict=True)]
    return outcome("adam", blocks, *checks)


if __name__ == "__main__":
    raise SystemExit(main(example))
