"""What a number page shows: the runs behind a number, group by group, and what stands around it."""

from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from fractions import Fraction
from functools import cached_property

import msgspec

from generator.model.addresses import file_name, slice_name, variant_name
from generator.model.assertions import Attribution, Outcome
from generator.model.formatting import exact
from generator.model.metrics import LISTED, SCORED, Metric
from generator.model.numbers import Number
from generator.model.profiles import Profile
from generator.model.report import BatchReport
from generator.model.rows import Judged, RunRow
from generator.stats.pass_hat import pass_hat
from generator.stats.quantiles import quantile_rank
from generator.views.number_box import boxed_parts
from generator.views.paging import page_path

ROWS_A_PAGE = 300
CELL_COUNTS = ("runs_planned", "runs_skipped")
"""Numbers that count cells of the grid, not runs."""


class Entry(msgspec.Struct, frozen=True):
    """A run and what it contributed. `causes` says why it missed; `defines` marks a run whose value is the quantile's
    (or one of the two between which it lies)."""

    run_id: str
    outcome: Outcome | None
    value: int | float | None
    reason: str | None
    causes: tuple[Attribution, ...]
    defines: bool


class Part(msgspec.Struct, frozen=True):
    """A group of runs. `part` is the name of the count in `data-part`; `page` is where its rows begin, from 1."""

    part: str
    anchor: str
    counted: bool
    count: int
    page: int


class Block(msgspec.Struct, frozen=True):
    """The rows of a part that stand on one page; `begins` where they are its first."""

    part: Part
    begins: bool
    entries: tuple[Entry, ...]


class Cell(msgspec.Struct, frozen=True):
    """A planned cell: the run that it became, or the reason why it was skipped."""

    case_id: str
    repeat_index: int
    run_id: str | None
    reason: str | None


class CaseShare(msgspec.Struct, frozen=True):
    """A case of pass^k: how many of its valid runs passed; `share` is C(passed, k) ÷ C(valid, k), None below k runs."""

    case_id: str
    passed: int
    valid: int
    share: Fraction | None
    number: Number | None


_Group = tuple[str, str, bool, tuple[Entry, ...]]
"""Name of the part, its anchor, whether its runs are counted, its rows."""


class NumberView(msgspec.Struct, frozen=True, kw_only=True):
    """One page of a number. `path` is its address; `paths` are those of all its pages, of which it links to a few.

    `parts` are those of the whole number; `counted` and `excluded` the rows of this page. `ranks` are the places (from
    1) of the values that define a quantile. `siblings` are the same metric and slice under the other variants, `whole`
    the number that this one is a slice of, `slices` its own slices; `compared` the two numbers of a difference. `cases`
    and `slices` are empty on further pages.
    """

    number: Number
    metric: Metric
    page: int
    paths: tuple[str, ...]
    parts: tuple[Part, ...]
    counted: tuple[Block, ...]
    excluded: tuple[Block, ...]
    ranks: tuple[int, ...]
    cells: tuple[Cell, ...]
    cases: tuple[CaseShare, ...]
    siblings: tuple[Number, ...]
    whole: Number | None
    slices: tuple[Number, ...]
    compared: tuple[Number, Number] | None
    differences: tuple[Number, ...]

    @property
    def path(self) -> str:
        return self.paths[self.page - 1]


