"""What a refused or faulty launch raises, delivers and prints (spec asc2 §1.6, issue text §7)."""

import ast
import json
import signal
import threading

import ascemu
import numpy as np
import pytest
from ascemu.dropin import asc, asc2
from ascemu.dropin.asc.codegen.errors import CodegenError, UnsupportedSyntaxError
from ascemu.frontend.lowering import STATEMENTS


@asc2.jit
def misspelled(out_ptr):
    x = missing_name  # noqa: F821, F841


@asc2.jit
def store_at(out_ptr, offset):
    gm = asc2.global_tensor(out_ptr, [1000])
    asc2.copy_out(offset, gm, [offset * (asc2.block_idx() + 1)])


def launch(kernel, *args, core_num=1, **kwargs):
    out = np.zeros(8, np.int32)
    kernel[core_num](out, *args, **kwargs)
    return out


def test_a_refused_launch_raises_codegen_error_with_its_cause():
    with ascemu.collect() as found, pytest.raises(CodegenError) as caught:
        launch(misspelled)
    error = caught.value
    assert type(error.__cause__) is NameError
    diagnostic = error.diagnostic
    assert (diagnostic.kind, diagnostic.code) == ("invalid", "unknown-name")
    assert diagnostic.severity == "error"
    assert diagnostic.check is None
    assert diagnostic.block is None
    assert diagnostic.file == __file__
    assert diagnostic.message.startswith("NameError: name 'missing_name' is not defined")
    line = misspelled.source.first_line + 2
    assert (diagnostic.line, diagnostic.column) == (line, 9)
    assert str(error) == str(diagnostic)
    assert "x = missing_name" in str(error)
    assert [finding.code for finding in found] == ["unknown-name"]
    assert error.diagnostics == [diagnostic]


def test_the_raw_exception_escapes_where_asked_for():
    with pytest.raises(NameError, match="missing_name") as caught:
        launch(misspelled, capture_exceptions=False)
    assert type(caught.value) is NameError
    assert caught.value.diagnostic.code == "unknown-name"


def test_unsupported_syntax_is_itself_either_way():
    @asc2.jit
    def kernel(out_ptr):
        x = {}  # noqa: F841

    for capture in (True, False):
        with pytest.raises(UnsupportedSyntaxError) as caught:
            launch(kernel, capture_exceptions=capture)
        assert isinstance(caught.value, CodegenError)
        assert caught.value.diagnostic.code == "unsupported-syntax"


def test_a_failed_launch_fails_again():
    for _ in range(2):
        with pytest.raises(CodegenError):
            launch(misspelled)


def test_warnings_found_before_a_refusal_are_delivered():
    @asc2.jit
    def kernel(out_ptr):
        (a,) = [1]  # noqa: F841
        b = missing_name  # noqa: F821, F841

    with ascemu.collect() as found, pytest.raises(CodegenError):
        launch(kernel)
    assert [finding.severity for finding in found] == ["warning", "error"]


def test_a_fault_at_run_time_raises_kernel_error_of_the_lowest_block():
    with ascemu.collect() as found, pytest.raises(ascemu.KernelError) as caught:
        launch(store_at, 4, core_num=4)
    diagnostic = caught.value.diagnostic
    assert isinstance(caught.value, RuntimeError)
    assert (diagnostic.kind, diagnostic.code) == ("trap", "write-out-of-bounds")
    assert diagnostic.check == "bounds"
    assert diagnostic.block == 1
    assert str(caught.value) == str(diagnostic)
    assert [finding.block for finding in found] == [1, 2, 3]
    assert caught.value.diagnostics == found


def test_the_other_blocks_finish():
    out = np.zeros(8, np.int32)
    with pytest.raises(ascemu.KernelError):
        store_at[4](out, 4)
    assert out[4] == 4


