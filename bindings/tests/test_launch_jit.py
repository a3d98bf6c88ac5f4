"""The decorator, the forms of a launch and its options (spec asc2 §1.1, 1.2, 1.5, 1.7)."""

import inspect

import ascemu
import numpy as np
import pytest
from ascemu.dropin import asc, asc2
from ascemu.dropin.asc.runtime import config
from ascemu.launch.jit import JITFunction
from ascemu.launch.mock import MockTensor, MockValue


@asc2.jit
def blocks(out_ptr, n: asc.ConstExpr[int] = 128):
    """Marks every block that ran."""
    gm = asc2.global_tensor(out_ptr, [n])
    asc2.copy_out(asc2.block_num(), gm, [asc2.block_idx()])


def marked(core_num, **kwargs):
    out = np.zeros(128, np.int32)
    blocks[core_num](out, 128, **kwargs)
    count = int((out != 0).sum())
    assert (out[:count] == count).all()
    return count


def test_attributes():
    assert isinstance(blocks, JITFunction)
    assert blocks.__name__ == "blocks"
    assert blocks.__doc__ == "Marks every block that ran."
    assert blocks.__wrapped__ is blocks.fn
    assert list(inspect.signature(blocks).parameters) == ["out_ptr", "n"]


@pytest.mark.parametrize("launch", [3, (3,), (3, None), (3, object()), np.int64(3)])
def test_launch_forms(launch):
    assert marked(launch) == 3


def test_a_launch_returns_none():
    assert blocks[1](np.zeros(128, np.int32), 128) is None


def test_none_launches_all_cores():
    assert marked(None) == 72
    with ascemu.options(platform="Ascend910B1"):
        assert marked(None) == 48
    with ascemu.options(blocks=5):
        assert marked(None) == 5


def test_core_num_as_option():
    @asc2.jit(core_num=4)
    def kernel(out_ptr):
        if asc2.block_idx() == 0:
            asc2.copy_out(asc2.block_num(), asc2.global_tensor(out_ptr, [1]), [0])

    out = np.zeros(1, np.int32)
    kernel[2](out)
    assert out[0] == 2
    kernel[2](out, core_num=3)
    assert out[0] == 3


@pytest.mark.parametrize("launch", [(), (1, 2, 3)])
def test_too_long_launch_tuples(launch):
    with pytest.raises(TypeError, match="Parse user launch options failed"):
        blocks[launch]


@pytest.mark.parametrize("core_num", ["4", 2.5, [1]])
def test_core_num_of_another_type(core_num):
    with pytest.raises(TypeError, match="Parse user launch options failed"):
        marked(core_num)


@pytest.mark.parametrize("core_num", [0, -1])
def test_core_num_must_be_positive(core_num):
    with pytest.raises(ValueError, match="'core_num' must be positive"):
        marked(core_num)


def test_core_num_is_judged_after_compilation():
    @asc2.jit
    def kernel(out_ptr):
        missing  # noqa: B018, F821

    with pytest.raises(ascemu.CodegenError, match="missing"):
        kernel[0](np.zeros(1, np.int32))


def test_a_call_without_launch_runs_the_python_body():
    with pytest.raises(RuntimeError, match="'global_tensor' cannot be called without init"):
        blocks(None)

    @asc2.jit
    def plain(x):
        return x + 1

    assert plain(3) == 4


def test_unknown_options():
    with pytest.raises(RuntimeError, match="'opt_levle' is not an option of jit; did you mean"):
        asc2.jit(opt_levle=2)
    with pytest.raises(RuntimeError, match="'platform' is not an option"):
        asc2.jit(lambda: None, platform=1)


def with_debug(x, debug):
    pass


def with_stream(stream=None):
    pass


def with_two(core_num, opt_level):
    pass


@pytest.mark.parametrize(
    "function, names",
    [(with_debug, "debug"), (with_stream, "stream"), (with_two, "core_num, opt_level")],
)
def test_parameters_named_like_options(function, names):
    with pytest.raises(RuntimeError, match=f"conflict with JIT configuration options: {names}"):
        asc2.jit(function)


