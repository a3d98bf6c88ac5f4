"""What every test here starts from."""

import signal

import ascemu
import pytest


@pytest.fixture(autouse=True)
def ctrl_c_is_heeded():
    """A shell starts its background jobs with SIGINT ignored; launches would then ignore it too."""
    before = signal.getsignal(signal.SIGINT)
    if before is signal.SIG_IGN:
        signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


@pytest.fixture
def undefined_is_stored():
    """For tests that store undefined elements to see what they hold; the check would raise."""
    with ascemu.options(checks={"uninitialised": "off"}):
        yield
