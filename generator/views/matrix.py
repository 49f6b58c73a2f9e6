"""Cases × variants: the pass metric of every cell, category by category."""

from dataclasses import dataclass
from typing import Literal

from generator.model.addresses import slice_name, variant_name
from generator.model.base import Text
from generator.model.cases import Case
from generator.model.numbers import Number
from generator.model.report import BatchReport, Report
from generator.views.frame import shown_variants

Level = Literal["all", "some", "none", "open"]


@dataclass(frozen=True)
class MatrixCell:
    """`level`: all of the judged runs passed, some, none; or nothing was judged."""

    number: Number | None
    level: Level


@dataclass(frozen=True)
class MatrixRow:
    case_id: str
    title: Text | None
    cells: list[MatrixCell]

    @property
    def has_failure(self) -> bool:
        return any(cell.level in ("some", "none") for cell in self.cells)


@dataclass(frozen=True)
class MatrixGroup:
    """The cases of a category, and the category as a whole."""

    category: str
    name: Text | None
    whole: list[Number | None]
    rows: list[MatrixRow]


def case_matrix(report: Report, batch: BatchReport) -> list[MatrixGroup]:
    """Categories in the order of the bank, cases in the order of the plan; what the bank does not know comes last."""
    bank = report.source.case_banks.get(batch.batch.case_bank.id)
    cases: dict[str, Case] = {} if bank is None else {case.id: case for case in bank.cases}
    names: dict[str, Text] = {} if bank is None else {category.id: category.name for category in bank.categories}
    category_of = {row.case_id: row.category for row in batch.rows}
    category_of |= {case.id: case.category for case in cases.values()}
    groups: dict[str, list[str]] = {category: [] for category in names}
    for case_id in batch.batch.planned.cases:
        groups.setdefault(category_of.get(case_id, ""), []).append(case_id)
    return [
        MatrixGroup(
            category,
            names.get(category),
            _numbers(batch, slice_name("category", category)),
            [_row(batch, case_id, cases.get(case_id)) for case_id in members],
        )
        for category, members in groups.items()
        if members
    ]


def cell_level(number: Number | None) -> Level:
    if number is None or number.denominator is None or number.numerator is None or number.denominator == 0:
        return "open"
    if number.numerator == number.denominator:
        return "all"
    return "none" if number.numerator == 0 else "some"


def _row(batch: BatchReport, case_id: str, case: Case | None) -> MatrixRow:
    cells = [MatrixCell(number, cell_level(number)) for number in _numbers(batch, slice_name("case", case_id))]
    return MatrixRow(case_id, None if case is None else case.title, cells)


def _numbers(batch: BatchReport, slice_: str) -> list[Number | None]:
    metric = batch.experiment.pass_metric
    return [batch.number(variant_name(variant.id), metric, slice_) for variant in shown_variants(batch)]
