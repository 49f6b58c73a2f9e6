"""What a sample of recorded values comes to: counts of what is special about them, and order statistics."""

from collections import Counter
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from fractions import Fraction

from generator.stats.moments import FrequencyTable, frequency_table
from generator.stats.parameters import Exactable

QUANTILES: dict[str, Fraction] = {
    "q1": Fraction(1, 4),
    "p50": Fraction(1, 2),
    "q3": Fraction(3, 4),
    **{f"p{percent}": Fraction(percent, 100) for percent in (90, 95, 99)},
}
"""Name → level of the quantiles of a summary."""


@dataclass(frozen=True, slots=True)
class Summary:
    """`n` values and `missing` records without one. `zero` and `saturated` values are among the n, and in all that
    follows. Of no value everything from `minimum` on is None; of one value there is no `deviation`."""

    n: int
    missing: int
    zero: int
    saturated: int
    minimum: Fraction | None
    quantiles: dict[str, Fraction | None]
    maximum: Fraction | None
    mean: Fraction | None
    deviation: float | None


def is_saturated(value: Exactable, caps: Collection[Exactable]) -> bool:
    """Whether a value is one at which the field of its record ends."""
    return value in caps


def summarise(values: Sequence[Exactable | None], saturated: int) -> Summary:
    """The summary of records in any order.

    Parameters
    ----------
    values : sequence of numbers or None
        None is a record without a value: counted, never a zero.
    saturated : int
        How many of the values are known to be cut off. They stay in.

    Returns
    -------
    Summary, exact except for the standard deviation (denominator n − 1), which is the root of an exact variance.

    Source
    ------
    Praxa audit §4.3; quantiles as PostgreSQL's `percentile_cont`.
    """
    table = frequency_table(Counter(values).items())
    return Summary(
        n=table.n,
        missing=table.missing,
        zero=_frequency(table, Fraction(0)),
        saturated=saturated,
        minimum=table.values[0] if table.n else None,
        quantiles={name: table.quantile(level) for name, level in QUANTILES.items()},
        maximum=table.values[-1] if table.n else None,
        mean=table.mean,
        deviation=table.standard_deviation,
    )


def _frequency(table: FrequencyTable, value: Fraction) -> int:
    return table.frequencies[table.values.index(value)] if value in table.values else 0