class NumberViews:
    """The views of all numbers of one batch; made once a batch."""

    def __init__(self, batch: BatchReport, metrics: dict[str, Metric], profile: Profile | None = None) -> None:
        self._batch = batch
        self._profile = profile
        self._metrics = metrics
        self._rows = {row.run_id: row for row in batch.rows}
        self._slices: dict[tuple[str, str], list[Number]] = defaultdict(list)
        self._variants: dict[tuple[str, str | None, bool], list[Number]] = defaultdict(list)
        self._differences: dict[str, list[Number]] = defaultdict(list)
        for number in batch.numbers.values():
            for compared in number.compares or ():
                self._differences[compared].append(number)
            self._variants[number.metric, number.slice, number.compares is None].append(number)
            if number.slice is not None:
                self._slices[number.variant, number.metric].append(number)

    def pages(self, number: Number) -> Iterator[NumberView]:
        """The pages of a number, one at least. What all of them share is made once; what the first alone shows (cases
        and slices, of which there may be as many as pages) stands on the first alone."""
        metric = self._metrics[number.metric]
        groups, ranks = self._groups(number, metric)
        cells = self._cells(number)
        entries = [entries for _, _, _, entries in groups]
        count = max(1, -(-max(sum(map(len, entries)), len(cells)) // ROWS_A_PAGE))
        parts = _placed(groups)
        first = NumberView(
            number=number,
            metric=metric,
            page=1,
            paths=tuple(page_path(number.page, place) for place in range(1, count + 1)),
            parts=parts,
            counted=(),
            excluded=(),
            ranks=ranks,
            cells=(),
            cases=self._cases(number, metric),
            siblings=self._siblings(number),
            whole=None if number.slice is None else self._batch.number(variant_name(number.variant), metric.id),
            slices=() if number.slice is not None else tuple(self._slices[number.variant, number.metric]),
            compared=self._compared(number),
            differences=tuple(self._differences[number.id]),
        )
        further = msgspec.structs.replace(first, cases=(), slices=())
        for page in range(1, count + 1):
            window = slice((page - 1) * ROWS_A_PAGE, page * ROWS_A_PAGE)
            blocks = list(_window(parts, entries, window))
            yield msgspec.structs.replace(
                first if page == 1 else further,
                page=page,
                counted=tuple(block for block in blocks if block.part.counted),
                excluded=tuple(block for block in blocks if not block.part.counted),
                cells=cells[window],
            )

    def _siblings(self, number: Number) -> tuple[Number, ...]:
        alike = self._variants[number.metric, number.slice, number.compares is None]
        return tuple(other for other in alike if other.variant != number.variant)

    def _groups(self, number: Number, metric: Metric) -> tuple[list[_Group], tuple[int, ...]]:
        """Name, anchor, whether counted, entries; and the ranks that define a quantile."""
        if number.compares is not None or not metric.lists_runs:
            return [], ()
        counted = self._runs(number.runset)
        if self._profile is not None and metric.operation in SCORED:
            return [*self._boxed(number, metric, counted, self._profile), *self._excluded(number, metric.id)], ()
        judged_by = judged_metric(metric, self._metrics, self._batch.experiment.pass_metric).id
        groups: list[_Group] = []
        ranks: tuple[int, ...] = ()
        if metric.aggregate in ("mean", "quantile"):
            ordered = sorted(counted, key=lambda row: (exact(row.assertions[metric.id].value or 0), row.run_id))
            if metric.aggregate == "quantile" and metric.p is not None:
                rank = quantile_rank(len(ordered), exact(metric.p))
                ranks = () if rank is None else tuple(place + 1 for place in rank.defining)
            groups.append(("denominator", "denominator", True, self._entries(ordered, judged_by, ranks)))
        elif number.numerator_runset is not None or metric.aggregate == "proportion" or metric.operation in LISTED:
            hits = set(self._batch.runsets[number.numerator_runset]) if number.numerator_runset else set()
            for name, inside in (("numerator", True), ("misses", False)):
                chosen = [row for row in counted if (row.run_id in hits) is inside]
                groups.append((name, name, True, self._entries(chosen, judged_by)))
        elif number.runset is not None:
            groups.append(("counted", "counted", True, self._entries(counted, judged_by)))
        if number.missing is not None:
            missing = self._runs(number.missing.runset)
            groups.append(("missing", "missing", False, self._entries(missing, judged_by)))
        return [*groups, *self._excluded(number, judged_by)], ranks

    def _excluded(self, number: Number, judged_by: str) -> Iterator[_Group]:
        for key, excluded in number.excluded.items():
            runs = self._runs(excluded.runset)
            yield f"excluded:{key}", part_anchor(key), False, self._entries(runs, judged_by)

    def _boxed(self, number: Number, metric: Metric, counted: Sequence[RunRow], profile: Profile) -> Iterator[_Group]:
        missing = () if number.missing is None else self._runs(number.missing.runset)
        for name, is_counted, runs in boxed_parts(number, metric, (counted, missing), self._batch.box, profile):
            entries = (Entry(run, made.outcome, made.value, made.reason, (), False) for run, made in runs)
            yield name, name, is_counted, tuple(entries)

    def _runs(self, runset: str | None) -> list[RunRow]:
        return [] if runset is None else [self._rows[run_id] for run_id in self._batch.runsets[runset]]

    def _entries(self, rows: Sequence[RunRow], metric_id: str, ranks: tuple[int, ...] = ()) -> tuple[Entry, ...]:
        return tuple(
            _entry(row, row.assertions.get(metric_id), metric_id, place in ranks)
            for place, row in enumerate(rows, start=1)
        )

    def _cells(self, number: Number) -> tuple[Cell, ...]:
        """Every planned cell, or every skipped one, in the order of cases and repeats."""
        if number.metric not in CELL_COUNTS:
            return ()
        batch = self._batch.batch
        runs = {
            (row.case_id, row.repeat_index): row.run_id for row in self._batch.rows if row.variant == number.variant
        }
        skipped = {
            (skip.case, skip.repeat_index): skip.reason for skip in batch.skipped if skip.variant == number.variant
        }
        grid = [(case, repeat) for case in batch.planned.cases for repeat in range(batch.planned.repeats)]
        shown = grid if number.metric == "runs_planned" else [cell for cell in grid if cell in skipped]
        return tuple(Cell(*cell, runs.get(cell), skipped.get(cell)) for cell in shown)

    def _cases(self, number: Number, metric: Metric) -> tuple[CaseShare, ...]:
        """Of pass^k: every case with a judged run, in the order of the plan."""
        if metric.aggregate != "pass_hat" or metric.k is None or number.compares is not None:
            return ()
        passed, valid = self._passes[number.variant]
        planned = {case: place for place, case in enumerate(self._batch.batch.planned.cases)}
        group = variant_name(number.variant)
        shares = []
        for case in sorted(valid, key=lambda case: (planned.get(case, len(planned)), case)):
            share = pass_hat(passed[case], valid[case], metric.k)
            of_case = self._batch.number(group, self._batch.experiment.pass_metric, slice_name("case", case))
            shares.append(CaseShare(case, passed[case], valid[case], share, of_case))
        return tuple(shares)

    @cached_property
    def _passes(self) -> dict[str, tuple[Counter[str], Counter[str]]]:
        """Of each variant: runs that passed, and all that were judged, by case."""
        found: dict[str, tuple[Counter[str], Counter[str]]] = defaultdict(lambda: (Counter(), Counter()))
        for row in self._batch.rows:
            judged = row.assertions.get(self._batch.experiment.pass_metric)
            if judged is not None and judged.outcome in ("hit", "miss"):
                passed, valid = found[row.variant]
                valid[row.case_id] += 1
                passed[row.case_id] += judged.outcome == "hit"
        return found

    def _compared(self, number: Number) -> tuple[Number, Number] | None:
        if number.compares is None:
            return None
        own, base = number.compares
        return self._batch.numbers[own], self._batch.numbers[base]


def judged_metric(metric: Metric, metrics: dict[str, Metric], pass_metric: str) -> Metric:
    """The metric whose assertion says what a run contributed: that of times, or the pass metric, for what is made of
    them."""
    if metric.operation == "time_within":
        return next((row for row in metrics.values() if row.aggregate == "quantile" and row.unit == "ms"), metric)
    return metrics[pass_metric] if metric.aggregate == "pass_hat" or metric.operation in LISTED else metric


def part_anchor(key: str) -> str:
    """Fragment of an excluded part."""
    kind, _, reason = key.partition(":")
    return f"{kind}-{file_name(reason)}"


def _entry(row: RunRow, judged: Judged | None, metric_id: str, defines: bool) -> Entry:
    if judged is None:
        return Entry(row.run_id, None, None, row.reason, (), defines)
    causes = tuple(cause for cause in row.attribution if cause.metric == metric_id)
    return Entry(row.run_id, judged.outcome, judged.value, judged.reason, causes, defines)


def _placed(groups: list[_Group]) -> tuple[Part, ...]:
    parts = []
    place = 0
    for name, anchor, counted, entries in groups:
        parts.append(Part(name, anchor, counted, len(entries), place // ROWS_A_PAGE + 1 if entries else 1))
        place += len(entries)
    return tuple(parts)


def _window(parts: Sequence[Part], entries: Sequence[tuple[Entry, ...]], window: slice) -> Iterator[Block]:
    """The rows of a page, part by part."""
    place = 0
    for part, rows in zip(parts, entries, strict=True):
        start, end = max(window.start - place, 0), min(window.stop - place, len(rows))
        if start < end:
            yield Block(part, start == 0, rows[start:end])
        place += len(rows)
