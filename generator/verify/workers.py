"""Several processes, each with what they share."""

from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from typing import Any, TypeVar

_Task = TypeVar("_Task")
_Found = TypeVar("_Found")
_Shared = TypeVar("_Shared")


def work(
    jobs: int, function: Callable[[_Shared, _Task], _Found], shared: _Shared, tasks: Sequence[_Task]
) -> Iterator[_Found]:
    """`function(shared, task)` of every task, in the order of the tasks; `shared` travels once to each process."""
    if jobs == 1 or len(tasks) < 2:
        yield from (function(shared, task) for task in tasks)
        return
    with ProcessPoolExecutor(min(jobs, len(tasks)), initializer=_begin, initargs=(function, shared)) as pool:
        yield from pool.map(_run_task, tasks)


_at_work: tuple[Callable[[Any, Any], Any], Any]


def _begin(function: Callable[[Any, Any], Any], shared: Any) -> None:
    global _at_work
    _at_work = (function, shared)


def _run_task(task: Any) -> Any:
    function, shared = _at_work
    return function(shared, task)
