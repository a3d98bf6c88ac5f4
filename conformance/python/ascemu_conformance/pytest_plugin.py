"""The pytest option `--ascemu-record DIR`: the launches of a test run become cases in DIR.

What it is: the option where ascemu is installed; an exported recorder brings it by itself.
Invariant: without the option nothing else is imported.
"""

from __future__ import annotations

import pytest


def pytest_addoption(parser: pytest.Parser) -> None:
    group = parser.getgroup("ascemu", "kernels on the CPU (ascemu)")
    group.addoption("--ascemu-record", metavar="DIR", help="record kernel launches as cases in DIR")


def pytest_configure(config: pytest.Config) -> None:
    if config.getoption("ascemu_record"):
        from ascemu_conformance import recorder

        recorder.pytest_configure(config)
