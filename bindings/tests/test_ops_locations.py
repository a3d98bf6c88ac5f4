"""Locations: the legal transfers of §5.4, Auto as §11.3 resolves it, sub-copies."""

import numpy as np
import pytest
from ascemu.dropin import asc2, asctile
from ascemu.errors import KernelError, OffsetsError
from op_launch import apply, dtype_of, refused, result_of, values

A = values("float32", [16, 16])
PLACES = ["UB", "L1", "L0A", "L0B", "L0C", "BT", "FIX"]


def wide(x):
    return x.astype(np.float64)


def near(result, expected, tolerance=1e-5):
    np.testing.assert_allclose(wide(result), expected, rtol=tolerance, atol=tolerance)


@asctile.jit(always_compile=True)
def placed(function: asctile.ConstExpr, x_ptr, out_ptr, shape: asctile.ConstExpr,
           out_shape: asctile.ConstExpr):  # fmt: skip
    function(asctile.global_tensor(x_ptr, shape), asctile.global_tensor(out_ptr, out_shape))


def run(function, x=A, out_shape=(16, 16), dtype=np.float32):
    """An array of zeros after `function(source, target)`, both global tensors."""
    out = np.zeros(out_shape, dtype)
    placed[1](function, x, out, list(x.shape), list(out_shape))
    return out


def load(gm, place, shape=(16, 16)):
    return asctile.copy_in(gm, [0] * len(shape), shape, place)


@pytest.mark.parametrize("left", ["Auto", "UB", "L1", "L0A"])
@pytest.mark.parametrize("right", ["Auto", "UB", "L1", "L0B"])
def test_operands_of_matmul_come_from_everywhere(left, right):
    def kernel(gm, out):
        asctile.copy_out(load(gm, left) @ load(gm, right), out, [0, 0])

    near(run(kernel), wide(A) @ wide(A))


@pytest.mark.parametrize("place", [*PLACES, "Auto"])
def test_locations_by_name_and_by_member(place):
    by_name = lambda x: asctile.copy(x, location=place)  # noqa: E731
    by_member = lambda x: x.to(asctile.TensorLocation[place])  # noqa: E731
    for form in (by_name, by_member):
        if place in ("UB", "Auto"):
            assert (result_of(form, A) == A).all()
        elif place == "L1":
            apply(lambda x, form=form: [] if form(x) is None else [], [A], [])
        else:
            with refused(RuntimeError, ""):
                apply(lambda x, form=form: [form(x) + x], [A], [])


ILLEGAL = [
    ("L1", "UB"),
    ("L0A", "UB"),
    ("L0A", "L1"),
    ("L0A", "L0B"),
    ("L0B", "UB"),
    ("L0B", "L0A"),
]


@pytest.mark.parametrize(("start", "goal"), ILLEGAL)
def test_transfers_that_the_device_lacks(start, goal):
    def kernel(gm, out):
        load(gm, start).to(goal)

    with refused(RuntimeError, f"in {start}; the device cannot move it to {goal}"):
        run(kernel)


@pytest.mark.parametrize("start", ["UB", "L1", "L0A", "L0B"])
@pytest.mark.parametrize("goal", ["L0C", "FIX"])
def test_nothing_is_copied_to_l0c_or_fix(start, goal):
    with refused(RuntimeError, f"a tile cannot be copied to location {goal}"):
        run(lambda gm, out: load(gm, start).to(goal))


@pytest.mark.parametrize("start", ["L1", "L0A", "L0B"])
def test_stores_from_elsewhere_than_ub_and_l0c(start):
    with refused(RuntimeError, f"in {start}"):
        run(lambda gm, out: asctile.copy_out(load(gm, start), out, [0, 0]))


def test_vector_work_needs_ub():
    for place in ("L1", "L0A", "L0B"):
        with refused(RuntimeError, f"in {place}"):
            run(lambda gm, out, place=place: asctile.exp(load(gm, place)))


def test_one_tile_for_the_cube_and_the_vector_unit():
    def kernel(gm, out):
        x = asctile.copy_in(gm, [0, 0], [16, 16])
        asctile.copy_out(x @ x + x, out, [0, 0])

    near(run(kernel), wide(A) @ wide(A) + wide(A))


def test_a_bias_computed_by_vector_code_cannot_reach_bt():
    def kernel(gm, out):
        x = asctile.copy_in(gm, [0, 0], [16, 16])
        asctile.copy_out(asctile.matmul(x, x, x.sum(0)), out, [0, 0])

    with refused(RuntimeError, "BT"):
        run(kernel)


@pytest.mark.usefixtures("undefined_is_stored")
def test_a_bias_past_the_end_does_not_fault():
    def kernel(gm, out):
        bias = asctile.copy_in(gm, [8], [16], "BT")
        x = asctile.full([16, 16], 1.0)
        asctile.copy_out(asctile.matmul(x, x, bias), out, [0, 0])

    bias = values("float32", [16], 1, 2)
    result = run(kernel, bias)
    near(result[:, :8], np.broadcast_to(16 + bias[8:], [16, 8]))


def test_l0c_reaches_l1_only_in_16_bits():
    def kernel(dtype):
        def body(gm, out):
            c = load(gm, "L0A") @ load(gm, "L0B")
            c = c if dtype is None else c.to(dtype_of(dtype))
            asctile.copy_out(c.to("L1").to("L0A") @ load(gm, "L0B").to(c.dtype), out, [0, 0])

        return body

    with refused(RuntimeError, "L1"):
        run(kernel(None))


