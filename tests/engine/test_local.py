"""Order and bounds of the local engine."""

from collections.abc import Iterator

import pytest

from generator.engine import LocalEngine

_offset = 0


def _start(offset: int) -> None:
    global _offset
    _offset = offset


def _add(value: int) -> int:
    if value == -1:
        raise ValueError("minus one")
    return value + _offset


@pytest.mark.parametrize("jobs", [1, 2])
def test_results_come_in_the_order_of_the_tasks(jobs: int) -> None:
    with LocalEngine(jobs, _start, (10,)) as engine:
        assert list(engine.map(_add, range(25))) == list(range(10, 35))


@pytest.mark.parametrize("jobs", [1, 2])
def test_an_error_in_a_worker_reaches_the_caller(jobs: int) -> None:
    with LocalEngine(jobs, _start, (0,)) as engine, pytest.raises(ValueError, match="minus one"):
        list(engine.map(_add, [1, -1, 2]))


def test_tasks_are_taken_as_they_are_needed() -> None:
    taken: list[int] = []

    def tasks() -> Iterator[int]:
        for task in range(100):
            taken.append(task)
            yield task

    with LocalEngine(2, _start, (0,)) as engine:
        results = engine.map(_add, tasks())
        next(results)
        assert len(taken) <= 6
