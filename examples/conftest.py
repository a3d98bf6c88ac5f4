"""The launch platform of the example tests, chosen the way kernel repositories do it."""

import pytest
from asc.runtime import config


@pytest.fixture(autouse=True)
def launch_platform():
    config.set_platform(config.Backend.Model, config.Platform.Ascend950PR_9599, check=False)
