"""Wrong kinds, huge numbers and missing names in kernels: one exception each, never a crash.

Every row is the right side of an assignment in a kernel that has a pointer `p`, a global tensor
`g` of shape [8, 8], a tile `x` of it, an int32 tile `i` of 8 zeros, a mask `m` and an int32 scalar
`s` of value 3.
"""

import importlib.util

import numpy as np
import pytest
from op_launch import refused

KERNEL = """\
import asc2


@asc2.jit(always_compile=True)
def kernel(p, ip, s):
    g = asc2.global_tensor(p, [8, 8])
    x = asc2.copy_in(g, [0, 0], [8, 8])
    i = asc2.copy_in(asc2.global_tensor(ip, [8]), [0], [8])
    m = x > 0
    r = {expression}
"""

REFUSED = r"""
x + None  # AttributeError: + is not defined for LocalTensor float32[8, 8] and None
None + x  # AttributeError: + is not defined for None and LocalTensor float32[8, 8]
"a" * x  # AttributeError: * is not defined for str 'a' and LocalTensor float32[8, 8]
[1] + x  # AttributeError: + is not defined for list [1] and LocalTensor float32[8, 8]
x == None  # AttributeError: == is not defined for LocalTensor float32[8, 8] and None
3 < x  # AttributeError: < is not defined for int 3 and LocalTensor float32[8, 8]
1 << i  # AttributeError: << is not defined for int 1 and LocalTensor int32[8]
x % 2  # AttributeError: % is not defined for LocalTensor float32[8, 8] and int 2
not x  # AttributeError: not is not defined for LocalTensor float32[8, 8]
x and x  # AttributeError: LocalTensor float32[8, 8] has no logical operators
x[0]  # AttributeError: LocalTensor float32[8, 8] has no elements to index
g[0, 1]  # AttributeError: GlobalTensor float32 has no elements to index
p[0]  # AttributeError: GlobalAddress float32 has no elements to index
s[0]  # AttributeError: PlainValue int32 has no elements to index
x.shap  # AttributeError: 'LocalTensor' object has no attribute 'shap'; did you mean 'shape'?
asc2.copyin  # AttributeError: has no attribute 'copyin'; did you mean 'copy_in'?
s.to(asc2.int8)  # AttributeError: 'PlainValue' object has no attribute 'to'
g + 1  # AttributeError: + is not defined for GlobalTensor float32 and int 1
p - 1  # AttributeError: - is not defined for GlobalAddress float32 and int 1
1 + p  # AttributeError: + is not defined for int 1 and GlobalAddress float32
p + x  # TypeError: the offset of a pointer must be an integer, got LocalTensor float32[8, 8]
p + 1.5  # TypeError: 'offset' must be an integer, got 1.5
asc2.LocalTensor(1)  # TypeError: LocalTensor cannot be made directly
asc2.GlobalTensor(1)  # TypeError: GlobalTensor cannot be made directly
asc2.GlobalAddress(None)  # TypeError: GlobalAddress cannot be made directly
asc2.jit(x)  # TypeError: @jit is applicable to functions only
int(s)  # TypeError: not 'PlainValue'
list(x)  # TypeError: 'LocalTensor' object is not iterable
len(x)  # TypeError: object of type 'LocalTensor' has no len()
[s, 1][s]  # TypeError: list indices must be integers or slices, not PlainValue
s.__bool__()  # TypeError: PlainValue int32 is known at run time only
asc2.exp()  # TypeError: exp() missing 1 required positional argument: 'input'
asc2.exp(x, x)  # TypeError: exp() takes 1 positional argument but 2 were given
x.sum(axis=0)  # TypeError: reduce_sum() got an unexpected keyword argument 'axis'
asc2.copy_in(g, g, [8, 8])  # TypeError: 'offsets' argument must be a sequence of integers
asc2.copy_in(g, s, [8, 8])  # TypeError: 'offsets' argument must be a sequence of integers
asc2.copy_in(g, [x, 0], [8, 8])  # TypeError: All values in 'offsets' must be integers
asc2.copy_in(g, [0, 0], x)  # TypeError: 'shape' argument must be a sequence of integers
asc2.copy_in(x, [0, 0], [8, 8])  # TypeError: 'src' argument must be GlobalTensor
asc2.global_tensor(g, [8])  # TypeError: 'base' argument must be GlobalAddress
asc2.global_tensor(p, x)  # TypeError: 'shape' argument must be a sequence of integers
asc2.global_tensor(p, [None])  # TypeError: All values in 'shape' must be integers, got None
asc2.global_tensor(p, [])  # RuntimeError: 'shape' must have at least one value
asc2.global_tensor(p, [1] * 9)  # RuntimeError: 'shape' has 9 values; legal: 1 to 8
asc2.number(s, asc2.int32)  # TypeError: 'value' argument must be a Python number
asc2.number(1, "int32")  # TypeError: 'dtype' argument must be DataType
asc2.DataType("nope")  # ValueError: 'nope' is no dtype of the kernel language
asc2.RoundMode(77)  # ValueError: 77 is not a valid RoundMode
asc2.range(x)  # TypeError: 'stop' of range must be a number
asc2.static_range(s)  # TypeError: 'stop' argument must be int, got PlainValue int32
asc2.static_range(0, 4, 0)  # ValueError: must not be zero
max(None)  # TypeError: max of a single value needs an iterable, got None
max([])  # ValueError: max() arg is an empty sequence
s.max(x)  # ValueError: cannot be an operand of max with PlainValue int32
s < None  # ValueError: None cannot be an operand of < with PlainValue int32
s == "a"  # ValueError: str 'a' cannot be an operand of == with PlainValue int32
s ** 2  # NotImplementedError: ** is not implemented for PlainValue int32 and int 2
~s  # NotImplementedError: ~ is not implemented for PlainValue int32
s in [1]  # NotImplementedError: 'in' and 'not in' are not implemented in kernels
s.cast(asc2.float16)  # NotImplementedError: a scalar cannot be cast from int32 to float16
asc2.inline("x")  # NotImplementedError: inline is not supported
asc2.static_assert(x)  # TypeError: static_assert needs a value known while tracing
i + float("nan")  # ValueError: the number nan has no value as int32
i + float("inf")  # OverflowError: the number inf has no value as int32
i + 2**63  # OverflowError: the integer 9223372036854775808 does not fit in 64 bits
s + 2**64  # OverflowError: the integer 18446744073709551616 does not fit in 64 bits
x + 10**400  # OverflowError: the number is too large for float32
asc2.copy_in(g, [2**64, 0], [8, 8])  # OverflowError: does not fit in 64 bits
asc2.copy_in(g, [0, 0], [2**64, 8])  # OverflowError: does not fit in 64 bits
asc2.copy_in(g, [0, 0], [2**40, 8])  # KernelError: is larger than 1 GiB
asc2.broadcast_to(x, 2**40, 8, 8)  # KernelError: is larger than 1 GiB
x.reshape(*[1] * 8, 64)  # RuntimeError: a tensor has at most 8 dimensions, got 9
asc2.transpose(x, 10**12, 0)  # RuntimeError: axis 1000000000000 is wrong
asc2.gather(g, [0], 10**12, i)  # OffsetsError: for dim 1000000000000
asc2.copy_out(x, g, [0, 0], real_shape=[-2**63, 8])  # RuntimeError: in dimension 0; legal: 0 to 8
asc2.float32(1)  # UnsupportedSyntaxError: an object of type DataType is not callable
"""

