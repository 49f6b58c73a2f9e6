"""What is published, under which thresholds."""

import datetime
from typing import Literal

from generator.model.base import Definition, Lang, Text


class Thresholds(Definition, frozen=True, kw_only=True):
    """`alpha`, `beta`, `delta`, `theta`: levels of the tests and of the verdicts, all in (0, 1), δ < θ and α + β < 1.
    `epsilon` is the share of pairs that may violate a relation, at least 0; ε + δ < 1.
    `interval` is how the interval of a proportion is made, and so how its verdict is reached."""

    min_valid_per_group: int = 5
    alpha: float = 0.05
    beta: float = 0.1
    delta: float = 0.1
    theta: float = 0.8
    epsilon: float = 0.05
    interval: Literal["wilson", "clopper_pearson"] = "wilson"


class CoverageSettings(Definition, frozen=True, kw_only=True):
    """`state_scale` is λ: at λ abstract states their coverage is 1 − 1/e. `models` are the models that the batches aim
    at; without them the coverage of models is not known."""

    state_scale: float = 20
    models: list[str] = []


class LeakLengths(Definition, frozen=True, kw_only=True):
    """What the leak scan takes for a secret, in characters without white space: values below `min_characters` are not
    looked for; of values of `passage_characters` or more, a passage of this length is a leak."""

    min_characters: int = 12
    passage_characters: int = 64


class PublishedBatch(Definition, frozen=True, kw_only=True):
    batch: str
    since: datetime.date


class Restatement(Definition, frozen=True, kw_only=True):
    """Why a number that was published has changed, or is gone.

    `number` is the id of a number; `*` in it stands for any characters, where one reason holds for many numbers
    (`ctx-2026-11/*/avg_tokens`). `date` is the day of the publication that brings the change.
    """

    number: str
    date: datetime.date
    reason: Text


INT32_MAX = 2**31 - 1
"""Where a signed 32-bit field ends: a recorded value of it was cut off there."""
TIME_THRESHOLDS_MS = (1_000, 5_000, 30_000, 60_000)
"""Illustrations, not service levels."""


class Publication(Definition, frozen=True, kw_only=True):
    """`time_thresholds_ms` are those of the shares of durations; without them the usual ones, where a duration is
    missing. `time_caps_ms` are values at which a recorder of times ends, besides that of 32-bit integers."""

    title: Text
    summary: Text
    address: str | None = None
    publisher: Text | None = None
    licence: str | None = None
    languages: tuple[Lang, ...] = ("zh", "en")
    published: list[PublishedBatch] = []
    thresholds: Thresholds = Thresholds()
    coverage: CoverageSettings = CoverageSettings()
    box_profile: str | None = None
    restatements: list[Restatement] = []
    canaries: list[str] = []
    leak_scan: LeakLengths = LeakLengths()
    time_thresholds_ms: list[int] = []
    time_caps_ms: list[int] = []

    @property
    def thresholds_ms(self) -> list[int]:
        """The thresholds of the shares of durations, ascending."""
        return sorted(self.time_thresholds_ms) or list(TIME_THRESHOLDS_MS)

    def since(self, batch: str) -> datetime.date | None:
        """The day since which a batch is published."""
        return next((entry.since for entry in self.published if entry.batch == batch), None)
