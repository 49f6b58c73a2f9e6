"""What a run contributed to a number, in words; the same words for all runs that contributed the same."""

from collections.abc import Callable
from functools import lru_cache

import msgspec
from markupsafe import Markup

from generator.model.assertions import Attribution, Outcome
from generator.model.formatting import decimal_text, exact, value_text
from generator.model.metrics import Metric
from generator.render.escape import foreign
from generator.render.names import Names
from generator.render.outcomes import NOT_JUDGED, Verdict, verdict
from generator.views.number import Entry

_CACHED = 8192
_ABSENT = Verdict("soft", "none", "common.missing")


class Contributions:
    """Cells of the column that says what a run contributed, and why."""

    def __init__(self, macros: dict[str, Callable[..., Markup]], names: Names) -> None:
        self._macro = macros["contribution"]
        self._names = names
        self._made = lru_cache(maxsize=_CACHED)(self._make)

    def of(self, entry: Entry, metric: Metric) -> Markup:
        """`metric` is the one whose assertion counts."""
        causes = msgspec.json.encode(entry.causes) if entry.causes else b""
        return self._made(metric.id, entry.outcome, entry.value, entry.reason, causes, entry.defines)

    def _make(
        self,
        metric_id: str,
        outcome: Outcome | None,
        value: int | float | None,
        reason: str | None,
        causes: bytes,
        defines: bool,
    ) -> Markup:
        names = self._names
        metric = names.metrics[metric_id]
        shown = _verdict(outcome, value, metric)
        attributions = msgspec.json.decode(causes, type=list[Attribution]) if causes else []
        return self._macro(
            shown.tone,
            shown.shape,
            names.words.both(shown.word),
            None if value is None else own_value(value, metric),
            None if value is None or metric.unit in ("ratio", "usd") else names.code("common.unit", metric.unit),
            defines,
            None if reason is None else names.code("reasons", reason),
            [(self._layer(cause.layer), [foreign(entry) for entry in cause.entries]) for cause in attributions],
        )

    def _layer(self, layer: str) -> Markup:
        return self._names.metric(layer) if layer in self._names.metrics else self._names.code("evidence.layer", layer)


def _verdict(outcome: Outcome | None, value: int | float | None, metric: Metric) -> Verdict:
    if outcome is None:
        return NOT_JUDGED
    if outcome == "value" and value is None:
        return _ABSENT
    return verdict(outcome, metric.direction)


def own_value(value: int | float, metric: Metric) -> str:
    """A single run's own value, with all the digits it was recorded with."""
    recorded = exact(value)
    decimals = 0
    while (recorded * 10**decimals).denominator != 1:
        decimals += 1
    return value_text(recorded, metric.unit, decimals) if metric.unit != "ratio" else decimal_text(recorded, decimals)