HARMLESS = r"""
x / 0
i / 0
i + 2**31
s + 2**31
s << 40
s << -1
s >> 64
s * 1e300
asc2.left_shift(i, 10**12)
asc2.number(2**70, asc2.float32)
asc2.rms_norm(x, x, float("inf"))
asc2.layer_norm(x, x, x, float("nan"))
asc2.squeeze(x, 10**30)
asc2.expand_dims(x, -10**30)
asc2.gather(g, [2**40], 0, i)
asc2.gather(g, [0], 0, i, num_indices=-5)
asc2.gather(g, [0], 0, i, num_indices=2**40)
asc2.scatter(x, 0, i, g, [2**62])
asc2.scatter(x, 0, i, g, [0], num_indices=-2**62)
asc2.atomic_add(x, g, [2**63 - 1, 2**63 - 1])
asc2.copy_out(x, g, [-2**63, 2**63 - 1])
asc2.copy_in(g, [2**63 - 1, -2**63], [8, 8], pad_value=0)
asc2.copy_in(asc2.global_tensor(p + 2**62, [2**62]), [2**62], [8])
asc2.copy_in(asc2.global_tensor(p, [-2**63, -1]), [0, 0], [8, 8])
asc2.copy_in(asc2.global_tensor(p, [10**12]), [0], [8])
"""

FAULTY = r"""
s / 0  # int32 3 / 0 is undefined
s % 0  # int32 3 % 0 is undefined
asc2.gather(g, [-2**63], 0, i)  # gather reads 64 elements
asc2.copy_in(g, [2**31, 0])  # copy_in reads 1 element past the end of the array
asc2.copy_in(g, [2**63 - 1, 2**63 - 1])  # copy_in reads 1 element past the end of the array
asc2.copy_out(1, g, [-2**63, -2**63])  # copy_out writes 1 element outside the array
asc2.copy_in(g, [-2**63, 0], [8, 8])  # at negative coordinates
asc2.copy_in(asc2.global_tensor(p + 2**62 + 2**62, [8]), [0], [8])  # past the end of the array
asc2.copy_in(asc2.global_tensor(p, [10**12]), [10**12 - 4], [8])  # copy_in reads 4 elements past
asc2.copy_in(asc2.global_tensor(p, [2**31] * 3), [2**31 - 1] * 3, [8])  # past the end
"""


def rows(text):
    return [line.partition("  # ")[::2] for line in text.strip().splitlines()]


@pytest.fixture
def launch(tmp_path):
    """Launches the kernel with that expression in it."""

    def run(expression):
        path = tmp_path / "program.py"
        path.write_text(KERNEL.format(expression=expression), encoding="utf-8")
        spec = importlib.util.spec_from_file_location("program", path)
        module = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(module)
        module.kernel[1](np.ones([8, 8], np.float32), np.zeros(8, np.int32), 3)

    return run


@pytest.mark.parametrize(("expression", "expected"), rows(REFUSED))
def test_refused(launch, expression, expected):
    name, message = expected.split(": ", 1)
    with refused(name, message):
        launch(expression)


@pytest.mark.parametrize("expression", HARMLESS.strip().splitlines())
def test_harmless(launch, expression):
    launch(expression)


@pytest.mark.parametrize(("expression", "message"), rows(FAULTY))
def test_faulty(launch, expression, message):
    with pytest.raises(RuntimeError) as caught:
        launch(expression)
    assert type(caught.value).__name__ == "KernelError"
    assert caught.value.diagnostic.kind == "trap"
    assert message in caught.value.diagnostic.message
