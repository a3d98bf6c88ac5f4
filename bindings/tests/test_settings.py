"""Settings: legal values, restoring, the environment, collectors and printed findings."""

import json
import subprocess
import sys
import threading
from dataclasses import dataclass

import ascemu
import pytest
from ascemu import settings
from ascemu.platforms import Backend, Platform

SCHEDULES = (
    "must be one of parallel, sequential, reverse, random, interleave, "
    "or random:SEED with a number below 2^64"
)
CHECK_NAMES = (
    "location, bounds, capacity, alignment, uninitialised, race, ordering, portability, numeric"
)


@pytest.fixture(autouse=True)
def fresh_settings(monkeypatch):
    """Defaults for each test, without the environment's values."""
    for name in ("PLATFORM", "THREADS", "CHECKS", "NUMERICS", "OVERFLOW"):
        monkeypatch.delenv(f"ASCEMU_{name}", raising=False)
    monkeypatch.delenv("NO_COLOR", raising=False)
    monkeypatch.setattr(settings, "_settings", None)
    monkeypatch.setattr(settings, "_printed", set())
    monkeypatch.setattr(settings, "_collectors", [])


@dataclass
class Finding:
    """Stands for a Diagnostic of the compiled core."""

    code: str
    line: int
    severity: str = "warning"
    file: str = "kernel.py"

    def render(self, colour=False):
        return f"{self.severity}[{self.code}] at {self.line}{' in colour' if colour else ''}"

    def to_json(self):
        return json.dumps({"code": self.code, "line": self.line})


def test_defaults():
    present = settings.current()
    assert present.platform is Platform.Ascend950PR_9599
    assert present.asc_platform is Platform.Ascend910B1
    assert present.backend is Backend.Model
    assert (present.numerics, present.overflow) == ("npu", "inf")
    assert dict(present.checks) == dict(settings.CHECK_DEFAULTS)
    assert present.chosen_levels() == {}
    assert (present.threads, present.blocks, present.max_steps) == (None, None, 0)
    assert (present.findings_limit, present.colour, present.json) == (100, None, False)


def test_options_act_when_called():
    ascemu.options(threads=2, platform="Ascend910B4-1", checks={"portability": "off"})
    present = settings.current()
    assert present.threads == 2
    assert present.platform is present.asc_platform is Platform.Ascend910B4_1
    assert dict(present.checks) == {**settings.CHECK_DEFAULTS, "portability": "off"}
    assert present.chosen_levels() == {"portability": "off"}


def test_options_are_restored_on_leaving():
    ascemu.options(threads=2)
    before = settings.current()
    with ascemu.options(threads=1, blocks=8, platform=Platform.Ascend910B1) as inside:
        assert inside is settings.current()
        assert (inside.threads, inside.blocks, inside.platform.chip) == (1, 8, "910B")
        with ascemu.options(threads=5):
            assert settings.current().threads == 5
        assert settings.current().threads == 1
    assert settings.current() == before


def test_options_restore_only_what_they_changed():
    with ascemu.options(threads=1):
        ascemu.options(max_steps=7)
    assert (settings.current().threads, settings.current().max_steps) == (None, 7)


def test_options_are_restored_after_an_exception():
    with pytest.raises(KeyError), ascemu.options(threads=1):
        raise KeyError("x")
    assert settings.current().threads is None


def test_none_leaves_a_setting_unchanged():
    ascemu.options(threads=2, blocks=3)
    ascemu.options(threads=None, blocks=None, platform=None, checks=None)
    assert (settings.current().threads, settings.current().blocks) == (2, 3)


def test_zero_asks_for_the_default_count():
    ascemu.options(threads=2, blocks=3)
    ascemu.options(threads=0, blocks=0)
    assert (settings.current().threads, settings.current().blocks) == (None, None)


def test_a_refused_call_changes_nothing():
    before = settings.current()
    with pytest.raises(ValueError, match="blocks=-1"):
        ascemu.options(threads=2, blocks=-1)
    assert settings.current() is before


