"""Frequency tables once more: from their rows as they stand, without writing them out."""

import math
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

Counts = tuple[int, int]


def stated(value: int | str | Fraction) -> Fraction:
    """A decimal of the evidence, which may be a text."""
    return Fraction(value)


@dataclass(frozen=True)
class Table:
    """Several tables as one: values in order with how often each occurs, records without one, and those at the cap,
    by cap."""

    ordered: list[tuple[Fraction, int]]
    missing: int
    capped: dict[Fraction, int]

    @property
    def saturated(self) -> int:
        return sum(self.capped.values())

    @property
    def n(self) -> int:
        return sum(count for _, count in self.ordered)

    def at(self, rank: int) -> Fraction:
        """The value of a rank, from 0."""
        for value, count in self.ordered:
            if rank < count:
                return value
            rank -= count
        raise IndexError(rank)

    def power_sum(self, power: int) -> Fraction:
        return sum((value**power * count for value, count in self.ordered), Fraction(0))


def one_table(tables: list[dict[str, Any]]) -> Table:
    found: Counter[Fraction] = Counter()
    capped: Counter[Fraction] = Counter()
    missing = 0
    for table in tables:
        for value, count in table["rows"]:
            if value is None:
                missing += count
                continue
            found[stated(value)] += count
            if table["cap"] is not None and stated(value) == stated(table["cap"]):
                capped[stated(value)] += count
    return Table(sorted((value, count) for value, count in found.items() if count), missing, dict(capped))


@dataclass(frozen=True)
class FromTable:
    """`figures` are those of the detail; `counts` the numerator and denominator of a share."""

    value: Fraction | None
    figures: dict[str, Fraction]
    counts: Counts | None = None


def _table_mean(table: Table, _: Any) -> FromTable:
    total, n = table.power_sum(1), table.n
    return FromTable(total / n if n else None, {"sum": total, "n": Fraction(n)})


def _table_deviation(table: Table, _: Any) -> FromTable:
    n, first, second = table.n, table.power_sum(1), table.power_sum(2)
    figures = {"sum": first, "sum_of_squares": second, "n": Fraction(n)}
    if n < 2:
        return FromTable(None, figures)
    variance = (n * second - first**2) / (n * (n - 1))
    return FromTable(Fraction(math.sqrt(variance)), figures)


def _table_quantile(table: Table, p: Fraction) -> FromTable:
    n = table.n
    if not n:
        return FromTable(None, {})
    rank = (n - 1) * p
    below = math.floor(rank)
    low, high = table.at(below), table.at(min(below + 1, n - 1))
    figures = {"rank": rank, "low": low, "high": high, "n": Fraction(n)}
    return FromTable(low + (rank - below) * (high - low), figures)


def _table_end(place: int) -> Callable[[Table, Any], FromTable]:
    return lambda table, _: FromTable(table.ordered[place][0] if table.ordered else None, {})


def _table_count(count: Callable[[Table], int]) -> Callable[[Table, Any], FromTable]:
    return lambda table, _: FromTable(Fraction(count(table)), {})


def _table_share(hits: int, whole: int, figures: dict[str, Fraction]) -> FromTable:
    return FromTable(Fraction(hits, whole) if whole else None, figures, (hits, whole))


def _table_at_most(missing_below: bool, missing_counted: bool) -> Callable[[Table, Fraction], FromTable]:
    def share(table: Table, threshold: Fraction) -> FromTable:
        cut = sum(count for cap, count in table.capped.items() if cap <= threshold)
        hits = sum(count for value, count in table.ordered if value <= threshold) - cut
        unknown = table.missing + cut
        whole = table.n - cut + (unknown if missing_counted else 0)
        return _table_share(hits + (unknown if missing_below else 0), whole, {"at_most": threshold})

    return share


FROM_TABLE: dict[str, Callable[[Table, Any], FromTable]] = {
    "table_observed": _table_count(lambda table: table.n),
    "table_missing": _table_count(lambda table: table.missing),
    "table_zeros": _table_count(lambda table: sum(count for value, count in table.ordered if value == 0)),
    "table_saturated": _table_count(lambda table: table.saturated),
    "table_missing_share": lambda table, _: _table_share(table.missing, table.n + table.missing, {}),
    "table_mean": _table_mean,
    "table_deviation": _table_deviation,
    "table_min": _table_end(0),
    "table_max": _table_end(-1),
    "table_quantile": _table_quantile,
    "table_share_observed": _table_at_most(missing_below=False, missing_counted=False),
    "table_share_low": _table_at_most(missing_below=False, missing_counted=True),
    "table_share_high": _table_at_most(missing_below=True, missing_counted=True),
}
OF_SAMPLE = ("table_mean", "table_deviation", "table_min", "table_max", "table_quantile")
OF_TAIL = ("table_mean", "table_deviation", "table_max", "table_quantile")
"""Values that saturated records may have made too small."""
