"""What is published, under which thresholds."""

import datetime

from generator.model.base import Definition, Lang, Text


class Thresholds(Definition, frozen=True, kw_only=True):
    """`alpha`, `beta`, `delta`, `theta`: levels of the tests and of the verdicts, all in (0, 1)."""

    min_valid_per_group: int = 5
    alpha: float = 0.05
    beta: float = 0.1
    delta: float = 0.1
    theta: float = 0.8


class PublishedBatch(Definition, frozen=True, kw_only=True):
    batch: str
    since: datetime.date


class Restatement(Definition, frozen=True, kw_only=True):
    """Why a number that was published has changed."""

    number: str
    date: datetime.date
    reason: Text


class Publication(Definition, frozen=True, kw_only=True):
    title: Text
    summary: Text
    address: str | None = None
    publisher: Text | None = None
    licence: str | None = None
    languages: tuple[Lang, ...] = ("zh", "en")
    published: list[PublishedBatch] = []
    thresholds: Thresholds = Thresholds()
    box_profile: str | None = None
    restatements: list[Restatement] = []
