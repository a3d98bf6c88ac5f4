"""The same function over many items: in processes of this machine, or on a dask scheduler.

What it is: results as they come, with a progress bar. What it is not: aware of what is computed.
Invariant: the function is given one item and nothing else, so that its result does not depend on
where or in which order it runs; no more items are taken than are about to be worked on.
"""

from __future__ import annotations

import concurrent.futures
import itertools
import multiprocessing
import sys
from collections.abc import Callable, Iterable, Iterator
from typing import Any, TypeVar

Item = TypeVar("Item")
Result = TypeVar("Result")


def spread(
    function: Callable[[Item], Result],
    items: Iterable[Item],
    count: int,
    *,
    workers: int,
    scheduler: str | None = None,
    label: str = "cases",
) -> Iterator[Result]:
    """The results of `function` for `items`, in no order; `count` is how many there are.

    `workers` processes are used, or the workers of the dask scheduler at the address `scheduler`.
    RuntimeError where dask is not installed, OSError where there is no scheduler.
    """
    from tqdm import tqdm

    results = _on_scheduler if scheduler else _locally
    where: Any = scheduler or workers
    with tqdm(total=count, unit=" " + label, file=sys.stderr, disable=count == 0) as bar:
        for result in results(function, iter(items), where):
            bar.update()
            yield result


def _locally(function: Any, items: Iterator[Any], workers: int) -> Iterator[Any]:
    if workers <= 1:
        yield from map(function, items)
        return
    context = multiprocessing.get_context("spawn")
    with concurrent.futures.ProcessPoolExecutor(workers, mp_context=context) as pool:
        waiting = {pool.submit(function, item) for item in itertools.islice(items, 2 * workers)}
        while waiting:
            done, waiting = concurrent.futures.wait(
                waiting, return_when=concurrent.futures.FIRST_COMPLETED
            )
            for future in done:
                waiting |= {pool.submit(function, item) for item in itertools.islice(items, 1)}
                yield future.result()


def _on_scheduler(function: Any, items: Iterator[Any], address: str) -> Iterator[Any]:
    try:
        import distributed
    except ImportError:
        raise RuntimeError(
            "dask.distributed is not installed; install ascemu[distributed]"
        ) from None
    with distributed.Client(address, timeout="20s", set_as_default=False) as client:
        ahead = 4 * max(1, sum(client.nthreads().values()))
        first = [_submit(client, function, item) for item in itertools.islice(items, ahead)]
        completed = distributed.as_completed(first, loop=client.loop)
        for future in completed:
            for item in itertools.islice(items, 1):
                completed.add(_submit(client, function, item))
            yield future.result()
            future.release()


def _submit(client: Any, function: Any, item: Any) -> Any:
    """A task that another worker repeats where its own is lost."""
    return client.submit(function, item, pure=False, retries=3)
