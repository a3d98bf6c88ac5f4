"""Platforms: the enums by value, what is known of each chip, set_platform in all its forms."""

import pytest
from ascemu import settings
from ascemu.dropin.asc.lib import runtime as device
from ascemu.dropin.asc.runtime import config, launcher
from ascemu.platforms import (
    Backend,
    CompilationArch,
    KernelType,
    Platform,
    capacities,
    default_blocks,
)

NAMES = """
Ascend910B1 Ascend910B2 Ascend910B2C Ascend910B3 Ascend910B4 Ascend910B4-1 Ascend910_9362
Ascend910_9372 Ascend910_9381 Ascend910_9382 Ascend910_9391 Ascend910_9392 Ascend950PR_950z
Ascend950PR_9579 Ascend950PR_957b Ascend950PR_957c Ascend950PR_957d Ascend950PR_9589
Ascend950PR_958b Ascend950PR_9599
""".split()


@pytest.fixture(autouse=True)
def fresh_settings(monkeypatch):
    monkeypatch.setattr(settings, "_settings", settings.Settings())


def test_platforms_by_value():
    assert [p.value for p in config.Platform] == NAMES
    assert config.Platform("Ascend950PR_9599") is config.Platform.Ascend950PR_9599
    assert config.Platform.Ascend910B4_1.value == "Ascend910B4-1"


def test_backends_by_value():
    assert list(config.Backend.__members__) == ["Model", "NPU"]
    assert config.Backend("Model") is config.Backend.Model
    with pytest.raises(ValueError) as caught:
        config.Backend("Cpu")
    assert str(caught.value) == "Unknown backend 'Cpu'; use one of: Model, NPU"


def test_kernel_types_by_value():
    assert [(t.name, t.value) for t in KernelType] == [
        ("AIV_ONLY", 0),
        ("AIC_ONLY", 1),
        ("MIX_AIV_HARD_SYNC", 2),
        ("MIX_AIC_HARD_SYNC", 3),
        ("MIX_AIV_1_0", 4),
        ("MIX_AIC_1_0", 5),
        ("MIX_AIC_1_1", 6),
        ("MIX_AIC_1_2", 7),
    ]
    with pytest.raises(ValueError, match="^Unknown kernel type 8; use one of: 0, 1, 2"):
        KernelType(8)


@pytest.mark.parametrize("name", NAMES)
def test_architecture(name):
    expected = CompilationArch.C310 if "950PR" in name else CompilationArch.C220
    assert config.platform_to_arch(name) is expected
    assert config.platform_to_arch(Platform(name)) is expected


def test_architecture_of_an_unknown_platform():
    with pytest.raises(ValueError, match="^Unknown platform 'Ascend310'; use one of: "):
        config.platform_to_arch("Ascend310")


@pytest.mark.parametrize(
    ("name", "sizes"),
    [
        ("Ascend910B1", (196608, 524288, 65536, 65536, 131072, 1024)),
        ("Ascend910B4-1", (196608, 524288, 65536, 65536, 131072, 1024)),
        ("Ascend910_9362", (196608, 524288, 65536, 65536, 262144, 1024)),
        ("Ascend950PR_9599", (253952, 524288, 65536, 65536, 262144, 4096)),
    ],
)
def test_platform_info(name, sizes):
    info = launcher.get_platform_info(name)
    assert info == capacities(Platform(name))
    assert (
        info.ub_size,
        info.l1_size,
        info.l0a_size,
        info.l0b_size,
        info.l0c_size,
        info.bt_size,
    ) == sizes


@pytest.mark.parametrize(
    ("name", "with_cube", "vector"),
    [("Ascend950PR_9599", 72, 72), ("Ascend910B1", 24, 48), ("Ascend910_9362", 24, 48)],
)
def test_default_blocks(name, with_cube, vector):
    assert default_blocks(name, has_cube=True) == with_cube
    assert default_blocks(Platform(name), has_cube=False) == vector


@pytest.mark.parametrize(
    ("args", "kwargs"),
    [
        ((Backend.NPU, Platform.Ascend910B3), {}),
        (("NPU", "Ascend910B3"), {}),
        (("NPU", "Ascend910B3", 1), {"check": False}),
        (("NPU", "Ascend910B3", None, False), {}),
        (("NPU",), {"soc_version": "Ascend910B3"}),
        ((), {"backend": "NPU", "platform": Platform.Ascend910B3, "device_id": 0}),
    ],
)
def test_set_platform(args, kwargs):
    assert config.set_platform(*args, **kwargs) is None
    assert settings.current().platform is Platform.Ascend910B3
    assert settings.current().asc_platform is Platform.Ascend910B3
    assert settings.current().backend is Backend.NPU
    assert config.get_backend() is Backend.NPU
    assert config.get_platform() is Platform.Ascend910B3
    assert device.get_soc_version() == "Ascend910B3"


def test_set_platform_keeps_the_platform():
    config.set_platform("Model")
    assert settings.current().platform is Platform.Ascend950PR_9599
    assert settings.current().asc_platform is Platform.Ascend910B1


def test_the_last_call_wins():
    config.set_platform(Backend.Model, Platform.Ascend910B1)
    settings.options(platform=Platform.Ascend910_9362)
    assert settings.current().platform is Platform.Ascend910_9362
    config.set_platform(Backend.Model, Platform.Ascend910B2)
    assert settings.current().platform is Platform.Ascend910B2


@pytest.mark.parametrize(
    ("args", "kwargs", "error", "message"),
    [
        (("Cpu",), {}, ValueError, "Unknown backend 'Cpu'; use one of: Model, NPU"),
        (("Model", None, "0"), {}, TypeError, "'device_id' must be an integer or None, got '0'"),
        (
            ("Model", "Ascend910B1"),
            {"soc_version": "Ascend910B1"},
            TypeError,
            "set_platform() takes either 'platform' or 'soc_version', not both",
        ),
    ],
)
def test_set_platform_refuses(args, kwargs, error, message):
    with pytest.raises(error) as caught:
        config.set_platform(*args, **kwargs)
    assert str(caught.value) == message


def test_current_stream_is_the_default_one():
    assert device.current_stream() is None
