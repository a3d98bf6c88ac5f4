"""The launch platform of the example tests, chosen the way kernel repositories do it."""

import ascemu
import pytest
from asc.runtime import config


@pytest.fixture(autouse=True)
def launch_platform():
    platform = config.Platform.Ascend950PR_9599
    with ascemu.options(platform=platform):
        config.set_platform(config.Backend.Model, platform, check=False)
        yield
