"""range, mask, builtins, printing, assertions, Struct (spec asc2 §2.3, §4, §6.7, §11.2)."""

import numpy as np
import pytest
from ascemu.dsl import control, debug, memory, raw_code
from ascemu.dsl.builtins import BUILTINS
from ascemu.dsl.constexpr import ConstExpr
from ascemu.dsl.dtypes import float16, float32, int32, int64
from ascemu.dsl.local_tensor import LocalTensor
from ascemu.dsl.struct import Field, KernelStruct, Struct
from ascemu.dsl.values import PlainValue
from dsl_trace import Trace, run


@pytest.fixture
def trace():
    with Trace() as trace:
        yield trace


def test_range_bounds(trace):
    stop = trace.scalar("int32")
    assert vars_of(control.range(stop)) == (0, stop, 1, 1, False)
    assert vars_of(control.range(1, stop, 2, unroll_factor=4)) == (1, stop, 2, 4, False)
    assert vars_of(control.range(2.9, gm_barrier=True)) == (0, 2, 1, 1, True)
    assert list(control.range(1, 7, 3)) == [1, 4] and len(control.range(5)) == 5
    with pytest.raises(TypeError, match="is known at run time only$"):
        list(control.range(stop))


def vars_of(loop):
    return loop.start, loop.stop, loop.step, loop.unroll_factor, loop.gm_barrier


@pytest.mark.parametrize(
    ("bounds", "options", "exception", "message"),
    [
        ((), {}, ValueError, "range expects from 1 to 3 arguments, got 0"),
        ((1, 2, 3, 4), {}, ValueError, "range expects from 1 to 3 arguments, got 4"),
        ((), {"unroll_factor": 0}, ValueError, "Loop unroll factor must be 1 or greater, got 0"),
        (
            (4,),
            {"unroll_factor": 2.0},
            TypeError,
            "'unroll_factor' argument must be int, got float",
        ),
        ((4,), {"gm_barrier": 1}, TypeError, "'gm_barrier' argument must be bool, got int 1"),
        (("4",), {}, TypeError, "'stop' of range must be a number, got str '4'"),
        ((None, 4), {}, TypeError, "'start' of range must be a number, got None"),
    ],
)
def test_range_refusals(bounds, options, exception, message):
    with pytest.raises(exception, match=f"^{message}"):
        control.range(*bounds, **options)


def test_parallel_belongs_to_the_older_range():
    assert control.parallel_range(4, parallel=True).gm_barrier is False
    assert control.parallel_range(4, parallel=False).gm_barrier is True
    assert control.parallel_range(4).gm_barrier is False
    assert issubclass(control.parallel_range, control.range)
    with pytest.raises(TypeError):
        control.range(4, parallel=True)


def test_static_range(trace):
    assert list(control.static_range(5, 0, -2)) == [5, 3, 1]
    assert len(control.static_range(4)) == 4
    with pytest.raises(TypeError, match="^'stop' argument must be int, got PlainValue int32$"):
        control.static_range(trace.scalar("int32"))
    with pytest.raises(ValueError):
        control.static_range()


@pytest.mark.parametrize(
    ("options", "exception"),
    [
        ({}, ValueError),
        ({"count": 3, "bits": (0, 1)}, ValueError),
        ({"count": 3.0}, TypeError),
        ({"bits": []}, RuntimeError),
        ({"bits": [1]}, ValueError),
        ({"bits": [1, 2, 3]}, ValueError),
        ({"bits": [1, 2.0]}, TypeError),
        ({"bits": 3}, TypeError),
        ({"count": 3, "other": "x"}, TypeError),
    ],
)
def test_mask_refusals(trace, options, exception):
    with pytest.raises(exception):
        control.mask(**options)


def test_mask_of_lanes():
    out = np.zeros(128, np.float32)

    def body(pointer):
        array = memory.global_tensor(pointer, [128])
        tile = memory.copy_in(array, [0], [128])
        with control.mask(count=3, other=7):
            tile = tile + 1
        memory.copy_out(tile, array, [0])

    assert run(body, [out]).findings == []
    assert out.reshape(2, 64).tolist() == [[1, 1, 1] + [7] * 61] * 2


