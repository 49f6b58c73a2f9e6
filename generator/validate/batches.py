"""Rules over all runs of a batch: grid, order, ids, threshold."""

from collections import Counter
from collections.abc import Iterable, Iterator

from generator.errors import Finding, Place
from generator.model.batches import MAX_CELLS, PlannedGrid
from generator.model.experiments import Experiment
from generator.model.rows import ConfigSeen, RunRow
from generator.model.rules import finding, visible_id
from generator.model.schedule import Cell, interleaved_order
from generator.model.source import BatchSource, Source
from generator.model.words import in_words
from generator.validate.common import cell_count
from generator.validate.guard import check_guard
from generator.validate.kinds import check_components, check_sources
from generator.validate.runs import has_known_cell, make_run_rules


def check_batch(
    source: Source, batch: BatchSource, rows: list[RunRow], configs: list[ConfigSeen], unread: int
) -> list[Finding]:
    """All findings that need more than one run.

    Parameters
    ----------
    rows : list[RunRow]
        The runs of the batch that could be read, in any order.
    configs : list[ConfigSeen]
        Each effective configuration of each variant, once.
    unread : int
        How many lines hold no run that could be read. What may be missing for that reason alone is not found missing.
    """
    rules = make_run_rules(batch, source)
    placed = [row for row in rows if has_known_cell(row, rules)]
    waiting = check_waiting(batch, unread, len(rows) - len(placed))
    if not rows:
        expected, remedy = "at least one run", "publish a batch when it has been executed"
        return waiting or [finding("RC313", Place(batch.runs.name), expected, "none", remedy)]
    findings = [*waiting, *check_ids(batch, rows), *check_sequence(batch, rows)]
    experiment = source.experiments.get(batch.batch.experiment)
    has_grid = 1 <= cell_count(batch.batch.planned) <= MAX_CELLS
    if has_grid:
        findings += check_cells(batch, placed, every=not waiting)
    if experiment is not None:
        if has_grid:
            findings += check_order(batch, placed, experiment)
        findings += check_guard(batch, experiment, configs)
        findings += check_components(batch, experiment, configs)
        findings += check_sources(batch, rows, experiment, every=not waiting)
        if not waiting:
            findings += check_threshold(batch, rows, experiment, source.min_valid(experiment))
    return findings


def check_waiting(batch: BatchSource, unread: int, misplaced: int) -> list[Finding]:
    """RC321: whether something is missing cannot be said as long as lines are at fault."""
    wrong = [f"{unread} that could not be read"] if unread else []
    wrong += [f"{misplaced} of an unknown variant, case or repeat"] if misplaced else []
    if not wrong:
        return []
    remedy = "correct these lines first: that every cell has its run and every variant enough of them is checked then"
    expected, found = "lines that are runs of known cells", " and ".join(wrong)
    return [finding("RC321", Place(batch.runs.name), expected, found, remedy)]


def _place(batch: BatchSource, row: RunRow, field: str | None = None) -> Place:
    return Place(batch.runs.name, row.line, visible_id(row.run_id), field)


def check_ids(batch: BatchSource, rows: list[RunRow]) -> Iterator[Finding]:
    """RC312 within the batch."""
    first: dict[str, RunRow] = {}
    for row in sorted(rows, key=lambda row: row.line):
        earlier = first.setdefault(row.run_id, row)
        if earlier is not row:
            yield _twice(_place(batch, row, "run_id"), f"{batch.runs.name}:{earlier.line}")


def check_run_ids(source: Source, rows: Iterable[RunRow]) -> list[Finding]:
    """RC312 between batches: `rows` of all batches of the source."""
    files = {item.batch.id: item.runs.name for item in source.batches}
    first: dict[str, RunRow] = {}
    findings: list[Finding] = []
    for row in rows:
        earlier = first.setdefault(row.run_id, row)
        if earlier.batch != row.batch:
            place = Place(files.get(row.batch, row.batch), row.line, visible_id(row.run_id), "run_id")
            findings.append(_twice(place, f"{files.get(earlier.batch, earlier.batch)}:{earlier.line}"))
    return findings


def _twice(place: Place, earlier: str) -> Finding:
    remedy = "give each run an id of its own: evidence is found by it"
    return finding("RC312", place, "an id that no other run of the source has", f"the id of {earlier}", remedy)


