"""The pytest plugin: when it is enabled, what conftests of kernel suites rely on, settings."""

import pytest
from plugin_suite import run

pytest_plugins = ["pytester", "plugin_suite"]


def test_flag(suite):
    result = run(suite, "--ascemu")
    result.assert_outcomes(passed=1)
    result.stdout.fnmatch_lines(["ascemu: *, Ascend950PR_9599, *, checks: default levels"])


def test_ini(suite):
    suite.makeini("[pytest]\nascemu = true\n")
    run(suite).assert_outcomes(passed=1)


def test_environment(suite, monkeypatch):
    monkeypatch.setenv("ASCEMU", "1")
    run(suite).assert_outcomes(passed=1)


def test_workers_of_xdist(suite):
    pytest.importorskip("xdist")
    run(suite, "--ascemu", "-n", "1").assert_outcomes(passed=1)


def test_not_enabled(suite):
    result = run(suite)
    result.assert_outcomes(errors=1)
    result.stdout.fnmatch_lines(["*ModuleNotFoundError: No module named 'asc'"])
    result.stdout.no_fnmatch_line("ascemu: *")


def test_inert_when_not_enabled(pytester):
    pytester.makepyfile(
        """
        import sys
        import pytest

        @pytest.mark.ascemu(threads=1)
        def test_nothing_is_loaded(pytestconfig):
            assert pytestconfig.pluginmanager.has_plugin("ascemu")
            assert "ascemu._core" not in sys.modules
            assert "asc2" not in sys.modules
            from ascemu import is_active
            assert not is_active()
        """
    )
    run(pytester, "--strict-markers").assert_outcomes(passed=1)


CONFTEST = """
    import pytest
    import torch_like
    from asc.runtime import config

    try:
        from asc.lib.runtime import get_soc_version
        from asc.runtime.launcher import get_platform_info
        UB_SIZE = get_platform_info(get_soc_version()).ub_size
    except ImportError:
        UB_SIZE = None

    def pytest_addoption(parser):
        parser.addoption("--backend", default="Model", choices=config.Backend.__members__)
        parser.addoption(
            "--platform", default="Ascend950PR_9599", choices=[p.value for p in config.Platform]
        )
        parser.addoption("--device", type=int, default=None)
        parser.addoption("--profile", action="store_true")
        parser.addoption("--compile-only", action="store_true")

    def pytest_make_parametrize_id(config, val, argname):
        return getattr(val, "__name__", None)

    @pytest.fixture
    def backend(request):
        return config.Backend(request.config.getoption("--backend"))

    @pytest.fixture
    def platform(request):
        return config.Platform(request.config.getoption("--platform"))

    @pytest.fixture(autouse=True)
    def select(backend, platform, request):
        device_id = request.config.getoption("--device")
        config.set_platform(backend, platform, device_id, check=False)

    @pytest.fixture
    def require_c310(platform):
        if config.platform_to_arch(platform) != config.CompilationArch.C310:
            pytest.skip("needs C310")

    @pytest.fixture
    def profiler(request):
        if request.config.getoption("--profile"):
            from asc.lib.profiling import Profiler
            return Profiler()
        return torch_like.StubProfiler()
"""
TORCH_LIKE = """
    from contextlib import nullcontext

    class StubProfiler:
        def profile(self):
            return nullcontext()
"""
OPERATION_TEST = """
    import asc
    import asctile
    import conftest
    import numpy as np
    import pytest
    from asc.lib.profiling import task_time_median
    from kernels import double

    @pytest.fixture
    def scale():
        return 3

    @pytest.mark.parametrize("static", [False, True], ids=["dynamic", "static"])
    @pytest.mark.parametrize("size", [7, 32])
    @pytest.mark.parametrize("dtype", [np.float16, np.float32])
    @pytest.mark.parametrize("op", [asctile.add, asctile.div, asctile.maximum])
    def test_op(op, dtype, size, static, profiler, scale):
        @asctile.jit(always_compile=True)
        def kernel(x_ptr, y_ptr, z_ptr, size, tile: asc.ConstExpr[int], op: asc.ConstExpr):
            x_gm = asctile.global_tensor(x_ptr, [size])
            y_gm = asctile.global_tensor(y_ptr, [size])
            z_gm = asctile.global_tensor(z_ptr, [size])
            x = asctile.copy_in(x_gm, [0], [tile])
            y = asctile.copy_in(y_gm, [0], [tile])
            asctile.copy_out(op(x, y) * scale, z_gm, [0])

        rng = np.random.default_rng(0)
        x, y = rng.uniform(1, 100, (2, size)).astype(dtype)
        z = np.zeros_like(x)
        scalars = map(asctile.ConstExpr, [size]) if static else [size]
        with profiler.profile():
            kernel[1](x, y, z, *scalars, 32, op)
        reference = {
            asctile.add: np.add, asctile.div: np.divide, asctile.maximum: np.maximum
        }[op](x, y) * dtype(scale)
        assert op is not asctile.div or op.__name__ == "div"
        np.testing.assert_array_equal(z, reference)

    @pytest.mark.parametrize("kernel", [double])
    def test_jitted(kernel, require_c310):
        x = np.arange(8, dtype=np.float32)
        y = np.zeros_like(x)
        kernel[1](x, y, 8)
        np.testing.assert_array_equal(y, 2 * x)

    def test_profile(profiler, request):
        with profiler.profile():
            pass
        if request.config.getoption("--profile"):
            assert task_time_median(profiler) >= 0
"""