def test_other_threads_see_the_settings():
    ascemu.options(threads=3)
    seen = []
    thread = threading.Thread(target=lambda: seen.append(settings.current().threads))
    thread.start()
    thread.join()
    assert seen == [3]


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"threads": -1}, "threads=-1: must be an integer of at least 0"),
        ({"threads": True}, "threads=True: must be an integer of at least 0"),
        ({"blocks": 1.5}, "blocks=1.5: must be an integer of at least 0"),
        ({"max_steps": "9"}, "max_steps='9': must be an integer of at least 0"),
        ({"findings_limit": 0}, "findings_limit=0: must be an integer of at least 1"),
        ({"colour": "red"}, "colour='red': must be True, False or 'auto'"),
        ({"json": 1}, "json=1: must be True or False"),
        ({"strict": "yes"}, "strict='yes': must be True or False"),
        ({"numerics": "fp32"}, "numerics='fp32': must be one of npu, ieee, fp64"),
        ({"numerics": ["npu"]}, "numerics=['npu']: must be one of npu, ieee, fp64"),
        ({"schedule": 1}, f"schedule=1: {SCHEDULES}"),
        ({"schedule": "backwards"}, f"schedule='backwards': {SCHEDULES}"),
        ({"schedule": "random:x"}, f"schedule='random:x': {SCHEDULES}"),
        (
            {"schedule": "random:18446744073709551616"},
            f"schedule='random:18446744073709551616': {SCHEDULES}",
        ),
        ({"overflow": "clamp"}, "overflow='clamp': must be one of inf, saturate"),
        ({"overflow": True}, "overflow=True: must be one of inf, saturate"),
        ({"checks": "bounds"}, "checks='bounds': must map check names to levels"),
        (
            {"checks": {"bound": "warn"}},
            f"unknown check 'bound' (did you mean 'bounds'?); the checks are: {CHECK_NAMES}",
        ),
        (
            {"checks": {"bounds": "on"}},
            "check 'bounds' has the level 'on'; the levels are: off, warn, error",
        ),
    ],
)
def test_illegal_values(given, message):
    with pytest.raises(ValueError) as caught:
        ascemu.options(**given)
    assert str(caught.value) == message


def test_unknown_platform():
    with pytest.raises(ValueError, match="^Unknown platform 'Ascend910_9599'; use one of: Asc"):
        ascemu.options(platform="Ascend910_9599")


def test_unknown_option():
    with pytest.raises(TypeError, match="thread"):
        ascemu.options(thread=1)


def test_checks_and_levels_are_those_of_the_core():
    from ascemu import _core

    rows = {row["check"]: row["level"] for row in _core.check_table()}
    assert rows == dict(settings.CHECK_DEFAULTS)
    assert {row["check"] for row in _core.code_table()} <= {*rows, None}


def test_strict_is_the_level_of_portability():
    with ascemu.options(strict=True, checks={"bounds": "warn"}) as inside:
        assert inside.chosen_levels() == {"bounds": "warn", "portability": "error"}
    assert settings.current().chosen_levels() == {}
    assert settings.current().checks["portability"] == "warn"
    ascemu.options(strict=False)
    assert settings.current().chosen_levels() == {"portability": "warn"}
    with pytest.raises(ValueError) as caught:
        ascemu.options(strict=True, checks={"portability": "off"})
    assert str(caught.value) == "strict sets the level of portability; give one of the two"


def test_the_level_of_a_code_follows_the_levels_that_were_set():
    from ascemu import _core

    assert _core.level_of("read-out-of-bounds", {}) == "error"
    assert _core.level_of("read-out-of-bounds", {"bounds": "warn", "race": "off"}) == "warn"
    assert _core.level_of("portability", {}) == "warn"
    with pytest.raises(ValueError, match="^unknown diagnostic code 'nothing'$"):
        _core.level_of("nothing", {})
    with pytest.raises(ValueError, match="^unknown check 'bound'$"):
        _core.level_of("portability", {"bound": "off"})
    with pytest.raises(ValueError, match="must be off, warn or error, got 'on'$"):
        _core.level_of("portability", {"bounds": "on"})


def test_environment(monkeypatch):
    monkeypatch.setenv("ASCEMU_PLATFORM", "Ascend910_9392")
    monkeypatch.setenv("ASCEMU_THREADS", "4")
    monkeypatch.setenv("ASCEMU_CHECKS", "bounds=warn, portability=error")
    monkeypatch.setenv("ASCEMU_NUMERICS", "npu")
    monkeypatch.setenv("ASCEMU_OVERFLOW", "saturate")
    monkeypatch.setenv("ASCEMU_SCHEDULE", "random:3")
    present = settings.current()
    assert present.platform is present.asc_platform is Platform.Ascend910_9392
    assert present.threads == 4
    assert present.schedule == "random:3"
    assert (present.numerics, present.overflow) == ("npu", "saturate")
    assert present.chosen_levels() == {"bounds": "warn", "portability": "error"}
    assert present.checks["race"] == "error"


