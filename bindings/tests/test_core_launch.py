"""launch() from Python: arguments, options, the GIL, Ctrl-C."""

import os
import signal
import threading

import numpy as np
import pytest
from ascemu import _core
from ascemu.dsl import control, memory
from ascemu.dsl.context import TraceContext, activate, current
from ascemu.dsl.values import wrap


def built(body, arrays=("float32",), scalars=()):
    """A Program of `body(*pointers, *scalars)`."""
    builder = _core.Builder("kernel", "950PR")
    parameters = [wrap(builder.array_param(f"p{i}", dtype)) for i, dtype in enumerate(arrays)] + [
        wrap(builder.scalar_param(f"n{i}", dtype)) for i, dtype in enumerate(scalars)
    ]
    with activate(TraceContext(builder)):
        body(*parameters)
    return builder.finish()


def store_scalar_program(dtype):
    def body(pointer, value):
        memory.copy_out(value, memory.global_tensor(pointer, [1]), [0])

    return built(body, [dtype], [dtype])


def endless_program():
    """A loop that only ends when it is stopped, in practice."""

    def body(pointer):
        array = memory.global_tensor(pointer, [1])
        builder = current().builder
        builder.begin_for(0, 2**31 - 1, 1)
        memory.copy_out(1.0, array, [0])
        builder.end_for()

    return built(body)


@pytest.mark.parametrize(
    ("dtype", "value", "stored"),
    [
        ("int8", -3, -3),
        ("int32", True, 1),
        ("uint64", 2**64 - 1, 2**64 - 1),
        ("float16", 0.1, np.float16(0.1)),
        ("float32", 3, 3.0),
        ("float32", 0.1, np.float32(0.1)),
        ("int64", -(2**63), -(2**63)),
    ],
)
def test_scalar_arguments(dtype, value, stored):
    out = np.zeros(1, dtype)
    result = _core.launch(store_scalar_program(dtype), [(out.ctypes.data, 1, True), value])
    assert result.findings == [] and not result.interrupted and result.printed == ""
    assert out[0] == stored


@pytest.mark.parametrize(
    ("arguments", "options", "exception", "message"),
    [
        ([], {}, ValueError, "kernel 'kernel' takes 2 arguments, got 0"),
        ([3, 1.0], {}, TypeError, r"argument 'p0' must be \(pointer, count_elems, writable\)"),
        ([(0, 0, True), "x"], {}, TypeError, "a kernel value or a Python number is needed, got s"),
        (
            [(0, 0, True), 1.0],
            {"checks": {"bounds": "on"}},
            ValueError,
            "level of check 'bounds' must be off, warn or error, got 'on'",
        ),
        ([(0, 0, True), 1.0], {"schedule": "random:"}, ValueError, "'random:' is no schedule"),
    ],
)
def test_launch_refusals(arguments, options, exception, message):
    with pytest.raises(exception, match=f"^{message}"):
        _core.launch(store_scalar_program("float32"), arguments, **options)


def test_findings_know_block_and_source():
    def body(pointer):
        array = memory.global_tensor(pointer, [8])
        memory.copy_out(1.0, array, [control.block_idx() + 3])

    out = np.zeros(4, np.float32)
    result = _core.launch(built(body), [(out.ctypes.data, 4, True)], blocks=2)
    (finding,) = result.findings
    assert (finding.code, finding.check, finding.block) == ("write-out-of-bounds", "bounds", 1)
    assert finding.exception == "KernelError"
    assert out.tolist() == [0, 0, 0, 1]


def test_read_only_arrays_are_not_written():
    out = np.zeros(1, np.float32)
    result = _core.launch(store_scalar_program("float32"), [(out.ctypes.data, 1, False), 2.0])
    assert [finding.code for finding in result.findings] == ["write-to-read-only"]
    assert out[0] == 0


@pytest.mark.parametrize("bounds", ["off", "warn"])
def test_check_levels(bounds):
    out = np.zeros(1, np.float32)

    def body(pointer):
        memory.copy_out(1.0, memory.global_tensor(pointer, [8]), [5])

    result = _core.launch(built(body), [(out.ctypes.data, 1, True)], checks={"bounds": bounds})
    expected = [] if bounds == "off" else ["warning"]
    assert [finding.severity for finding in result.findings] == expected


def test_the_gil_is_released():
    program = endless_program()
    out = np.zeros(1, np.float32)
    seen = threading.Event()

    def watch():
        while out[0] == 0:
            pass
        seen.set()
        os.kill(os.getpid(), signal.SIGINT)

    watcher = threading.Thread(target=watch)
    watcher.start()
    with pytest.raises(KeyboardInterrupt):
        _core.launch(program, [(out.ctypes.data, 1, True)])
    watcher.join()
    assert seen.is_set()


def test_an_interrupt_stops_the_launch_and_reaches_python():
    calls = []
    before = signal.signal(signal.SIGINT, lambda number, frame: calls.append(number))
    try:
        handler = signal.getsignal(signal.SIGINT)
        out = np.zeros(1, np.float32)
        timer = threading.Timer(0.05, os.kill, (os.getpid(), signal.SIGINT))
        timer.start()
        result = _core.launch(endless_program(), [(out.ctypes.data, 1, True)])
        timer.join()
        assert result.interrupted
        assert calls == [signal.SIGINT]
        assert signal.getsignal(signal.SIGINT) is handler
        os.kill(os.getpid(), signal.SIGINT)
        assert calls == [signal.SIGINT] * 2
    finally:
        signal.signal(signal.SIGINT, before)


def test_ignored_interrupts_stay_ignored():
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        out = np.zeros(1, np.float32)

        def body(pointer):
            memory.copy_out(1.0, memory.global_tensor(pointer, [1]), [0])

        program = built(body)
        os.kill(os.getpid(), signal.SIGINT)
        assert not _core.launch(program, [(out.ctypes.data, 1, True)]).interrupted
        assert signal.getsignal(signal.SIGINT) is signal.SIG_IGN
    finally:
        signal.signal(signal.SIGINT, before)


def test_step_limit():
    out = np.zeros(1, np.float32)
    result = _core.launch(endless_program(), [(out.ctypes.data, 1, True)], max_steps=1000)
    assert [finding.code for finding in result.findings] == ["step-limit"]


def test_program_facts():
    program = built(lambda pointer: control.sync_all())
    assert (program.name, program.has_barrier, program.has_cube) == ("kernel", True, False)
    assert program.findings == []
    assert "sync_all" in program.dump()