def check_cells(batch: BatchSource, rows: list[RunRow], *, every: bool) -> Iterator[Finding]:
    """RC307, RC308, RC309: every planned cell is one run or one skip, and nothing else is there.

    Without `every`, runs may be missing from `rows`, and their cells are not missed.
    """
    planned = batch.batch.planned
    grid = _grid(planned)
    taken: dict[Cell, str] = {}
    for position, skip in enumerate(batch.batch.skipped):
        cell = (skip.case, skip.variant, skip.repeat_index)
        here = Place(batch.head_name, field=f"skipped[{position}]")
        if cell in taken:
            yield _cell_twice(here, cell, taken[cell])
        taken.setdefault(cell, f"skipped[{position}] of {batch.head_name}")
    for row in sorted(rows, key=lambda row: row.line):
        cell = (row.case_id, row.variant, row.repeat_index)
        if cell in taken:
            yield _cell_twice(_place(batch, row), cell, taken[cell])
        taken.setdefault(cell, f"{batch.runs.name}:{row.line}")
        if cell not in grid:
            remedy = f"plan the cell in {batch.head_name}, or remove the run"
            found = f"{_cell_text(cell)}, of which {_not_planned(cell, planned)}"
            yield finding("RC309", _place(batch, row), "a cell of the planned grid", found, remedy)
    if every:
        yield from _missing_cells(batch, [cell for cell in grid if cell not in taken])


def _not_planned(cell: Cell, planned: PlannedGrid) -> str:
    case, variant, _ = cell
    if variant not in planned.variants:
        return f"`{visible_id(variant)}` is not in planned.variants"
    return f"`{visible_id(case)}` is not in planned.cases"


def _grid(planned: PlannedGrid) -> dict[Cell, None]:
    """The planned cells in the order of the head. A dictionary, because a set has no order."""
    return {
        (case, variant, repeat_index): None
        for variant in planned.variants
        for case in planned.cases
        for repeat_index in range(planned.repeats)
    }


def _missing_cells(batch: BatchSource, cells: list[Cell]) -> Iterator[Finding]:
    by_variant: dict[str, list[Cell]] = {}
    for cell in cells:
        by_variant.setdefault(cell[1], []).append(cell)
    for variant, missing in by_variant.items():
        place = Place(batch.head_name, field="planned")
        found = f"{len(missing)} of `{visible_id(variant)}` without either: {in_words(map(_cell_text, missing))}"
        remedy = "add the runs, or list the cells under `skipped` with a reason"
        yield finding("RC307", place, "a run or a skip for every cell", found, remedy)


def _cell_twice(place: Place, cell: Cell, earlier: str) -> Finding:
    remedy = "remove one of them, or correct its cell"
    return finding("RC308", place, "each cell once", f"{_cell_text(cell)} again, as in {earlier}", remedy)


def _cell_text(cell: Cell) -> str:
    case, variant, repeat_index = cell
    return f"{visible_id(case)} × {visible_id(variant)} × {repeat_index}"


def check_sequence(batch: BatchSource, rows: list[RunRow]) -> Iterator[Finding]:
    """RC310."""
    first: dict[int, RunRow] = {}
    for row in sorted(rows, key=lambda row: row.line):
        earlier = first.setdefault(row.sequence, row)
        if earlier is not row:
            found = f"{row.sequence} again, as in line {earlier.line}"
            remedy = "number the runs in the order of their execution"
            yield finding("RC310", _place(batch, row, "sequence"), "each place once", found, remedy)


def check_order(batch: BatchSource, rows: list[RunRow], experiment: Experiment) -> Iterator[Finding]:
    """RC311: where the schedule interleaves, the started cells stand in the order that the seed gives.

    Cells that were skipped or not started leave a gap; the others keep their order.
    """
    if experiment.schedule.method != "interleaved":
        return
    seed = experiment.schedule.seed
    places = {cell: place for place, cell in enumerate(interleaved_order(_grid(batch.batch.planned), seed))}
    ordered = sorted(rows, key=lambda row: (row.sequence, row.line))
    known = [row for row in ordered if (row.case_id, row.variant, row.repeat_index) in places]
    due = sorted(known, key=lambda row: places[row.case_id, row.variant, row.repeat_index])
    wrong = [(row, expected) for row, expected in zip(known, due, strict=True) if row is not expected]
    if wrong:
        row, expected_row = wrong[0]
        cell = _cell_text((expected_row.case_id, expected_row.variant, expected_row.repeat_index))
        found = f"{_cell_text((row.case_id, row.variant, row.repeat_index))}; {len(wrong)} runs are out of place"
        remedy = "execute in the interleaved order, or register the schedule as `as_recorded`"
        yield finding("RC311", _place(batch, row, "sequence"), f"{cell} (seed {seed})", found, remedy)


def check_threshold(batch: BatchSource, rows: list[RunRow], experiment: Experiment, minimum: int) -> Iterator[Finding]:
    """RC318: one finding that lists the gap of every variant."""
    valid = Counter(row.variant for row in rows if row.validity == "valid")
    variants = [variant.id for variant in experiment.ordered_variants if variant.id in batch.batch.planned.variants]
    if all(valid[variant] >= minimum for variant in variants):
        return
    gaps = [
        f"{visible_id(variant)} {valid[variant]}"
        + (f" ({minimum - valid[variant]} short)" if valid[variant] < minimum else "")
        for variant in variants
    ]
    place, expected = Place(batch.head_name, field="planned"), f"at least {minimum} valid runs in each variant"
    remedy = "run the missing repeats, or take the batch out of publication.yaml"
    yield finding("RC318", place, expected, ", ".join(gaps), remedy)
