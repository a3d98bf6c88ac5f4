"""How a numeric mode is selected: settings, the environment, the command line, pytest, jit."""

import os
import subprocess
import sys

import ascemu
import numpy as np
import pytest
from ascemu.cli.main import main
from ascemu.dropin import asc, asc2, asctile
from ascemu.platforms import Platform
from ascemu.policy import Policy, policy_for
from plugin_suite import run

pytest_plugins = ["pytester", "plugin_suite"]
FINE = np.array([1 + 2.0**-20], np.float32)
# What folding the casts leaves, and what not; and what only a sum in double keeps.
SELECTED = {(float(FINE[0]), 0.0): "npu", (1.0, 0.0): "ieee", (float(FINE[0]), 2.0**-30): "fp64"}

SCRIPT = """
import asc2
import numpy as np

@asc2.jit
def there_and_back(x, out):
    tile = asc2.copy_in(asc2.global_tensor(x, [1]), [0], [1])
    out = asc2.global_tensor(out, [2])
    asc2.copy_out(tile.to(asc2.float16).to(asc2.float32), out, [0])
    asc2.copy_out(tile + 2.0**-30 - tile, out, [1])

def selected():
    out = np.zeros(2, np.float32)
    there_and_back[1](np.array([1 + 2.0**-20], np.float32), out)
    return "fp64" if out[1] != 0 else "ieee" if out[0] == 1 else "npu"
"""


@asc2.jit
def there_and_back(x, out):
    tile = asc2.copy_in(asc2.global_tensor(x, [1]), [0], [1])
    out = asc2.global_tensor(out, [2])
    asc2.copy_out(tile.to(asc2.float16).to(asc2.float32), out, [0])
    asc2.copy_out(tile + 2.0**-30 - tile, out, [1])


def selected(kernel=there_and_back, **options):
    """The mode in which a launch computed."""
    out = np.zeros(2, np.float32)
    kernel[1](FINE, out, **options)
    return SELECTED[(float(out[0]), float(out[1]))]


def test_options_select():
    for mode in ("ieee", "npu", "fp64"):
        with ascemu.options(numerics=mode):
            assert selected() == mode


def test_a_call_overrides_the_settings():
    with ascemu.options(numerics="ieee"):
        assert selected(numerics="npu") == "npu"
        assert selected() == "ieee"
    with ascemu.options(numerics="npu"):
        assert selected(numerics="ieee") == "ieee"
        assert selected(numerics="fp64") == "fp64"
        assert selected(numerics=None) == "npu"


def test_the_decorator_overrides_the_settings_and_a_call_the_decorator():
    kernel = asc2.jit(numerics="npu")(there_and_back.fn)
    with ascemu.options(numerics="ieee"):
        assert selected(kernel) == "npu"
        assert selected(kernel, numerics="ieee") == "ieee"


def test_jit_refuses_what_is_no_mode():
    with pytest.raises(ValueError, match="^numerics='f32': must be one of npu, ieee, fp64$"):
        asc2.jit(numerics="f32")
    with pytest.raises(ValueError, match="^overflow='clamp': must be one of inf, saturate$"):
        asc2.jit(there_and_back.fn, overflow="clamp")
    with pytest.raises(ValueError) as caught:
        selected(numerics="f32")
    assert caught.value.diagnostic.code == "bad-launch"
    assert caught.value.diagnostic.message == (
        "there_and_back: numerics='f32': must be one of npu, ieee, fp64"
    )


def test_a_parameter_may_be_named_like_a_mode():
    @asc2.jit(numerics="npu")
    def kernel(x, out, numerics, overflow: asc.ConstExpr[int]):
        tile = asc2.copy_in(asc2.global_tensor(x, [1]), [0], [1])
        back = tile.to(asc2.float16).to(asc2.float32)
        asc2.copy_out(back * numerics + overflow, asc2.global_tensor(out, [1]), [0])

    out = np.zeros(1, np.float32)
    with ascemu.options(numerics="ieee"):
        kernel[1](FINE, out, numerics=2.0, overflow=3)
    assert out[0] == FINE[0] * np.float32(2) + np.float32(3)


@asctile.jit
def doubled(x, out):
    tile = asctile.copy_in(asctile.global_tensor(x, [2]), [0], [2])
    asctile.copy_out(tile + tile, asctile.global_tensor(out, [2]), [0])


def refusal(**options):
    """The message of a launch that is refused."""
    with pytest.raises(ValueError) as caught:
        doubled[1](np.ones(2, np.float16), np.ones(2, np.float16), **options)
    assert caught.value.diagnostic.code == "bad-launch"
    return caught.value.diagnostic.message


def test_saturation_is_refused_on_950pr():
    with ascemu.options(numerics="npu", overflow="saturate", platform="Ascend950PR_9579"):
        assert refusal() == (
            "doubled: overflow='saturate' is not available on Ascend950PR_9579: the 950PR chips "
            "keep infinities and NaN; select an Ascend910B or Ascend910_93 platform, or "
            "overflow='inf'"
        )


def test_saturation_is_refused_outside_npu():
    with ascemu.options(platform="Ascend910B1", numerics="ieee"):
        assert refusal(overflow="saturate") == (
            "doubled: overflow='saturate' is a mode of the 910B and 910_93 chips, and "
            "numerics='ieee' computes for no chip: its infinities are kept; select "
            "numerics='npu' with it, or overflow='inf'"
        )


