"""The same work on many items, in order, in several processes."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from itertools import islice
from multiprocessing import get_context
from typing import TypeVar

from ludex.core.lifeline import end_with_starter

Item = TypeVar("Item")
Result = TypeVar("Result")


def in_processes(
    work: Callable[[Item], Result], items: Sequence[Item], workers: int, chunk: int = 1
) -> Iterator[Result]:
    """Yield the result of each item in the order of the items; one worker is this process."""
    if workers == 1:
        yield from map(work, items)
        return
    context = get_context("spawn")
    with ProcessPoolExecutor(workers, context, initializer=end_with_starter) as pool:
        try:
            # Its own generator would wait for all items when a reader leaves early.
            yield from islice(pool.map(work, items, chunksize=chunk), len(items))
        finally:
            pool.shutdown(cancel_futures=True)