@pytest.mark.parametrize("dtype", ["float16", "bfloat16"])
def test_a_chain_through_l1(dtype):
    x = values(dtype, [16, 16])

    def kernel(gm, out):
        c = (load(gm, "L0A") @ load(gm, "L0B")).to(dtype_of(dtype))
        asctile.copy_out(c.to("L1").to("L0A") @ load(gm, "L0B"), out, [0, 0])

    inner = (wide(x) @ wide(x)).astype(np.float32).astype(x.dtype)
    near(run(kernel, x), wide(inner) @ wide(x), 1e-2)


def test_sub_copies_from_l1():
    x = values("float32", [32, 48])

    def kernel(gm, out):
        a = asctile.copy_in(gm, [0, 0], [32, 48], "L1")
        b = asctile.copy_in(gm, [0, 0], [32, 48], "L1")
        left = asctile.copy(a, [16, 32], [16, 16], "L0A")
        right = asctile.copy(b, offsets=[0, 16], shape=[16, 16], location="L0B")
        asctile.copy_out(left @ right, out, [0, 0])

    near(run(kernel, x), wide(x[16:, 32:]) @ wide(x[:16, 16:32]))


def test_sub_copies_outside_the_tile_are_faults():
    def kernel(gm, out):
        big = asctile.copy_in(gm, [0, 0], [16, 16], "L1")
        asctile.copy(big, [8, 0], [16, 16], "L0A") @ load(gm, "L0B")

    with pytest.raises(KernelError, match="copy reads 128 elements outside the local tensor"):
        run(kernel)


def test_parts_of_an_accumulator():
    def kernel(gm, out):
        c = load(gm, "L0A") @ load(gm, "L0B")
        asctile.copy_out(asctile.copy(c, [0, 0], [16, 8], "UB"), out, [0, 0])

    expected = np.zeros([16, 16])
    expected[:, :8] = (wide(A) @ wide(A))[:, :8]
    near(run(kernel), expected)


@pytest.mark.parametrize(
    ("call", "exception", "message"),
    [
        (lambda x: asctile.copy(x, [0], [4, 4], "L1"), OffsetsError, "must have 2 values, got 1"),
        (lambda x: asctile.copy(x, [], [4, 4], "L1"), OffsetsError, "at least one value"),
        (lambda x: asctile.copy(x, [0, 0.5], [4, 4], "L1"), TypeError, "must be integers"),
        (lambda x: asctile.copy(x, [0, 0], [4, asctile.block_idx()]), TypeError, "'shape'"),
        (lambda x: asctile.copy(x, [0, 0], [4, 0], "L1"), RuntimeError, "not positive"),
        (lambda x: asctile.copy(x, [0, 0], [], "L1"), RuntimeError, "at least one value"),
        (lambda x: asctile.copy(1, location="L1"), TypeError, "'src' argument must be LocalTensor"),
        (lambda x: asctile.copy(x, location=5), TypeError, "'location' argument must be"),
        (lambda x: asctile.copy(x, location="L9"), ValueError, "'location' argument must be one"),
        (lambda x: asctile.copy(x + 1, [0, 0], [4, 4]), RuntimeError, "UB"),
    ],
)
def test_copy_refusals(call, exception, message):
    with refused(exception, message):
        apply(lambda x: [call(x)], [A], [])


def test_a_tensor_where_it_is_already():
    def same(x):
        c = x @ x
        assert x.to(x.location) is x
        assert asctile.copy(x) is x
        return c

    near(result_of(same, A), wide(A) @ wide(A))


def test_loop_carried_tiles_take_the_place_of_their_users():
    @asc2.jit
    def kernel(x_ptr, out_ptr, n):
        gm = asc2.global_tensor(x_ptr, [16, 16])
        x = asc2.copy_in(gm, [0, 0], [16, 16])
        total = asc2.zeros([16, 16], asc2.float32)
        for _ in range(n):
            total = total + x
        asc2.copy_out((total + 0.0) @ x, asc2.global_tensor(out_ptr, [16, 16]), [0, 0])

    out = np.zeros([16, 16], np.float32)
    kernel[1](A, out, 3)
    near(out, 3 * wide(A) @ wide(A), 1e-4)


def test_merged_tiles_with_disagreeing_users_are_refused():
    @asc2.jit
    def kernel(x_ptr, out_ptr, n):
        gm = asc2.global_tensor(x_ptr, [16, 16])
        out = asc2.global_tensor(out_ptr, [16, 16])
        x = asc2.copy_in(gm, [0, 0], [16, 16])
        for _ in range(n):
            x = asc2.copy_in(gm, [0, 0], [16, 16])
        asc2.copy_out(x @ asc2.copy_in(gm, [0, 0], [16, 16]), out, [0, 0])
        asc2.copy_out(x + 1, out, [0, 0])

    with refused(RuntimeError, "'x'"):
        kernel[1](A, np.zeros([16, 16], np.float32), 3)


def test_one_l1_tile_feeds_one_side():
    def kernel(gm, out):
        x = asctile.copy_in(gm, [0, 0], [16, 16], "L1")
        asctile.copy_out(x.to("L0A") @ x.to("L0B"), out, [0, 0])

    with refused(RuntimeError, "L1"):
        run(kernel)
