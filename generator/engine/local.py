"""This machine's processes."""

import multiprocessing
import os
import threading
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from types import TracebackType
from typing import Any, Self, TypeVar

Task = TypeVar("Task")
Result = TypeVar("Result")

_WAITING_PER_JOB = 3


class LocalEngine:
    """Runs tasks in `jobs` processes, or in this one for `jobs` = 1. Results come in the order of the tasks.

    `start(*args)` is called once in every worker before its first task. Only a few tasks wait at any time, so memory
    does not grow with their number. No worker outlives this process, however it ends. `modules` are imported once for
    all workers.
    """

    def __init__(
        self, jobs: int, start: Callable[..., None], args: tuple[Any, ...], modules: Sequence[str] = ()
    ) -> None:
        self._jobs = jobs
        self._pool: ProcessPoolExecutor | None = None
        if jobs == 1:
            start(*args)
        else:
            # Processes forked from a process with threads may hang; a fork server has none.
            context = multiprocessing.get_context("forkserver")
            context.set_forkserver_preload(["__main__", *modules])
            self._pool = ProcessPoolExecutor(jobs, mp_context=context, initializer=_start, initargs=(start, args))

    def map(self, function: Callable[[Task], Result], tasks: Iterable[Task]) -> Iterator[Result]:
        """Raises ChildProcessError if a worker is ended from outside, and what the function raises."""
        if self._pool is None:
            yield from map(function, tasks)
            return
        try:
            yield from self._map(self._pool, function, tasks)
        except BrokenProcessPool as error:
            raise ChildProcessError("a worker process was killed, or ran out of memory: try fewer --jobs") from error

    def _map(
        self, pool: ProcessPoolExecutor, function: Callable[[Task], Result], tasks: Iterable[Task]
    ) -> Iterator[Result]:
        running: deque[Future[Result]] = deque()
        for task in tasks:
            running.append(pool.submit(function, task))
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


def _start(start: Callable[..., None], args: tuple[Any, ...]) -> None:
    """Begin a worker. It ends with its parent: one that waits for a task would never notice a parent that was killed,
    because it holds both ends of its queue."""
    parent = multiprocessing.parent_process()
    if parent is not None:
        threading.Thread(target=_end_with, args=(parent.join,), daemon=True).start()
    start(*args)


def _end_with(parent_ended: Callable[[], None]) -> None:
    parent_ended()
    os._exit(1)
