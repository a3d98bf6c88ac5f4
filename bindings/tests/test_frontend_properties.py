"""Properties of kernels against C, numpy and Python: scalar arithmetic, broadcasting, control flow.

Random control flow is generated as source text and executed twice: as a kernel, and by Python
itself on integers that wrap. Whatever merges, carries or rotates must come out the same.
"""

import linecache

import ascemu
import numpy as np
import pytest
from ascemu.dropin import asc, asc2
from hypothesis import assume, given, settings
from hypothesis import strategies as st

INT32 = st.integers(-(2**31), 2**31 - 1) | st.integers(-10, 10)
FLOAT32 = st.floats(width=32, allow_nan=False)
QUICK = settings(max_examples=60, deadline=None, derandomize=True)


def wrap32(value):
    return (value + 2**31) % 2**32 - 2**31


def c_divide(a, b):
    quotient = abs(a) // abs(b)
    return quotient if (a < 0) == (b < 0) else -quotient


@asc2.jit
def int_arithmetic(out_ptr, a, b):
    gm = asc2.global_tensor(out_ptr, [16])
    results = [a + b, a - b, a * b, a / b, a // b, a % b, a & b, a | b, a ^ b, -a]
    results = results + [a < b, a <= b, a == b, a != b, a > b, a >= b]
    for i in asc2.static_range(len(results)):
        asc2.copy_out(results[i], gm, [i])


def int_reference(a, b):
    quotient = c_divide(a, b)
    results = [a + b, a - b, a * b, quotient, quotient, a - quotient * b, a & b, a | b, a ^ b, -a]
    results += [a < b, a <= b, a == b, a != b, a > b, a >= b]
    return [wrap32(int(value)) for value in results]


@QUICK
@given(INT32, INT32)
def test_int32_arithmetic_is_that_of_c(a, b):
    assume(b != 0 and (a, b) != (-(2**31), -1))
    expected = int_reference(a, b)
    out = np.zeros(16, np.int32)
    int_arithmetic[1](out, a, b)
    assert out.tolist() == expected


@QUICK
@given(st.integers(-50, 50), st.integers(-50, 50))
def test_a_constant_operand_takes_the_dtype_of_the_runtime_one(a, b):
    assume(b != 0)
    expected = int_reference(a, b)
    out = np.zeros(16, np.int32)
    int_arithmetic[1](out, a, asc.ConstExpr(b))
    assert out.tolist() == expected


@asc2.jit
def float_arithmetic(out_ptr, a, b):
    gm = asc2.global_tensor(out_ptr, [6])
    results = [a + b, a - b, a * b, a / b, a // b, a.max(b)]
    for i in asc2.static_range(len(results)):
        asc2.copy_out(results[i], gm, [i])


@QUICK
@given(FLOAT32, FLOAT32)
def test_float32_arithmetic_is_that_of_numpy(a, b):
    x, y = np.float32(a), np.float32(b)
    with np.errstate(all="ignore"):
        expected = [x + y, x - y, x * y, x / y, x / y, x if x > y else y]
    out = np.zeros(6, np.float32)
    float_arithmetic[1](out, a, b)
    assert out.tobytes() == np.array(expected, np.float32).tobytes() or np.array_equal(
        out, expected, equal_nan=True
    )


@QUICK
@given(st.integers(-1000, 1000), st.integers(-9, 9), st.integers(0, 4))
def test_carried_python_numbers_keep_their_meaning(start, step, n):
    assume(step != 0)
    added = floored = rest = start
    for _ in range(n):
        added, floored, rest = added + step, floored // step, rest % step

    @asc2.jit
    def kernel(out_ptr, n, start: asc.ConstExpr, step: asc.ConstExpr):
        gm = asc2.global_tensor(out_ptr, [3])
        added = start + 0
        floored = start + 0
        rest = start + 0
        for _ in range(n):
            added = added + step
            floored = floored // step
            rest = rest % step
        asc2.copy_out(added, gm, [0])
        asc2.copy_out(floored, gm, [1])
        asc2.copy_out(rest, gm, [2])

    out = np.zeros(3, np.int32)
    with ascemu.options(checks={"portability": "off"}):
        kernel[1](out, n, start, step)
    assert out.tolist() == [added, floored, rest]


SHAPES = st.lists(st.sampled_from([1, 2, 3, 8]), min_size=1, max_size=3)


@asc2.jit
def broadcast(a_ptr, b_ptr, out_ptr, a_shape: asc.ConstExpr, b_shape: asc.ConstExpr):
    a_gm = asc2.global_tensor(a_ptr, a_shape)
    b_gm = asc2.global_tensor(b_ptr, b_shape)
    a = asc2.copy_in(a_gm, [0] * len(a_shape), a_shape)
    b = asc2.copy_in(b_gm, [0] * len(b_shape), b_shape)
    result = a * 3.0 - b
    out_gm = asc2.global_tensor(out_ptr, result.shape)
    asc2.copy_out(result, out_gm, [0] * len(result.shape))


@QUICK
@given(SHAPES, SHAPES, st.integers(0, 2**32 - 1))
def test_broadcasting_is_that_of_numpy(a_shape, b_shape, seed):
    rng = np.random.default_rng(seed)
    a = rng.normal(size=a_shape).astype(np.float32)
    b = rng.normal(size=b_shape).astype(np.float32)
    try:
        expected = a * np.float32(3) - b
    except ValueError:
        with pytest.raises(ascemu.CodegenError, match="RuntimeError"):
            broadcast[1](a, b, np.zeros(512, np.float32), a_shape, b_shape)
        return
    out = np.zeros(expected.shape, np.float32)
    with ascemu.options(checks={"alignment": "off"}):
        broadcast[1](a, b, out, a_shape, b_shape)
    assert np.array_equal(out, expected)


NAMES = ["a", "b", "c"]


@st.composite
def blocks(draw, depth, inductions=()):
    """Source lines of a block that assigns to NAMES and reads them and the induction variables."""
    lines = []
    readable = [*NAMES, *inductions]
    for _ in range(draw(st.integers(1, 3))):
        kinds = ["set", "swap", "call", "if", "for", "while"] if depth else ["set", "swap", "call"]
        kind = draw(st.sampled_from(kinds))
        x, z = draw(st.sampled_from(NAMES)), draw(st.sampled_from(NAMES))
        y = draw(st.sampled_from(readable))
        k = draw(st.integers(-3, 3))
        if kind == "set":
            op = draw(st.sampled_from(["+", "-", "*"]))
            lines.append(f"{x} = {y} {op} {draw(st.sampled_from([str(k), *readable]))}")
        elif kind == "swap":
            lines.append(f"{x}, {z} = {z}, {y}" if x != z else f"{x} += {y}")
        elif kind == "call":
            lines.append(f"{x} = step({y}, {z})")
        elif kind == "if":
            lines.append(f"if {x} > {y} * {k}:")
            lines += indented(draw(blocks(depth - 1, inductions)))
            if draw(st.booleans()):
                lines.append("else:")
                lines += indented(draw(blocks(depth - 1, inductions)))
        elif kind == "for":
            index = f"i{depth}"
            lines.append(f"for {index} in range({draw(st.integers(0, 3))}):")
            lines += indented(draw(blocks(depth - 1, (*inductions, index))))
        else:
            left = f"w{depth}"
            lines += [f"{left} = one * {draw(st.integers(0, 3))}", f"while {left} > 0:"]
            lines += indented([*draw(blocks(depth - 1, inductions)), f"{left} = {left} - 1"])
    return lines


def indented(lines):
    return ["    " + line for line in lines]


class Int(int):
    """A Python int that wraps as int32."""

    def __add__(self, other):
        return Int(wrap32(int(self) + int(other)))

    def __sub__(self, other):
        return Int(wrap32(int(self) - int(other)))

    def __mul__(self, other):
        return Int(wrap32(int(self) * int(other)))


def step_on_host(x, y):
    if x > y:
        x = x - y * 2
    return x


def compiled(lines, number):
    """The block as a kernel and as a Python function."""
    body = "\n".join("    " + line for line in lines)
    kernel = (
        "@asc2.jit\n"
        "def step(x, y):\n"
        "    if x > y:\n"
        "        x = x - y * 2\n"
        "    return x\n\n\n"
        "@asc2.jit\n"
        "def kernel(out_ptr, a, b, c, one):\n"
        "    gm = asc2.global_tensor(out_ptr, [3])\n"
        f"{body}\n"
        "    asc2.copy_out(a, gm, [0])\n"
        "    asc2.copy_out(b, gm, [1])\n"
        "    asc2.copy_out(c, gm, [2])\n"
    )
    path = f"<random kernel {number}>"
    linecache.cache[path] = (len(kernel), None, kernel.splitlines(True), path)
    scope = {"asc2": asc2}
    exec(compile(kernel, path, "exec"), scope)
    host = {"step": step_on_host}
    exec(f"def function(a, b, c, one):\n{body}\n    return [a, b, c]\n", host)
    return scope["kernel"], host["function"], kernel


@settings(max_examples=150, deadline=None, derandomize=True)
@given(blocks(3), st.tuples(*[st.integers(-5, 5)] * 3))
def test_random_control_flow_is_that_of_python(lines, start):
    kernel, function, text = compiled(lines, abs(hash(tuple(lines))))
    expected = function(*map(Int, start), Int(1))
    out = np.zeros(3, np.int32)
    with ascemu.options(checks={"portability": "off"}):
        kernel[1](out, *start, 1)
    assert out.tolist() == [int(value) for value in expected], text