def test_mask_closes_after_an_error(trace):
    with pytest.raises(ZeroDivisionError), control.mask(count=3):
        raise ZeroDivisionError
    memory.copy_out(trace.tile("float32", [8]) + 1, trace.array("float32", [8]), [0])
    assert "mask" not in trace.builder.finish().dump()


def test_program_scalars(trace):
    for name in ("block_idx", "block_num", "sub_block_idx", "sub_block_num"):
        value = getattr(control, name)()
        assert type(value) is PlainValue and value.dtype == int32


def test_maximum_of_mixed_values(trace):
    tile, scalar = trace.tile("float16", [8]), trace.scalar("float32")
    for name in ("max", "min"):
        function = BUILTINS[name]
        assert function.__name__ == name
        assert type(function(3, scalar)) is PlainValue
        assert function(trace.scalar("int64"), scalar.cast(int32)).dtype == int64
        mixed = function([3, tile, scalar, tile])
        assert isinstance(mixed, LocalTensor) and mixed.dtype == float16


def test_python_values_in_max_min_sum():
    assert BUILTINS["max"](3, 1, 2) == 3
    assert BUILTINS["min"]([3, 1, 2]) == 1
    assert BUILTINS["max"]([-3, 2], key=abs) == 3
    assert BUILTINS["max"]([], default=5) == 5
    assert BUILTINS["sum"]([1, 2, 3]) == 6
    assert BUILTINS["sum"]([1, 2], 10) == BUILTINS["sum"]([1, 2], start=10) == 13
    assert BUILTINS["sum"]([]) == 0
    assert BUILTINS["sum"](1, 2, 3) == 6
    for name in ("max", "min"):
        with pytest.raises(ValueError, match=rf"^{name}\(\) arg is an empty sequence$"):
            BUILTINS[name]([])
        with pytest.raises(TypeError):
            BUILTINS[name]()
        with pytest.raises(TypeError):
            BUILTINS[name](3)


def test_sum_of_tensors_and_scalars(trace):
    tile, scalar = trace.tile("float32", [8]), trace.scalar("float32")
    assert BUILTINS["sum"]([tile, tile]).shape == (8,)
    assert BUILTINS["sum"]([scalar, 2, tile]).shape == (8,)
    assert BUILTINS["sum"]([scalar, scalar]).dtype == float32
    assert BUILTINS["sum"]([scalar], start=tile).shape == (8,)


def test_visible_builtins():
    expected = "dict float int isinstance issubclass len list range repr str tuple type"
    assert BUILTINS.keys() == {*expected.split(), "max", "min", "sum", "print"}
    assert BUILTINS["range"] is control.parallel_range


def printed(body, debug=True):
    out = np.arange(2, dtype=np.int32)
    result = run(body, [out], [("int32", -3), ("float32", 0.5), ("uint32", 7)], debug=debug)
    assert result.findings == []
    return result.printed


def test_print_text():
    def body(pointer, n, x, u):
        debug.device_print("n =", n, True, x, u, None)
        debug.device_print("a", "b", sep="", end="|")
        debug.device_print()
        debug.device_print("%d", sep="")

    assert printed(body) == "n = -3 1 0.500000 7 None\nab|%d\n"
    assert printed(body, debug=False) == ""


def test_print_of_tensors_flushes_the_text_first():
    def body(pointer, n, x, u):
        array = memory.global_tensor(pointer, [2])
        tile = memory.copy_in(array, [0], [2])
        debug.device_print("before", tile, "after", end="!")

    assert printed(body) == "before!int32 [2]\n[0, 1]\nafter!"


def test_print_refusals(trace):
    with pytest.raises(TypeError, match="^'sep' argument must be str or None, got int 1$"):
        debug.device_print("a", sep=1)
    with pytest.raises(TypeError, match="^'end' argument must be str or None, got int 1$"):
        debug.device_print("a", end=1)
    with pytest.raises(ValueError, match="^GlobalAddress float32 cannot be printed$"):
        debug.device_print(trace.pointer("float32"))
    with pytest.raises(TypeError, match="unexpected keyword argument 'file'"):
        BUILTINS["print"]("a", file=None)


