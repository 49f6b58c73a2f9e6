"""What is known of a share when some records are missing, without a guess about them."""

from dataclasses import dataclass
from fractions import Fraction

from generator.stats.parameters import check_counts
from generator.stats.ratios import ratio


@dataclass(frozen=True, slots=True)
class MissingnessBounds:
    """`low`: no missing record counts; `high`: all of them do; `observed_only`: the missing are left out. None where
    there is nothing to divide by. `width` = high − low, the share that is missing."""

    total: int
    low: Fraction | None
    high: Fraction | None
    observed_only: Fraction | None

    @property
    def width(self) -> Fraction | None:
        return None if self.low is None or self.high is None else self.high - self.low


def missingness_bounds(count: int, observed: int, missing: int) -> MissingnessBounds:
    """Bounds of the share of records that satisfy something, for example a duration of at most 30 s.

    Parameters
    ----------
    count, observed : int
        Records that satisfy it, of those observed; 0 ≤ count ≤ observed.
    missing : int
        Records without a value, ≥ 0.

    Returns
    -------
    MissingnessBounds: count/(observed + missing), (count + missing)/(observed + missing), count/observed.

    Raises
    ------
    ValueError
        count outside [0, observed], or missing below 0.

    Source
    ------
    Manski (1989), worst-case bounds; Praxa audit §4.3.
    """
    check_counts(count, observed, "count", "observed")
    if missing < 0:
        raise ValueError(f"missing must not be negative, got {missing}")
    total = observed + missing
    return MissingnessBounds(total, ratio(count, total), ratio(count + missing, total), ratio(count, observed))