@pytest.mark.parametrize(
    "options",
    [
        {"opt_level": 1},
        {"opt_level": 2, "debug": True},
        {"always_compile": True, "run_passes": False, "ir_multithreading": False},
        {"reuse_alloc": 2, "static_alloc": True},
        {"reuse_ub": True, "reuse_ub_in_out": True},
        {"densify_load_store": True, "run_asc2_passes": True},
        {"vf_fusion": True},
        {"kernel_type": config.KernelType.AIC_ONLY, "matmul_cube_only": True},
        {"insert_sync": True, "auto_sync": False, "auto_sync_log": "x", "verify_sync": True},
        {"bisheng_options": ["-O2"], "strip_loc": True, "print_ir_before_all": False},
    ],
)
def test_all_options_are_accepted(options):
    assert marked(2, **options) == 2
    kernel = asc2.jit(**options)(blocks.fn)
    out = np.zeros(128, np.int32)
    kernel[2](out, 128)
    assert out[1] == 2


@pytest.mark.parametrize(
    "options",
    [
        {"opt_level": 0},
        {"opt_level": 4},
        {"opt_level": True},
        {"opt_level": "3"},
        {"reuse_alloc": 3},
        {"kernel_type": 77},
        {"kernel_type": "vector"},
    ],
)
def test_bad_option_values(options):
    with pytest.raises(RuntimeError, match="Please check input compile option"):
        marked(1, **options)


def test_vf_fusion_needs_950():
    with ascemu.options(platform="Ascend910B1"):
        with pytest.raises(RuntimeError, match="vf_fusion=True is only available on 950PR"):
            marked(1, vf_fusion=True)


@pytest.mark.parametrize("variable", ["PYASC_DRY_RUN", "DRY_RUN"])
def test_dry_run_checks_without_executing(monkeypatch, variable):
    monkeypatch.setenv(variable, "1")
    assert marked(3) == 0
    with pytest.raises(ValueError, match="core_num"):
        marked(0)


@pytest.mark.parametrize("value", ["", "0", "False"])
def test_dry_run_can_be_switched_off(monkeypatch, value):
    monkeypatch.setenv("PYASC_DRY_RUN", value)
    assert marked(3) == 3


def test_mock_arguments_check_without_executing():
    blocks[4](MockTensor(asc2.int32), 128)

    @asc2.jit
    def kernel(x_ptr, value):
        asc2.static_assert(x_ptr.dtype == asc2.float16)
        asc2.static_assert(value.dtype == asc2.int64)

    kernel[4](MockTensor("float16"), MockValue(asc2.int64))


def test_compiler_and_launcher_can_be_patched(monkeypatch):
    ran = []
    monkeypatch.setattr(JITFunction, "_run_compiler", lambda *args: ran.append("compiler"))
    monkeypatch.setattr(JITFunction, "_run_launcher", lambda *args: ran.append("launcher"))

    @asc2.jit(capture_exceptions=False)
    def kernel(x_ptr, n):
        n.missing  # noqa: B018

    with pytest.raises(AttributeError, match="missing"):
        kernel[1](MockTensor(asc2.int32), 3)
    blocks.fn.__globals__["asc2"].jit(blocks.fn)[1](MockTensor(asc2.int32), 128)
    assert ran == ["compiler", "launcher"]


def test_kernels_are_not_changed_by_kernel_n():
    first, second = blocks[2], blocks[3]
    out = np.zeros(128, np.int32)
    first(out, 128)
    assert out[0] == 2
    second(out, 128)
    assert out[0] == 3


def test_printed_text_goes_to_stdout(capsys):
    @asc2.jit(debug=True)
    def kernel(n):
        print("block", asc2.block_idx(), n)  # noqa: T201

    kernel[2](7)
    assert capsys.readouterr().out == "block 0 7\nblock 1 7\n"
