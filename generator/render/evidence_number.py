"""Pages of numbers that rest on aggregate evidence."""

from collections.abc import Iterator
from fractions import Fraction
from typing import Any

import jinja2
from markupsafe import Markup

from generator.model.formatting import exact, value_text
from generator.model.register import EvidenceData, EvidenceEntry, Figure, Frequencies, evidence_address, signed_figure
from generator.model.report import Report
from generator.render.environment import Texts, Words, say_text
from generator.render.escape import foreign
from generator.render.number import HERE
from generator.render.quantities import count_text, exact_value
from generator.render.shell import Shell, english_folder, placed
from generator.views.audit import EvidenceNumberRow, mix_of, number_rows
from generator.views.metrics import contract_parts

ROWS_SHOWN = 300
_DEPTH = 3
_TERMS = ("terms", "numerator", "denominator", "before", "after")


def evidence_number_pages(
    report: Report, environment: jinja2.Environment, texts: Texts, shell: Shell
) -> Iterator[tuple[str, bytes]]:
    """Address and bytes of the page of every number that rests on aggregate evidence."""
    register = report.source.register
    if register is None or not report.evidence_numbers:
        return
    english = english_folder(report.source.publication.languages)
    module: Any = environment.get_template("evidence_number.html.j2").make_module({"here": HERE, "english": english})
    pages = _Pages(report, Words(texts))
    framed = placed(shell, _DEPTH)
    for entry in register.evidence:
        rows = number_rows(report, entry)
        for row in rows:
            yield row.number.page, framed.fill(pages.title(row), Markup(), module.body(pages.context(entry, row, rows)))


class _Pages:
    """What the template needs of each number."""

    def __init__(self, report: Report, words: Words) -> None:
        self._report = report
        self._words = words
        ledger = report.source.claims
        self._claims = {} if ledger is None else ledger.by_number()

    def title(self, row: EvidenceNumberRow) -> Markup:
        """Plain text in both languages."""
        number, metric = row.number, row.metric
        difference = number.compares is not None
        value = value_text(exact_value(number), number.unit, metric.decimals, difference=difference)
        where = number.variant if number.slice is None else f"{number.variant} · {number.slice}"
        return Markup("{} / {} · {} = {}").format(metric.name.zh, metric.name.en, foreign(where), value)

    def context(self, entry: EvidenceEntry, row: EvidenceNumberRow, rows: list[EvidenceNumberRow]) -> dict[str, Any]:
        number, metric, data = row.number, row.metric, entry.data or EvidenceData()
        detail: dict[str, Any] = number.detail or {}
        figures = [figure for figure in data.figures if figure.id in (detail.get("figures") or {})]
        tables = [table for table in data.tables if table.id in (detail.get("tables") or [])]
        compared = [self._report.evidence_numbers[name] for name in number.compares or ()]
        interval = number.interval
        return {
            "number": number,
            "metric": metric,
            "metric_name": say_text(metric.name, None),
            "group": row.group,
            "entry": entry,
            "wanted": _wanted(data, row),
            "operation": metric.operation,
            "reason": None if number.reason is None else self._words.name_of("reasons", number.reason),
            "terms": {name: _terms(data, detail[name]) for name in _TERMS if name in detail},
            "figures": [(figure, None if figure.value is None else _stated(figure.value)) for figure in figures],
            "tables": [(table, _rows(table), len(table.rows) > ROWS_SHOWN) for table in tables],
            "compared": compared,
            "mix": mix_of(self._report, number),
            "p": None if metric.p is None else str(metric.p),
            "level": None if interval is None else value_text(exact(interval.level), "ratio", 0),
            "contract": contract_parts(metric),
            "claims": self._claims.get(number.id, []),
            "alike": [other for other in rows if other.metric.id == metric.id and other.number.id != number.id],
            "same_group": _same_group(row, rows),
            "differences": [other for other in rows if number.id in (other.number.compares or ())],
            "json": "api/v1/numbers/evidence.json",
            "evidence_json": evidence_address(entry.id),
        }


def _wanted(data: EvidenceData, row: EvidenceNumberRow) -> Any:
    """The entry of `numbers` that the number was made for."""
    group = None if row.group is None else row.group.id
    return next(wanted for wanted in data.numbers if wanted.metric == row.metric.id and wanted.group == group)


def _terms(data: EvidenceData, terms: list[str]) -> list[tuple[str, Figure]]:
    """Sign and figure of each."""
    figures = {figure.id: figure for figure in data.figures}
    signs = {1: "+", -1: "\N{MINUS SIGN}"}
    return [(signs[sign], figures[name]) for sign, name in map(signed_figure, terms)]


def _rows(table: Frequencies) -> list[tuple[str | None, str]]:
    """Values in ascending order, missing records last, as texts; so many that a page can hold them."""
    ordered = sorted(table.rows, key=lambda row: (row[0] is None, Fraction(str(row[0] or 0))))
    return [(None if value is None else _stated(value), count_text(count)) for value, count in ordered[:ROWS_SHOWN]]


def _stated(value: int | str) -> str:
    """As the evidence writes it, with commas between thousands."""
    text = str(value)
    return value_text(exact(text), "items", len(text.partition(".")[2]))


def _same_group(row: EvidenceNumberRow, rows: list[EvidenceNumberRow]) -> list[EvidenceNumberRow]:
    return [other for other in rows if other.number.slice == row.number.slice and other.number.id != row.number.id]
