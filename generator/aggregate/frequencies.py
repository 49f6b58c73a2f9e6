"""What operations make of the frequency tables of a piece of evidence."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from fractions import Fraction

from generator.aggregate.published import NO_RECORD, Detail, Published, written
from generator.model.formatting import exact
from generator.model.metrics import Metric
from generator.model.register import EvidenceData, EvidenceNumber, Frequencies
from generator.stats.missingness import missingness_bounds
from generator.stats.moments import FrequencyTable, frequency_table
from generator.stats.quantiles import quantile_rank
from generator.stats.ratios import ratio

_SHOW_CENSORING = ("table_mean", "table_deviation", "table_max", "table_quantile")


def made_of_tables(data: EvidenceData, wanted: EvidenceNumber, metric: Metric) -> Published:
    """What the operation of the metric makes of the tables that the number names, taken together."""
    tables = [table for table in data.tables if table.id in wanted.tables]
    table, saturated = pooled(tables), sum(map(saturated_count, tables))
    reached = [entry for entry in tables if entry.cap is not None and exact(entry.cap) <= exact(wanted.at_most or 0)]
    cut = 0 if wanted.at_most is None else sum(map(saturated_count, reached))
    operation = metric.operation or ""
    detail: Detail = {"operation": operation, "counts": tables[0].counts, "tables": [entry.id for entry in tables]}
    found = TABLE_OPERATIONS[operation](_Read(table, saturated, cut, wanted, metric))
    figures = {name: written(value) for name, value in found.figures.items()}
    marks = ("censored",) if saturated and operation in _SHOW_CENSORING and found.value is not None else ()
    is_share = found.counts is not None
    hits, whole = found.counts or (None, table.n)
    return Published(
        value=found.value,
        detail=detail | {"figures": figures},
        numerator=hits,
        denominator=whole if is_share or operation in _OF_SAMPLE else None,
        missing=table.missing if not is_share and operation in _OF_SAMPLE else None,
        reason=None if found.value is not None else NO_RECORD,
        marks=marks,
    )


def pooled(tables: Iterable[Frequencies]) -> FrequencyTable:
    """The rows of several tables as one."""
    return frequency_table(
        (None if value is None else exact(value), count) for table in tables for value, count in table.rows
    )


def saturated_count(table: Frequencies) -> int:
    """Records whose value is the largest that can be stored."""
    if table.cap is None:
        return 0
    cap = exact(table.cap)
    return sum(count for value, count in table.rows if value is not None and exact(value) == cap)


@dataclass(frozen=True, slots=True)
class _Read:
    """`saturated` records have the largest value that can be stored; of `cut` ones it is not above the threshold, so
    that nobody knows on which side of it they are."""

    table: FrequencyTable
    saturated: int
    cut: int
    wanted: EvidenceNumber
    metric: Metric


@dataclass(frozen=True, slots=True)
class _Found:
    """`counts` are numerator and denominator of a share."""

    value: Fraction | None
    figures: dict[str, Fraction | None]
    counts: tuple[int, int] | None = None


def _counted(count: Callable[[_Read], int]) -> Callable[[_Read], _Found]:
    return lambda read: _Found(Fraction(count(read)), {})


def _share(hits: int, whole: int, figures: dict[str, Fraction | None] | None = None) -> _Found:
    return _Found(ratio(hits, whole), figures or {}, (hits, whole))


def _mean(read: _Read) -> _Found:
    return _Found(read.table.mean, {"sum": read.table.sum, "n": Fraction(read.table.n)})


def _deviation(read: _Read) -> _Found:
    table = read.table
    value = None if table.standard_deviation is None else Fraction(table.standard_deviation)
    return _Found(value, {"sum": table.sum, "sum_of_squares": table.sum_of_squares, "n": Fraction(table.n)})


def _end(place: int) -> Callable[[_Read], _Found]:
    return lambda read: _Found(read.table.values[place] if read.table.values else None, {})


def _quantile(read: _Read) -> _Found:
    p = exact(read.metric.p or 0)
    rank = quantile_rank(read.table.n, p)
    if rank is None:
        return _Found(None, {})
    low, high = (read.table.quantile(Fraction(place, max(read.table.n - 1, 1))) for place in (rank.low, rank.high))
    return _Found(read.table.quantile(p), {"rank": rank.h, "low": low, "high": high, "n": Fraction(read.table.n)})


def _at_most(which: str) -> Callable[[_Read], _Found]:
    """The share at or below the threshold: of those of which it is known, or the end of what the others leave open."""

    def share(read: _Read) -> _Found:
        table, threshold = read.table, exact(read.wanted.at_most or 0)
        within = sum(f for v, f in zip(table.values, table.frequencies, strict=True) if v <= threshold)
        count, known, open_ = within - read.cut, table.n - read.cut, table.missing + read.cut
        bounds = missingness_bounds(count, known, open_)
        figures: dict[str, Fraction | None] = {"at_most": threshold}
        whole = known if which == "observed" else bounds.total
        return _share(count + (open_ if which == "high" else 0), whole, figures)

    return share


TABLE_OPERATIONS: dict[str, Callable[[_Read], _Found]] = {
    "table_observed": _counted(lambda read: read.table.n),
    "table_missing": _counted(lambda read: read.table.missing),
    "table_zeros": _counted(
        lambda read: dict(zip(read.table.values, read.table.frequencies, strict=True)).get(Fraction(0), 0)
    ),
    "table_saturated": _counted(lambda read: read.saturated),
    "table_missing_share": lambda read: _share(read.table.missing, read.table.n + read.table.missing),
    "table_mean": _mean,
    "table_deviation": _deviation,
    "table_min": _end(0),
    "table_max": _end(-1),
    "table_quantile": _quantile,
    "table_share_observed": _at_most("observed"),
    "table_share_low": _at_most("low"),
    "table_share_high": _at_most("high"),
}
_OF_SAMPLE = ("table_mean", "table_deviation", "table_min", "table_max", "table_quantile")
