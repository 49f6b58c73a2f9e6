"""Several processes, each with what they share."""

import gc
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from contextlib import contextmanager
from functools import cache, partial
from typing import Any, TypeVar

_Task = TypeVar("_Task")
_Found = TypeVar("_Found")
_Shared = TypeVar("_Shared")


def work(
    jobs: int, make: Callable[[_Shared], Callable[[_Task], _Found]], shared: _Shared, tasks: Sequence[_Task]
) -> Iterator[_Found]:
    """`make(shared)(task)` of every task, in the order of the tasks; each process makes its function once."""
    if jobs == 1 or len(tasks) < 2:
        function = make(shared)
        with _no_collection():
            yield from (function(task) for task in tasks)
        return
    with ProcessPoolExecutor(min(jobs, len(tasks)), initializer=_begin, initargs=(make, shared)) as pool:
        yield from pool.map(_run_task, tasks)


_function: Callable[[], Callable[[Any], Any]]
"""Made by the first task: what fails in the beginning of a process is lost, what fails in a task is told."""


@contextmanager
def _no_collection() -> Iterator[None]:
    """Work leaves no cycles behind, but remembers much: the collector would walk all of it, time and again."""
    was_on = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_on:
            gc.enable()


def _begin(make: Callable[[Any], Callable[[Any], Any]], shared: Any) -> None:
    global _function
    gc.disable()
    _function = cache(partial(make, shared))


def _run_task(task: Any) -> Any:
    return _function()(task)