@pytest.mark.parametrize("platform", ["Ascend910B1", "Ascend910_9392"])
def test_policies_of_saturating_chips(platform):
    chip = Platform(platform).chip
    assert policy_for(Platform(platform), "npu", "saturate") == Policy(chip, "npu", True)
    assert policy_for(Platform(platform), "npu", "inf") == Policy(chip, "npu", False)
    with pytest.raises(ValueError, match="numerics='fp64' computes for no chip"):
        policy_for(Platform(platform), "fp64", "saturate")


def test_every_policy_is_a_specialisation_of_its_own():
    kernel = asctile.jit(doubled.fn)
    x, out = np.ones(2, np.float16), np.zeros(2, np.float16)
    for platform in ("Ascend910B1", "Ascend910_9392"):
        for numerics, overflow in (("ieee", "inf"), ("npu", "inf"), ("npu", "saturate")):
            with ascemu.options(platform=platform, numerics=numerics, overflow=overflow):
                kernel[1](x, out)
                kernel[1](x, out)
    assert len(kernel._programs) == 6


def test_the_older_namespace_has_a_platform_of_its_own():
    kernel = asc.jit(doubled.fn)
    out = np.zeros(2, np.float16)
    kernel[1](np.ones(2, np.float16), out, numerics="npu", overflow="saturate")  # a 910B
    assert out.tolist() == [2, 2]


def run_script(*arguments, **environment):
    """What `ascemu run` says of a script that prints the mode."""
    known = {k: v for k, v in os.environ.items() if not k.startswith("ASCEMU")}
    return subprocess.run(
        [sys.executable, "-m", "ascemu", "run", *arguments],
        env=known | environment,
        capture_output=True,
        text=True,
    )


@pytest.fixture
def script(tmp_path):
    path = tmp_path / "script.py"
    path.write_text(SCRIPT + "\nprint(selected())\n")
    return str(path)


@pytest.mark.parametrize("mode", ["npu", "ieee", "fp64"])
def test_the_command_line_selects(script, mode):
    assert run_script("--numerics", mode, script).stdout == f"{mode}\n"
    assert run_script(script, ASCEMU_NUMERICS=mode).stdout == f"{mode}\n"
    other = {"npu": "ieee", "ieee": "npu", "fp64": "npu"}[mode]
    assert run_script("--numerics", mode, script, ASCEMU_NUMERICS=other).stdout == f"{mode}\n"


def test_the_command_line_saturates(script):
    options = ["--numerics", "npu", "--overflow", "saturate"]
    refused = run_script(*options, script)
    assert refused.returncode == 1
    assert "overflow='saturate' is not available on Ascend950PR_9599" in refused.stderr
    assert run_script("--platform", "Ascend910B1", *options, script).stdout == "npu\n"
    environment = {"ASCEMU_OVERFLOW": "saturate", "ASCEMU_NUMERICS": "npu"}
    again = run_script("--platform", "Ascend910B1", script, **environment)
    assert again.stdout == "npu\n"


def test_what_is_no_mode_is_wrong_usage(capsys):
    with pytest.raises(SystemExit):
        main(["run", "--overflow", "both", os.devnull])
    assert "overflow='both': must be one of inf, saturate" in capsys.readouterr().err


PLUGIN_TEST = """
    import pytest
    from kernel import selected

    def test_given():
        assert selected() == {mode!r}

    @pytest.mark.ascemu(numerics={other!r})
    def test_marked():
        assert selected() == {other!r}
"""


@pytest.mark.parametrize(("mode", "other"), [("npu", "ieee"), ("ieee", "fp64"), ("fp64", "npu")])
def test_pytest_selects(pytester, mode, other):
    pytester.syspathinsert()
    pytester.makepyfile(kernel=SCRIPT, test_modes=PLUGIN_TEST.format(mode=mode, other=other))
    result = run(pytester, "--ascemu", f"--ascemu-numerics={mode}")
    result.assert_outcomes(passed=2)
    result.stdout.fnmatch_lines([f"ascemu: *, Ascend950PR_9599, {mode}, checks: *"])


def test_pytest_saturates(pytester):
    pytester.syspathinsert()
    test = PLUGIN_TEST.format(mode="npu", other="npu")
    pytester.makepyfile(kernel=SCRIPT, test_modes=test)
    options = ["--ascemu", "--ascemu-numerics=npu", "--ascemu-overflow=saturate"]
    result = run(pytester, *options, "--ascemu-platform=Ascend910B1")
    result.assert_outcomes(passed=2)
    result.stdout.fnmatch_lines(["ascemu: *, Ascend910B1, npu, saturating, checks: *"])
    result = run(pytester, *options)
    result.assert_outcomes(failed=2)
    result.stdout.fnmatch_lines(["*overflow='saturate' is not available on Ascend950PR_9599*"])


def test_pytest_refuses_what_is_no_mode(pytester):
    pytester.makepyfile("def test_nothing(): pass")
    result = run(pytester, "--ascemu", "--ascemu-numerics=f32")
    result.stderr.fnmatch_lines(["*ascemu: numerics='f32': must be one of npu, ieee, fp64"])