def test_device_assert(trace):
    for test in (True, 0, 1.5, trace.scalar("int64"), trace.scalar("int32") > 3):
        debug.device_assert(test, "message")
    for test, exception in (
        (trace.scalar("float32"), NotImplementedError),
        (trace.tile("float32", [8]), ValueError),
        (None, TypeError),
        ("text", TypeError),
        ([1], TypeError),
    ):
        with pytest.raises(exception):
            debug.device_assert(test)
    with pytest.raises(TypeError, match="^'message' argument must be str or None, got int 3$"):
        debug.device_assert(True, 3)
    assert "assert" not in trace.builder.finish().dump()


def test_device_assert_fails_at_run_time_only():
    out = np.zeros(1, np.int32)

    def body(pointer):
        debug.device_assert(False, "never")

    assert run(body, [out]).findings == []
    (finding,) = run(body, [out], debug=True).findings
    assert (finding.code, finding.block) == ("device-assertion", 0)
    assert "never" in finding.message


def test_static_assert(trace, capsys):
    debug.static_assert(1 < 2)
    with pytest.raises(AssertionError, match="^sizes$"):
        debug.static_assert(False, "sizes")
    with pytest.raises(TypeError, match="^static_assert needs a value known while tracing, got"):
        debug.static_assert(trace.scalar("int32"))
    with pytest.raises(TypeError):
        debug.static_assert(True, 3)
    debug.static_print("a", 1, sep="-")
    assert capsys.readouterr().out == "a-1\n"


def test_raw_code_is_refused(trace):
    with pytest.raises(NotImplementedError, match="^inline is not supported: it pastes") as caught:
        raw_code.inline("x = 1;")
    assert caught.value.ascemu_code == "raw-code"
    with pytest.raises(NotImplementedError):
        raw_code.inline_vf("x", [8], float32, [trace.tile("float32", [8])])
    for arguments in ((1, [8], float32), ("x", [8], "float32"), ("x", [8], float32, [1])):
        with pytest.raises(TypeError):
            raw_code.inline_vf(*arguments)


def test_constexpr():
    assert ConstExpr(ConstExpr(3)) == ConstExpr(3)
    assert ConstExpr(3) != ConstExpr(4) and ConstExpr(3) != 3
    assert repr(ConstExpr("a")) == "ConstExpr('a')"
    assert ConstExpr[int].__origin__ is ConstExpr
    assert hash(ConstExpr(3)) == hash(ConstExpr(3))


class Sizes(Struct):
    rows = Field(int32, 4)
    scale = Field(float32)


def test_struct_on_the_host():
    sizes = Sizes(scale=0.5)
    assert (sizes.rows, sizes.scale) == (4, 0.5)
    sizes.rows = np.int32(7)
    assert sizes.values() == {"rows": 7, "scale": 0.5}
    assert list(Sizes.fields()) == ["rows", "scale"]
    for make, exception in (
        (lambda: Sizes(), RuntimeError),
        (lambda: Sizes(scale=1.0, depth=2), RuntimeError),
        (lambda: Sizes(scale="x"), TypeError),
        (lambda: Field("int32"), TypeError),
        (lambda: Field(float16), RuntimeError),
    ):
        with pytest.raises(exception):
            make()


def test_struct_in_a_kernel():
    out = np.zeros(3, np.float32)

    def body(pointer, rows, scale):
        sizes = KernelStruct(Sizes, {"rows": rows, "scale": scale})
        before = sizes.rows
        sizes.rows = sizes.rows + 1
        sizes.scale = 2
        array = memory.global_tensor(pointer, [3])
        for index, value in enumerate((before, sizes.rows, sizes.scale)):
            memory.copy_out(value, array, [index])
        with pytest.raises(
            AttributeError, match="^Sizes has no field 'depth'; its fields are rows"
        ):
            sizes.depth  # noqa: B018
        with pytest.raises(TypeError):
            sizes.rows = "x"

    assert run(body, [out], [("int32", 4), ("float32", 0.5)]).findings == []
    assert out.tolist() == [4, 5, 2]
