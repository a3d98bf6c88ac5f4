"""The pytest plugin: what the report of a failed test shows."""

import pytest
from plugin_suite import run

pytest_plugins = ["pytester", "plugin_suite"]

FAILING = """
    import numpy as np
    from kernels import double

    def test_too_short():
        x = np.zeros(4, np.float32)
        launch(x)

    def launch(x):
        double[1](x, x.copy(), 8)
"""


@pytest.mark.parametrize("style", ["auto", "long", "short"])
def test_failure_shows_the_finding(suite, style):
    suite.makepyfile(test_double=FAILING)
    result = run(suite, "--ascemu", f"--tb={style}")
    result.assert_outcomes(failed=1)
    out = result.stdout.str()
    assert "double[1](x, x.copy(), 8)" in out
    assert "E   KernelError: " in out
    assert "- ascemu: read-out-of-bounds -" in out
    assert "asc2.copy_out(asc2.copy_in(x_gm, [0], [size]) * 2.0, y_gm, [0])" in out
    assert "runner.py" not in out
    assert "jit.py" not in out
    assert "FAILED test_double.py::test_too_short - KernelError: " in out


def test_failure_while_tracing_shows_the_finding(suite):
    suite.makepyfile(
        test_double="""
        import asc2
        import numpy as np
        import pytest

        @asc2.jit
        def wrong(x_ptr):
            x_gm = asc2.global_tensor(x_ptr, [8])
            y = asc2.copy_in(x_gm, [0], [siz])

        def test_wrong():
            wrong[1](np.zeros(8, np.float32))

        @pytest.fixture
        def launched():
            wrong[1](np.zeros(8, np.float32))

        def test_fixture(launched):
            pass
        """
    )
    result = run(suite, "--ascemu")
    result.assert_outcomes(failed=1, errors=1)
    out = result.stdout.str()
    assert out.count("- ascemu: unknown-name -") == 2
    assert "lower" not in out
    assert "FAILED test_double.py::test_wrong - CodegenError: " in out


@pytest.mark.parametrize("style", ["native", "line", "no"])
def test_other_traceback_styles_are_pytests(suite, style):
    suite.makepyfile(test_double=FAILING)
    result = run(suite, "--ascemu", f"--tb={style}")
    result.assert_outcomes(failed=1)


def test_expected_findings_pass(suite):
    suite.makepyfile(
        test_double="""
        import ascemu
        import numpy as np
        import pytest
        from kernels import double

        def test_raises():
            x = np.zeros(4, np.float32)
            with pytest.raises(ascemu.KernelError, match="x_gm"):
                double[1](x, x.copy(), 8)

        @pytest.mark.xfail(raises=ascemu.KernelError, strict=True)
        def test_xfail():
            x = np.zeros(4, np.float32)
            double[1](x, x.copy(), 8)
        """
    )
    run(suite, "--ascemu").assert_outcomes(passed=1, xfailed=1)


def test_ordinary_failures_are_left_alone(suite):
    suite.makepyfile(
        test_double="""
        def test_assert():
            value = 1
            assert value == 2
        """
    )
    result = run(suite, "--ascemu")
    result.stdout.fnmatch_lines(["E       assert 1 == 2"])
    result.stdout.no_fnmatch_line("*- ascemu: *")


CLIPPED = """
    import asc2
    import numpy as np

    @asc2.jit
    def clipped(y_ptr):
        y_gm = asc2.global_tensor(y_ptr, [8, 8])
        asc2.copy_out(asc2.full([4, 8], 1.0), y_gm, [6, 0])

    def test_clipped():
        clipped[1](np.zeros(64, np.float32))
"""


def test_the_findings_of_the_tests_are_summed_up(suite):
    suite.makepyfile(test_clipped=CLIPPED)
    result = run(suite, "--ascemu")
    result.assert_outcomes(passed=2)
    result.stdout.fnmatch_lines(
        ["*= ascemu =*", "1 finding:", "  warning?portability-clip-rows?  1 x  at *:7"]
    )
    assert "= ascemu =" not in run(suite, "--ascemu", "test_double.py").stdout.str()


@pytest.mark.parametrize(
    ("ini", "arguments", "failed"),
    [
        ("ascemu_checks = portability=error", (), 1),
        ("ascemu_strict = true", (), 1),
        ("ascemu_strict = true", ("--ascemu-check", "portability=warn"), 0),
        ("", ("--ascemu-strict",), 1),
        ("", (), 0),
    ],
)
def test_levels_of_checks(suite, ini, arguments, failed):
    suite.makepyfile(test_clipped=CLIPPED)
    suite.makeini(f"[pytest]\nascemu = true\n{ini}\n")
    run(suite, *arguments, "test_clipped.py").assert_outcomes(failed=failed, passed=1 - failed)