@pytest.fixture
def kernel_suite(suite):
    suite.makeconftest(CONFTEST)
    suite.makepyfile(torch_like=TORCH_LIKE, test_operation=OPERATION_TEST)
    return suite


def test_conftest_of_a_kernel_suite(kernel_suite):
    result = run(kernel_suite, "--ascemu", "-v")
    result.assert_outcomes(passed=27)
    result.stdout.fnmatch_lines(
        [
            "*::test_op[[]add-float16-7-dynamic] PASSED*",
            "*::test_op[[]div-float32-32-static] PASSED*",
            "*::test_jitted[[]double] PASSED*",
        ]
    )


def test_options_of_a_kernel_suite(kernel_suite):
    result = run(
        kernel_suite,
        "--ascemu",
        *("--backend", "NPU", "--platform", "Ascend910B1", "--device", "0"),
        *("--profile", "--compile-only"),
    )
    result.assert_outcomes(passed=26, skipped=1)


def test_own_options(suite):
    suite.makepyfile(
        test_double="""
        import ascemu.settings

        def test_settings():
            present = ascemu.settings.current()
            assert present.platform.value == present.asc_platform.value == "Ascend910_9362"
            assert present.chosen_levels() == {"bounds": "warn", "portability": "off"}
            assert present.threads == 3
            assert present.schedule == "reverse"
        """
    )
    result = run(
        suite,
        "--ascemu",
        *("--ascemu-platform", "Ascend910_9362", "--ascemu-threads=3"),
        "--ascemu-schedule=reverse",
        *("--ascemu-check", "bounds=warn", "--ascemu-check=portability=off"),
    )
    result.assert_outcomes(passed=1)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--ascemu-platform=x"], "ERROR: ascemu: Unknown platform 'x'; use one of: Ascend910B1*"),
        (["--ascemu-check=x=off"], "ERROR: ascemu: unknown check 'x'; the checks are: location, *"),
        (["--ascemu-threads=-1"], "ERROR: ascemu: threads=-1: must be an integer of at least 0"),
    ],
)
def test_bad_options(suite, arguments, message):
    result = run(suite, "--ascemu", *arguments)
    assert result.ret == pytest.ExitCode.USAGE_ERROR
    result.stderr.fnmatch_lines([message])


def test_another_asc_is_already_imported(suite):
    suite.makepyfile(asc="REAL = True", early="import asc")
    result = run(suite, "-p", "early", "--ascemu")
    assert result.ret == pytest.ExitCode.USAGE_ERROR
    result.stderr.fnmatch_lines(
        ["ERROR: ascemu: ascemu.activate() came too late: 'asc' is already imported from *asc.py*"]
    )


def test_marker(suite):
    suite.makepyfile(
        test_double="""
        import pytest
        from ascemu.settings import current

        pytestmark = pytest.mark.ascemu(threads=2, blocks=5)

        @pytest.mark.ascemu(threads=1, platform="Ascend910B1", checks={"bounds": "warn"})
        def test_inside():
            present = current()
            assert (present.threads, present.blocks) == (1, 5)
            assert present.platform.value == "Ascend910B1"
            assert present.chosen_levels() == {"bounds": "warn"}

        def test_after():
            present = current()
            assert (present.threads, present.blocks) == (2, 5)
            assert present.platform.value == "Ascend950PR_9599"
            assert present.checks["bounds"] == "error"

        @pytest.mark.ascemu(1)
        def test_positional():
            pass

        @pytest.mark.ascemu(threads=-1)
        def test_illegal():
            pass
        """
    )
    result = run(suite, "--ascemu", "--strict-markers")
    result.assert_outcomes(passed=2, failed=2)
    result.stdout.fnmatch_lines(
        [
            "*the marker ascemu takes keyword arguments only*",
            "*threads=-1: must be an integer of at least 0*",
        ]
    )
