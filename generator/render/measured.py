"""What stands beside a number because of how it was measured: strata, composition, the score beside the gate."""

from collections.abc import Callable, Mapping
from typing import Any

from markupsafe import Markup

from generator.model.addresses import slice_name, variant_name
from generator.model.box import FACTOR
from generator.model.metrics import GATES, Metric
from generator.model.numbers import Number
from generator.model.profiles import TIME_COLUMNS, Profile
from generator.model.report import BatchReport
from generator.views.number import NumberView
from generator.views.times import Strata, differs_in, strata_of


class MeasuredParts:
    """Of the number pages of one batch. `slice_title` names a slice."""

    def __init__(
        self,
        metrics: Mapping[str, Metric],
        batch: BatchReport,
        slice_title: Callable[[str | None], Markup],
        profile: Profile | None = None,
    ) -> None:
        self._metrics = metrics
        factors = [] if profile is None else profile.factors
        self._factors = {slice_name(FACTOR, factor.name): factor.column in TIME_COLUMNS for factor in factors}
        self._batch = batch
        self._slice_title = slice_title

    def of(self, view: NumberView) -> dict[str, Any]:
        """`strata`: the number whose strata a pooled time does not stand without; `strata_pages` leads from a stratum
        to its own number. `differs`: in what the strata of a difference between times differ."""
        number, metric = view.number, view.metric
        is_whole = number.slice is None or number.slice in self._factors
        is_pooled = self._is_of_times(number, metric) and is_whole and view.compared is None
        is_own = metric.operation == "time_strata_runs"
        found = self._strata(number.variant) if is_pooled or is_own else None
        return {
            "strata": found.number if found is not None and is_pooled else None,
            "strata_pages": {} if found is None else dict(found.pages),
            "differs": self._differs(view),
            "score": self._score(view),
            "categories": self._categories(view),
            "composed": self._composed(number) if view.compared and number.detail else [],
        }

    def _strata(self, variant: str) -> Strata | None:
        return strata_of(self._batch, variant, self._metrics)

    def _is_of_times(self, number: Number, metric: Metric) -> bool:
        """A time, or a number of the box with a time among the factors that it rests on."""
        if (metric.operation or "").startswith("box_"):
            return self._factors.get(number.slice, False) if number.slice else any(self._factors.values())
        return metric.unit == "ms"

    def _differs(self, view: NumberView) -> list[str]:
        """In what the strata differ over which both sides of a difference between times are pooled."""
        if not self._is_of_times(view.number, view.metric):
            return []
        variants = [side.variant for side in view.compared or ()]
        if view.metric.operation == "box_margin":
            variants = view.number.variant.split("-vs-")
        sides = [self._strata(variant) for variant in variants]
        found = {name for side in sides if side is not None for name in differs_in(side.number)}
        return [name for name in ("authority", "event", "censoring") if name in found]

    def _categories(self, view: NumberView) -> list[tuple[Markup, Number]]:
        """The parts of a pooled ratio: its categories with a run, where there are several."""
        if view.metric.aggregate != "proportion":
            return []
        parts = [
            (self._slice_title(other.slice), other)
            for other in view.slices
            if (other.slice or "").startswith("category-") and other.denominator
        ]
        return parts if len(parts) > 1 else []

    def _composed(self, number: Number) -> list[tuple[str, Markup, list[Number]]]:
        """Of each category of a split difference its place in the detail, its name, and the numbers of both sides."""
        detail: dict[str, Any] = number.detail or {}
        sides = [self._batch.numbers[side].variant for side in number.compares or ()]
        found = []
        for name in detail["categories"]:
            own = [self._batch.number(variant_name(side), number.metric, f"category-{name}") for side in sides]
            found.append((name, self._slice_title(f"category-{name}"), [one for one in own if one is not None]))
        return found

    def _score(self, view: NumberView) -> Number | None:
        """The pass rate, which a count of failures does not stand without."""
        if view.metric.operation not in GATES:
            return None
        return self._batch.number(variant_name(view.number.variant), self._batch.experiment.pass_metric)
