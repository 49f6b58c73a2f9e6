"""Rules of one number that is to be made of aggregate evidence."""

from collections.abc import Iterator, Sequence
from fractions import Fraction

from generator.errors import Finding, Place
from generator.model.metrics import ON_TABLES, Metric, MetricTable
from generator.model.register import EvidenceData, EvidenceNumber, signed_figure
from generator.model.rules import finding, visible_id
from generator.model.words import did_you_mean, one_of
from generator.validate.decimals import check_decimal

_FIELDS: dict[str, tuple[str, ...]] = {
    "published_value": ("figure",),
    "published_sum": ("terms",),
    "published_ratio": ("numerator", "denominator"),
    "published_quotient": ("numerator", "denominator"),
    "relative_reduction": ("before", "after"),
    "relative_change": ("before", "after"),
    "evidence_difference": ("compares",),
    **dict.fromkeys(ON_TABLES, ("tables",)),
    **dict.fromkeys(("table_share_observed", "table_share_low", "table_share_high"), ("tables", "at_most")),
}
_ALSO: dict[str, tuple[str, ...]] = {
    "published_value": ("sample", "missing"),
    "published_ratio": ("interval",),
    "evidence_difference": ("parts",),
}
_ANY = ("metric", "group", "said", "note")
_IN_UNITS_OF_THE_METRIC = ("published_value", "published_sum")
_OF_VALUES = ("table_mean", "table_deviation", "table_min", "table_max", "table_quantile")

At = tuple[str, str]
"""The file of the number, and what stands before its fields in their paths."""


def _field(at: At, name: str) -> Place:
    return Place(at[0], field=f"{at[1]}{name}")


def check_wanted(
    data: EvidenceData, wanted: EvidenceNumber, metrics: MetricTable, tails: Sequence[str], at: At
) -> Iterator[Finding]:
    """RC165, RC166, RC169; `tails` are the numbers that a difference may name."""
    metric = metrics.by_id().get(wanted.metric)
    rows = [row.id for row in metrics.metrics if row.aggregate == "evidence"]
    if metric is None or metric.aggregate != "evidence" or metric.operation not in _FIELDS:
        expected = one_of(rows, "a metric of the table whose aggregate is `evidence`")
        remedy = did_you_mean(wanted.metric, rows, "add a row with `aggregate: evidence` to the metric table")
        yield finding("RC165", _field(at, "metric"), expected, f"`{visible_id(wanted.metric)}`", remedy)
        return
    problems = [*_check_fields(wanted, metric.operation or "", at), *_check_names(data, wanted, tails, at)]
    problems += [] if wanted.at_most is None else check_decimal(wanted.at_most, _field(at, "at_most"))
    problems += list(_check_threshold(wanted, at))
    yield from problems
    if not problems:
        yield from _check_own_unit(wanted, metric, metrics, at)
        yield from _check_units(data, wanted, metric, at)
        yield from _check_counts(data, wanted, metric, at)


def _check_fields(wanted: EvidenceNumber, operation: str, at: At) -> Iterator[Finding]:
    """RC165: a number has the fields of its operation, and no others."""
    needed = _FIELDS[operation]
    allowed = (*_ANY, *needed, *_ALSO.get(operation, ()))
    for name in wanted.__struct_fields__:
        is_set = bool(getattr(wanted, name)) or (name == "at_most" and wanted.at_most is not None)
        if name in needed and not is_set:
            yield finding("RC165", _field(at, name), f"`{name}` for the operation {operation}", "none", f"add `{name}`")
        elif is_set and name not in allowed:
            expected = f"no `{name}`: {operation} has {', '.join((*needed, *_ALSO.get(operation, ())))}"
            yield finding("RC165", _field(at, name), expected, f"`{name}`", f"remove `{name}`")


def _check_names(data: EvidenceData, wanted: EvidenceNumber, tails: Sequence[str], at: At) -> Iterator[Finding]:
    """RC165: what is named is there."""
    terms = [(name, signed_figure(term)[1]) for name in _TERMS for term in getattr(wanted, name)]
    single = [(name, getattr(wanted, name)) for name in ("figure", "sample", "missing")]
    figures = [*terms, *((name, value) for name, value in single if value is not None)]
    parts = [("parts", tail) for part in wanted.parts for tail in (part.rate, part.weight)]
    for kind, names, known in (
        ("a figure", figures, [figure.id for figure in data.figures]),
        ("a table", [("tables", table) for table in wanted.tables], [table.id for table in data.tables]),
        ("a group", [] if wanted.group is None else [("group", wanted.group)], [group.id for group in data.groups]),
        ("a number", [*(("compares", tail) for tail in wanted.compares or ()), *parts], list(tails)),
    ):
        for field, name in names:
            if name not in known:
                expected = one_of(known, f"{kind} of this evidence")
                remedy = did_you_mean(name, known, f"name {kind} that the data has")
                yield finding("RC165", _field(at, field), expected, f"`{visible_id(name)}`", remedy)


