"""The launch platform of the example tests, as kernel repositories choose it, under all checks."""

import ascemu
import ascemu.settings
import pytest
from asc.runtime import config

# The examples are clean under every check; events of the numbers are no mistakes.
CHECKS = [name for name in ascemu.settings.CHECK_DEFAULTS if name != "numeric"]


@pytest.fixture(autouse=True)
def launch_platform():
    platform = config.Platform.Ascend950PR_9599
    with ascemu.options(platform=platform, checks=dict.fromkeys(CHECKS, "error")):
        config.set_platform(config.Backend.Model, platform, check=False)
        yield
