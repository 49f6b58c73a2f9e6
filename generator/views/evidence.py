"""What an evidence page says of other runs: neighbours, the same case, and the numbers that count the run."""

from collections import defaultdict
from functools import cached_property

import msgspec

from generator.model.assertions import Outcome
from generator.model.box import BoxedRun
from generator.model.experiments import Experiment
from generator.model.numbers import Number
from generator.model.report import BatchReport
from generator.model.rows import RunRow
from generator.model.runs import State

REPEATS_SHOWN = 20
"""Repeats of the same case side by side on one page; more would make all pages together grow with their square."""
MOST_BESIDE = 4
"""Runs under other variants that a run is compared with on its page; scripts compare any two."""


class Beside(msgspec.Struct, frozen=True):
    """A neighbour: a run of the same case under another variant, another repeat, or the run that this one follows."""

    run_id: str
    variant: str
    repeat: int


class CaseRun(msgspec.Struct, frozen=True):
    """A run of the same case. `outcome` is that of the pass metric, None where the run was not judged."""

    run_id: str
    state: State
    outcome: Outcome | None


class SameCase(msgspec.Struct, frozen=True):
    """The runs of one case under all variants, for the repeats `first` … `first + count - 1`.

    `variants` are baseline first; `runs` is by (variant, repeat); `total` counts the repeats of the batch.
    """

    case_id: str
    variants: tuple[str, ...]
    first: int
    count: int
    total: int
    runs: dict[tuple[str, int], CaseRun]


class RunContext(msgspec.Struct, frozen=True):
    """What the page of one run needs besides its evidence.

    `signature` names the list `numbers`: runs that share it are counted by the same numbers. Blocks of a page that rest
    on `signature` or `same_case` alone are the same for many runs. `box` is what the profile in force says of the run,
    `beside` are the runs that it is compared with.
    """

    previous: str | None
    next: str | None
    signature: int
    numbers: tuple[Number, ...]
    same_case: SameCase
    pass_metric: str
    box: BoxedRun | None = None
    beside: tuple[Beside, ...] = ()


class BatchIndex(msgspec.Struct, frozen=True, kw_only=True, dict=True):
    """Of one batch. `order` holds the run ids in executed order, `signatures` and `places` (case, variant, repeat) run
    beside it; `follows` names the run that one follows, where the batch has it."""

    experiment: Experiment
    numbers: dict[str, Number]
    order: list[str]
    signatures: list[int]
    number_lists: list[tuple[str, ...]]
    places: list[tuple[str, str, int]]
    case_runs: dict[str, dict[tuple[str, int], CaseRun]]
    repeats: int
    box: dict[str, BoxedRun] = {}
    follows: dict[str, str] = {}

    def context(self, run_id: str) -> RunContext:
        """KeyError if the batch has no such run."""
        place = self._positions[run_id]
        case_id, variant, repeat_index = self.places[place]
        signature = self.signatures[place]
        return RunContext(
            self.order[place - 1] if place else None,
            self.order[place + 1] if place + 1 < len(self.order) else None,
            signature,
            self._numbers_of[signature],
            self._same_case(case_id, repeat_index // REPEATS_SHOWN),
            self.experiment.pass_metric,
            self.box.get(run_id),
            self._beside(run_id, case_id, variant, repeat_index),
        )

    def _beside(self, run_id: str, case_id: str, variant: str, repeat: int) -> tuple[Beside, ...]:
        """The run that it follows; the same repeat under other variants, baseline first; the repeat before, of the
        first one the next."""
        runs = self.case_runs[case_id]
        others = [it.id for it in self.experiment.ordered_variants if it.id != variant and (it.id, repeat) in runs]
        cells = [(other, repeat) for other in others[:MOST_BESIDE]] + [(variant, repeat - 1 if repeat else 1)]
        found = [Beside(runs[cell].run_id, *cell) for cell in cells if cell in runs]
        followed = self.follows.get(run_id)
        if followed is None:
            return tuple(found)
        _, its_variant, its_repeat = self.places[self._positions[followed]]
        first = Beside(followed, its_variant, its_repeat)
        return (first, *(it for it in found if it.run_id != followed))

    @cached_property
    def _positions(self) -> dict[str, int]:
        return {run_id: place for place, run_id in enumerate(self.order)}

    @cached_property
    def _numbers_of(self) -> list[tuple[Number, ...]]:
        return [tuple(self.numbers[name] for name in names) for names in self.number_lists]

    @cached_property
    def _blocks(self) -> dict[tuple[str, int], SameCase]:
        return {}

    def _same_case(self, case_id: str, block: int) -> SameCase:
        found = self._blocks.get((case_id, block))
        if found is None:
            first = block * REPEATS_SHOWN
            count = max(1, min(REPEATS_SHOWN, self.repeats - first))
            variants = tuple(variant.id for variant in self.experiment.ordered_variants)
            runs = self.case_runs[case_id]
            cells = [(variant, repeat) for variant in variants for repeat in range(first, first + count)]
            shown = {cell: runs[cell] for cell in cells if cell in runs}
            found = self._blocks[case_id, block] = SameCase(case_id, variants, first, count, self.repeats, shown)
        return found


def make_contexts(batch: BatchReport) -> BatchIndex:
    """The index from which a worker takes the context of each of its runs."""
    signatures, number_lists = _counted_by(batch)
    case_runs: dict[str, dict[tuple[str, int], CaseRun]] = defaultdict(dict)
    for row in batch.rows:
        case_runs[row.case_id][row.variant, row.repeat_index] = _case_run(row, batch.experiment.pass_metric)
    ids = {row.run_id for row in batch.rows}
    return BatchIndex(
        experiment=batch.experiment,
        numbers=batch.numbers,
        order=[row.run_id for row in batch.rows],
        signatures=signatures,
        number_lists=number_lists,
        places=[(row.case_id, row.variant, row.repeat_index) for row in batch.rows],
        case_runs=dict(case_runs),
        repeats=max((row.repeat_index + 1 for row in batch.rows), default=0),
        box=batch.box,
        follows={row.run_id: row.source_run_id for row in batch.rows if row.source_run_id in ids and row.source_run_id},
    )


def _case_run(row: RunRow, pass_metric: str) -> CaseRun:
    judged = row.assertions.get(pass_metric)
    return CaseRun(row.run_id, row.state, None if judged is None else judged.outcome)


def _counted_by(batch: BatchReport) -> tuple[list[int], list[tuple[str, ...]]]:
    """For each row the index of its list of numbers, and the lists: exactly the numbers whose run set holds the run."""
    by_runset: dict[str, list[str]] = defaultdict(list)
    for number in batch.numbers.values():
        if number.runset is not None:
            by_runset[number.runset].append(number.id)
    held: dict[str, list[int]] = {row.run_id: [] for row in batch.rows}
    names = list(by_runset)
    for index, name in enumerate(names):
        for run_id in batch.runsets[name]:
            held[run_id].append(index)
    page_order = {number_id: place for place, number_id in enumerate(batch.numbers)}
    known: dict[tuple[int, ...], int] = {}
    lists: list[tuple[str, ...]] = []
    signatures = []
    for row in batch.rows:
        key = tuple(held[row.run_id])
        if key not in known:
            known[key] = len(lists)
            ids = (number_id for index in key for number_id in by_runset[names[index]])
            lists.append(tuple(sorted(ids, key=page_order.__getitem__)))
        signatures.append(known[key])
    return signatures, lists