def _check_threshold(wanted: EvidenceNumber, at: At) -> Iterator[Finding]:
    """RC163: a threshold below zero has nothing within; RC165: a table that is named twice would be counted twice."""
    if str(wanted.at_most).startswith("-"):
        remedy = "write the threshold in the unit of the tables"
        yield finding("RC163", _field(at, "at_most"), "0 or more", f"`{visible_id(str(wanted.at_most))}`", remedy)
    twice = sorted({name for name in wanted.tables if wanted.tables.count(name) > 1})
    for name in twice:
        found = f"`{visible_id(name)}` again"
        yield finding("RC165", _field(at, "tables"), "each table once", found, "name it once: its records count once")


def _check_own_unit(wanted: EvidenceNumber, metric: Metric, metrics: MetricTable, at: At) -> Iterator[Finding]:
    """RC166: a share or a relative change is a ratio, and both sides of a difference have its unit."""
    remedy = "correct the unit of the metric, or name other numbers"
    if metric.operation in _RATIOS and metric.unit != "ratio":
        yield finding("RC166", _field(at, "metric"), "a metric of the unit ratio", metric.unit, remedy)
    table = metrics.by_id()
    sides = [table.get(tail.partition("--")[0]) for tail in wanted.compares or ()]
    units = list(dict.fromkeys(side.unit for side in sides if side is not None))
    if units and units != [metric.unit]:
        expected = f"numbers in {metric.unit}, the unit of the metric"
        yield finding("RC166", _field(at, "compares"), expected, " and ".join(units), remedy)


_RATIOS = (
    *("published_ratio", "relative_reduction", "relative_change", "table_missing_share"),
    *("table_share_observed", "table_share_low", "table_share_high"),
)
_TERMS = ("terms", "numerator", "denominator", "before", "after")


def _check_units(data: EvidenceData, wanted: EvidenceNumber, metric: Metric, at: At) -> Iterator[Finding]:
    """RC166: cases, assertions, events and records are different things, and are not added or divided."""
    units = {figure.id: figure.unit for figure in data.figures}
    named = [signed_figure(term)[1] for name in _TERMS for term in getattr(wanted, name)]
    named += [] if wanted.figure is None else [wanted.figure]
    found = list(dict.fromkeys(units[name] for name in named))
    remedy = "count one kind of thing in one number, or correct `unit`"
    if metric.operation in _IN_UNITS_OF_THE_METRIC and found != [metric.unit]:
        yield finding(
            "RC166",
            _field(at, "metric"),
            f"figures in {metric.unit}, the unit of the metric",
            " and ".join(found),
            remedy,
        )
    elif len(found) > 1 and metric.operation != "published_quotient":
        yield finding("RC166", _field(at, "metric"), "figures of one unit", " and ".join(found), remedy)
    tables = [table for table in data.tables if table.id in wanted.tables]
    counted = list(dict.fromkeys(table.counts for table in tables))
    if len(counted) > 1:
        yield finding("RC166", _field(at, "tables"), "tables that count the same", " and ".join(counted), remedy)
    measured = list(dict.fromkeys(table.unit for table in tables)) if metric.operation in _OF_VALUES else []
    if measured and measured != [metric.unit]:
        yield finding(
            "RC166",
            _field(at, "tables"),
            f"values in {metric.unit}, the unit of the metric",
            " and ".join(measured),
            remedy,
        )


def _check_counts(data: EvidenceData, wanted: EvidenceNumber, metric: Metric, at: At) -> Iterator[Finding]:
    """RC169: a share is one of counts, the numerator within the denominator."""
    if metric.operation == "table_saturated":
        without = [table.id for table in data.tables if table.id in wanted.tables and table.cap is None]
        if without:
            remedy = "give the table its `cap`: without it nobody knows which values are cut off"
            yield finding("RC169", _field(at, "tables"), "tables with a `cap`", f"`{without[0]}` without one", remedy)
    values = {figure.id: figure.value for figure in data.figures}
    for name in (wanted.sample, wanted.missing):
        if name is not None and not isinstance(values[name], int):
            yield finding(
                "RC169", _field(at, "sample"), "a count", f"`{name}` = {values[name]}", "name a figure that counts"
            )
    if metric.operation != "published_ratio":
        return
    hits, whole = (_sum(values, terms) for terms in (wanted.numerator, wanted.denominator))
    if hits is None or whole is None:
        return
    is_count = hits.denominator == 1 and whole.denominator == 1
    if not is_count or not 0 <= hits <= whole:
        expected = "whole numbers, the numerator from 0 to the denominator"
        remedy = "correct the figures, or use `published_quotient` where nothing is counted"
        yield finding("RC169", _field(at, "numerator"), expected, f"{hits} of {whole}", remedy)


def _sum(values: dict[str, int | str | None], terms: Sequence[str]) -> Fraction | None:
    total = Fraction(0)
    for sign, name in map(signed_figure, terms):
        value = values[name]
        if value is None:
            return None
        total += sign * Fraction(str(value))
    return total
