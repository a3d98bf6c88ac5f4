"""What other installed packages add to ascemu: names of the module, commands.

What it is: the reader of the entry-point groups `ascemu.extensions` (name: any object) and
`ascemu.commands` (name: a function that adds its command to an argparse subparsers action).
What it is not: an import of any such package by name.
Invariant: a package that cannot be loaded takes nothing else away.
"""

from __future__ import annotations

import argparse
import warnings
from importlib.metadata import entry_points
from typing import Any


def extension(name: str) -> Any:
    """What a package provides as `ascemu.<name>`; None where none does."""
    if name.startswith("_"):
        return None
    for entry in entry_points(group="ascemu.extensions", name=name):
        return entry.load()
    return None


def add_commands(commands: argparse._SubParsersAction) -> None:
    """Let every package add its commands; a RuntimeWarning for one that fails."""
    for entry in sorted(entry_points(group="ascemu.commands"), key=lambda entry: entry.name):
        try:
            entry.load()(commands)
        except Exception as error:
            warnings.warn(
                f"the command {entry.name!r} of {entry.value} is left out: {error}",
                RuntimeWarning,
                stacklevel=2,
            )
