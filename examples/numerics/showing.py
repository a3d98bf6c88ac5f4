"""How the examples of this folder print: one line a mode, then the clause that explains them.

What it is: shared by the programs of this folder. What it is not: a part of ascemu.
"""

from collections.abc import Callable
from typing import NamedTuple

import numpy as np


class Shown(NamedTuple):
    """The float16 result of one launch."""

    mode: str
    result: np.ndarray


def main(clause: str, show: Callable[[], list[Shown]]) -> int:
    """Print the results; exit status 1 where the modes agree after all."""
    shown = show()
    for mode, result in shown:
        print(f"{mode}: {' '.join(f'{float(value):.6g}' for value in result)}")
    differ = {result.tobytes() for _, result in shown}
    print(f"explained by clause {clause}: ascemu explain {clause}")
    return 0 if len(differ) > 1 else 1
