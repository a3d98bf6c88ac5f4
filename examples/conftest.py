"""The launch platform of the example tests, as kernel repositories choose it, under all checks."""

import ascemu
import ascemu.settings
import pytest
from asc.runtime import config

CHECKS = dict.fromkeys(ascemu.settings.CHECK_DEFAULTS, "error")


@pytest.fixture(autouse=True)
def launch_platform():
    platform = config.Platform.Ascend950PR_9599
    with ascemu.options(platform=platform, checks=CHECKS):
        config.set_platform(config.Backend.Model, platform, check=False)
        yield
