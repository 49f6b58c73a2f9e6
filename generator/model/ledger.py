"""The ledger of published numbers: `published/<batch>.json` in a source, written by `runcite record`."""

import datetime

import msgspec

LEDGER_FOLDER = "published"


class Figures(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What readers saw of a number: a change of any of these is a change of the number."""

    value: int | float | None
    numerator: int | None
    denominator: int | None

    def __str__(self) -> str:
        """As the API writes them: `0.8 (8/10)`, `1500 (n 11)`, `none`."""
        value = "no value" if self.value is None else str(self.value)
        if self.denominator is None:
            return value
        counts = f"n {self.denominator}" if self.numerator is None else f"{self.numerator}/{self.denominator}"
        return f"{value} ({counts})"


class EarlierFigures(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Figures that held until the restatement of that day."""

    restated: datetime.date
    figures: Figures


class LedgerEntry(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A number as it was last recorded.

    `runset` is the name of its run set, a digest of the ids; `since` the day since which its batch is published;
    `earlier` holds the figures before each restatement, oldest first. `profile` is the stamp of the box profile that
    the number was made with; None for all others.
    """

    since: datetime.date | None
    metric_version: int
    runset: str | None
    figures: Figures
    earlier: list[EarlierFigures] = []
    profile: str | None = None


class Ledger(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One file: the numbers of one batch, by id."""

    batch: str
    numbers: dict[str, LedgerEntry]