@pytest.mark.parametrize(
    ("variable", "text", "message"),
    [
        ("ASCEMU_THREADS", "two", "must be an integer of at least 0"),
        ("ASCEMU_CHECKS", "bounds", "'bounds' is not of the form name=level, as in bounds=warn"),
        (
            "ASCEMU_CHECKS",
            "x=off",
            f"unknown check 'x'; the checks are: {CHECK_NAMES}",
        ),
        ("ASCEMU_NUMERICS", "exact", "numerics='exact': must be one of npu, ieee, fp64"),
        ("ASCEMU_OVERFLOW", "clamp", "overflow='clamp': must be one of inf, saturate"),
        (
            "ASCEMU_SCHEDULE",
            "reverse:1",
            f"schedule='reverse:1': {SCHEDULES}",
        ),
    ],
)
def test_bad_environment(monkeypatch, variable, text, message):
    monkeypatch.setenv(variable, text)
    with pytest.raises(ValueError) as caught:
        settings.current()
    assert str(caught.value) == f"environment variable {variable}={text!r}: {message}"


def test_bad_platform_in_the_environment(monkeypatch):
    monkeypatch.setenv("ASCEMU_PLATFORM", "950")
    with pytest.raises(ValueError, match="^environment variable ASCEMU_PLATFORM='950': Unknown"):
        settings.current()


def test_collect_gathers_warnings_and_errors(capsys):
    findings = [Finding("a", 1), Finding("b", 2, "error"), Finding("a", 1)]
    with ascemu.collect() as outer:
        with ascemu.collect() as inner:
            settings.deliver(findings[:1])
        settings.deliver(findings[1:])
    settings.deliver([Finding("late", 9)])
    assert inner == findings[:1]
    assert outer == findings


def test_warnings_are_printed_once_a_place(capsys):
    settings.deliver([Finding("a", 1), Finding("a", 1), Finding("a", 2), Finding("b", 1, "error")])
    out, err = capsys.readouterr()
    assert (out, err) == ("", "warning[a] at 1\nwarning[a] at 2\n")
    settings.forget_printed()
    settings.deliver([Finding("a", 1)])
    assert capsys.readouterr().err == "warning[a] at 1\n"


def test_json_prints_every_finding(capsys):
    with ascemu.options(json=True):
        settings.deliver([Finding("a", 1), Finding("b", 2, "error")])
    lines = capsys.readouterr().err.splitlines()
    assert [json.loads(line) for line in lines] == [
        {"code": "a", "line": 1},
        {"code": "b", "line": 2},
    ]


def test_colour_is_for_terminals(monkeypatch, capsys):
    class Terminal:
        def isatty(self):
            return True

    assert settings.current().use_colour(Terminal())
    assert not settings.current().use_colour(sys.stderr)
    monkeypatch.setenv("NO_COLOR", "1")
    assert not settings.current().use_colour(Terminal())
    with ascemu.options(colour=True):
        assert settings.current().use_colour(sys.stderr)
        settings.deliver([Finding("a", 1)])
        with ascemu.options(colour="auto"):
            assert not settings.current().use_colour(sys.stderr)
    assert capsys.readouterr().err == "warning[a] at 1 in colour\n"


def test_import_does_not_load_the_compiled_core():
    code = (
        "import sys, ascemu, ascemu.settings, ascemu.platforms, ascemu.errors, ascemu.cli.main,"
        " ascemu.dropin.activation;"
        "assert 'ascemu._core' not in sys.modules; assert 'numpy' not in sys.modules;"
        "assert ascemu.Diagnostic.__name__ == 'Diagnostic'; assert 'ascemu._core' in sys.modules"
    )
    subprocess.run([sys.executable, "-c", code], check=True)


def test_package_names():
    for name in ascemu.__all__:
        assert getattr(ascemu, name) is not None
    with pytest.raises(AttributeError, match="module 'ascemu' has no attribute 'absent'"):
        _ = ascemu.absent
