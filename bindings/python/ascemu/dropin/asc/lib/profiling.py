"""`asc.lib.profiling`: the profiler's interface, with the times of the emulator.

What it is: enough for a harness that wraps launches in `with profiler.profile():` to run.
What it is not: a measure of a device. The times are wall-clock times on this CPU.
"""

from __future__ import annotations

import statistics
import time
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import Any

__all__ = ["Profiler", "task_time_median"]


class Profiler:
    """Records how long each `profile()` block took, in microseconds, in `task_times`."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        self.task_times: list[float] = []

    @contextmanager
    def profile(self, *args: Any, **kwargs: Any) -> Iterator[Profiler]:
        """Time the block; arguments are those of the device's profiler and change nothing."""
        start = time.perf_counter_ns()
        try:
            yield self
        finally:
            self.task_times.append((time.perf_counter_ns() - start) / 1000)

    def __enter__(self) -> Profiler:
        self._start = time.perf_counter_ns()
        return self

    def __exit__(self, *exc_info: object) -> None:
        self.task_times.append((time.perf_counter_ns() - self._start) / 1000)


def task_time_median(source: Profiler | Iterable[float], *args: Any, **kwargs: Any) -> float:
    """The median of a profiler's recorded times, in microseconds; ValueError where none are."""
    times = list(source.task_times if isinstance(source, Profiler) else source)
    if not times:
        raise ValueError("nothing was profiled; run the kernel inside 'with profiler.profile():'")
    return statistics.median(times)
