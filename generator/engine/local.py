"""This machine's processes."""

import multiprocessing
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from types import TracebackType
from typing import Any, Self, TypeVar

Task = TypeVar("Task")
Result = TypeVar("Result")

_WAITING_PER_JOB = 3


class LocalEngine:
    """Runs tasks in `jobs` processes, or in this one for `jobs` = 1. Results come in the order of the tasks.

    `start(*args)` is called once in every worker before its first task. Only a few tasks wait at any time, so memory
    does not grow with their number.
    """

    def __init__(self, jobs: int, start: Callable[..., None], args: tuple[Any, ...]) -> None:
        self._jobs = jobs
        self._pool: ProcessPoolExecutor | None = None
        if jobs == 1:
            start(*args)
        else:
            # Processes forked from a process with threads may hang; a fork server has none.
            context = multiprocessing.get_context("forkserver")
            self._pool = ProcessPoolExecutor(jobs, mp_context=context, initializer=start, initargs=args)

    def map(self, function: Callable[[Task], Result], tasks: Iterable[Task]) -> Iterator[Result]:
        if self._pool is None:
            yield from map(function, tasks)
            return
        running: deque[Future[Result]] = deque()
        for task in tasks:
            running.append(self._pool.submit(function, task))
            if len(running) >= self._jobs * _WAITING_PER_JOB:
                yield running.popleft().result()
        while running:
            yield running.popleft().result()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._pool is not None:
            self._pool.shutdown(wait=True, cancel_futures=True)