def test_checks_can_warn_or_be_off():
    with ascemu.options(checks={"bounds": "warn"}), ascemu.collect() as found:
        launch(store_at, 4, core_num=2)
    assert [finding.severity for finding in found] == ["warning"]
    with ascemu.options(checks={"bounds": "off"}), ascemu.collect() as found:
        launch(store_at, 4, core_num=2)
    assert found == []


def test_findings_as_json(capsys):
    with ascemu.options(json=True), pytest.raises(CodegenError):
        launch(misspelled)
    lines = capsys.readouterr().err.splitlines()
    assert [json.loads(line)["code"] for line in lines] == ["unknown-name"]


def test_the_step_limit_stops_a_loop_that_does_not_end():
    @asc2.jit
    def kernel(out_ptr):
        while True:
            pass

    with ascemu.options(max_steps=1000), pytest.raises(ascemu.KernelError) as caught:
        launch(kernel)
    assert caught.value.diagnostic.code == "step-limit"


def test_ctrl_c_stops_a_kernel():
    @asc2.jit
    def kernel(out_ptr):
        while True:
            pass

    main = threading.main_thread().ident
    timer = threading.Timer(0.3, lambda: signal.pthread_kill(main, signal.SIGINT))
    timer.start()
    try:
        with pytest.raises(KeyboardInterrupt):
            launch(kernel)
    finally:
        timer.join()


def test_an_expression_nested_too_deeply(tmp_path):
    path = tmp_path / "deep_kernel.py"
    path.write_text(f"def kernel(out_ptr):\n    x = {' + '.join(['1'] * 700)}\n")
    scope = {}
    exec(compile(path.read_text(), str(path), "exec"), scope)
    with pytest.raises(CodegenError) as caught:
        launch(asc2.jit(scope["kernel"]))
    assert caught.value.diagnostic.code == "nesting-limit"


def test_a_bug_of_the_front_end_says_so(monkeypatch):
    @asc2.jit
    def kernel(out_ptr):
        pass

    monkeypatch.setitem(STATEMENTS, ast.Pass, STATEMENTS[ast.Return])
    with pytest.raises(ascemu.KernelError) as caught:
        launch(kernel)
    diagnostic = caught.value.diagnostic
    assert (diagnostic.kind, diagnostic.code) == ("internal", "internal-error")
    assert diagnostic.line == kernel.source.first_line + 2
    assert diagnostic.notes[0].startswith("raised in lower_return, statements.py:")
    assert type(caught.value.__cause__) is AttributeError


def test_a_bug_of_the_launch_says_so(monkeypatch):
    monkeypatch.setattr("ascemu.launch.jit.kind_of", lambda value: {}["missing"])
    with pytest.raises(ascemu.KernelError) as caught:
        launch(misspelled)
    assert caught.value.diagnostic.code == "internal-error"
    assert caught.value.diagnostic.file == __file__


def test_refused_arguments_point_at_the_launch():
    with ascemu.collect() as found, pytest.raises(TypeError, match="not supported") as caught:
        launch(store_at, "four")
    diagnostic = caught.value.diagnostic
    assert (diagnostic.code, diagnostic.exception) == ("bad-launch", "TypeError")
    assert diagnostic.file == __file__
    assert "kernel[core_num](out, *args, **kwargs)" in str(caught.value)
    assert found == [diagnostic] or [finding.code for finding in found] == ["bad-launch"]


def test_compile_errors_are_runtime_errors():
    @asc2.jit
    def kernel(x_ptr, n: asc.ConstExpr):
        gm = asc2.global_tensor(x_ptr, [n, n])
        x = asc2.copy_in(gm, [0, 0], [n, n], asc2.TensorLocation.L1)
        asc2.copy_out(x, gm, [0, 0])

    with pytest.raises(RuntimeError) as caught:
        kernel[1](np.zeros((32, 32), np.float16), 32)
    assert "L1" in str(caught.value)
    assert caught.value.diagnostic.code in ("bad-location", "unresolved-location")
