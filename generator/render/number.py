"""Number pages. The template holds all HTML; cells of runs and contributions are made once and used on many pages."""

from collections.abc import Callable, Iterator, Mapping
from functools import lru_cache
from typing import Any

import jinja2
from markupsafe import Markup

from generator.model.addresses import (
    difference_variant,
    experiment_page,
    file_name,
    relative,
    result_page,
    run_page,
    statistics_page,
    variant_name,
)
from generator.model.box import BOX_OPERATIONS
from generator.model.claims import Claim
from generator.model.formatting import decimal_text, exact, value_text
from generator.model.metrics import ACCOUNTED, LISTED, TIMES, Metric
from generator.model.numbers import Number
from generator.model.report import BatchReport
from generator.render.contributions import Contributions
from generator.render.escape import foreign
from generator.render.measured import MeasuredParts
from generator.render.names import Names, SliceNames
from generator.render.paging import page_links
from generator.render.pairs import KindTables
from generator.render.quantities import exact_value
from generator.views.number import CELL_COUNTS, Block, NumberView, NumberViews, Part, judged_metric

HERE = "numbers/-/-/number.html"
"""Stands for any number page: a link from here holds on all of them, for they are equally deep."""


class BatchNumbers:
    """The number pages of one batch."""

    def __init__(
        self,
        environment: jinja2.Environment,
        names: Names,
        batch: BatchReport,
        english: str,
        claims: Mapping[str, list[Claim]],
    ) -> None:
        module = environment.get_template("number.html.j2").make_module({"here": HERE, "english": english})
        self._macros: dict[str, Callable[..., Markup]] = vars(module)
        self._names = names
        self._claims = claims
        self._words = names.words
        self._batch = batch
        self._kinds = KindTables(names, batch, HERE)
        self._views = NumberViews(batch, names.metrics, names.profile)
        self._slices = SliceNames(names, batch)
        self._measured = MeasuredParts(names.metrics, batch, self._slices.title, names.profile)
        self._contributions = Contributions(self._macros, names)
        self._rows = {row.run_id: row for row in batch.rows}
        self._run_cells = lru_cache(maxsize=len(batch.rows) or 1)(self._make_run_cells)
        self._definition = lru_cache(maxsize=None)(self._make_definition)
        self._cells: dict[str, Markup] = {}
        self._variant = lru_cache(maxsize=None)(self._make_variant)
        self._factors = [] if names.profile is None else names.profile.factors
        self._features = [(name, names.metric(name)) for name, metric in names.metrics.items() if metric.family]
        baseline = batch.experiment.baseline
        self._pairs = {
            difference_variant(variant.id, baseline): (variant.id, baseline) for variant in batch.experiment.variants
        }

    def pages(self, number: Number) -> Iterator[tuple[str, Markup, Markup]]:
        """Address, title and body of each page of a number."""
        for view in self._views.pages(number):
            yield view.path, self._title(view), self._macros["body"](self._page(view))

    def _title(self, view: NumberView) -> Markup:
        """Plain text in both languages, for the title of the page."""
        number, metric = view.number, view.metric
        value = value_text(exact_value(number), number.unit, metric.decimals, difference=number.compares is not None)
        where = number.variant if number.slice is None else f"{number.variant} · {number.slice}"
        return Markup("{} / {} · {} = {}").format(metric.name.zh, metric.name.en, foreign(where), value)

    def _page(self, view: NumberView) -> dict[str, Any]:
        """What the template needs of a page."""
        return {
            **self._place(view),
            **self._value(view),
            **self._behind(view),
            **self._around(view),
            **self._measured.of(view),
        }

    def _place(self, view: NumberView) -> dict[str, Any]:
        experiment, batch = self._batch.experiment, self._batch.batch
        return {
            "links": page_links(view.page, view.paths, HERE),
            "page": view.page,
            "pages": len(view.paths),
            "experiment": experiment.title,
            "experiment_page": experiment_page(experiment.id),
            "result_page": result_page(experiment.id, batch.id),
            "statistics_page": statistics_page(experiment.id, batch.id),
            "batch": batch.id,
            "metric_name": self._names.metric(view.metric.id),
            "variant": self._variant(view.number.variant),
            "slice": self._slices.title(view.number.slice),
        }

    def _value(self, view: NumberView) -> dict[str, Any]:
        number, metric = view.number, view.metric
        return {
            "number": number,
            "metric": metric,
            "kind": _kind(view),
            "factors": [(factor, self._names.factor(factor.name)) for factor in self._factors],
            "reason": None if number.reason is None else self._names.code("reasons", number.reason),
            "level": None if number.interval is None else _percent(number.interval.level),
            "definition": self._definition(metric.id),
            "ranks": view.ranks,
            "p": None if metric.p is None else str(metric.p),
            "features": self._features,
            "mutants": self._kinds.mutants(number) if metric.operation == "mutation_score" else [],
            "pairs": self._kinds.pairs(number) if metric.operation == "violation_rate" else [],
            "runs_of": self._runs_of(number) if metric.aggregate == "derived" else [],
        }

    def _behind(self, view: NumberView) -> dict[str, Any]:
        metric = view.metric
        judged_by = judged_metric(metric, self._names.metrics, self._batch.experiment.pass_metric)
        return {
            "parts": self._parts(view),
            "first": relative(view.paths[0], HERE) if view.page > 1 else "",
            "compared": self._compared(view),
            "cases": view.cases,
            "counts_cells": metric.id in CELL_COUNTS and view.compared is None,
            "cells": [(cell, None if cell.run_id is None else self._run_href(cell.run_id)) for cell in view.cells],
            "counts_runs": bool(view.parts),
            "counted": [self._block(block, judged_by) for block in view.counted],
            "excluded": [self._block(block, judged_by) for block in view.excluded],
        }

    def _around(self, view: NumberView) -> dict[str, Any]:
        number, experiment = view.number, self._batch.experiment
        is_main = number.metric in (experiment.main_metrics or [experiment.pass_metric])
        return {
            "whole": [] if view.whole is None else [self._by_variant(view.whole)],
            "siblings": [self._by_variant(other) for other in view.siblings],
            "slices": [(self._slices.title(other.slice), self._cell(other)) for other in view.slices],
            "differences": [self._by_variant(other) for other in view.differences],
            "on_result": view.metric.operation in (*TIMES, *LISTED, *ACCOUNTED),
            "on_home": is_main and number.slice is None and not view.compared,
            "claims": self._claims.get(number.id, []),
            "runset_json": _runset_json(number),
            "json": f"api/v1/numbers/{file_name(number.batch)}.json",
        }

    def _runs_of(self, number: Number) -> list[tuple[Markup, Markup]]:
        """Of each variant that a derived number is made of, the number that lists its valid runs."""
        own = self._kinds.variants(number) or self._pairs.get(number.variant, (number.variant,))
        listed = (self._batch.number(variant_name(variant), "runs_valid") for variant in own)
        return [self._by_variant(other) for other in listed if other is not None]

    def _by_variant(self, number: Number) -> tuple[Markup, Markup]:
        return self._variant(number.variant), self._cell(number)

    def _cell(self, number: Number) -> Markup:
        found = self._cells.get(number.id)
        if found is None:
            found = self._cells[number.id] = self._macros["number_cell"](number)
        return found

    def _make_definition(self, metric_id: str) -> Markup:
        metric = self._names.metrics[metric_id]
        return self._macros["definition"](metric, _contract(metric))

    def _parts(self, view: NumberView) -> list[tuple[Markup, str, str]]:
        """Name, `data-part` and link of each count."""
        number = view.number
        if number.denominator is None:
            return []
        if view.metric.aggregate == "derived" and not view.parts:
            is_missing = number.missing is not None and number.missing.count
            names = ["denominator", *(["missing"] if is_missing else [])]
            names = names if number.numerator is None else ["numerator", *names]
            return [(self._words.both(f"number.part_names.{name}"), name, "#decision") for name in names]
        href = {part.part: _part_href(part, view) for part in view.parts}
        total = [] if "denominator" in href else [self._total(view)]
        counted = [part for part in view.parts if part.counted and part.part != "counted"]
        excluded = [part for part in view.parts if not part.counted]

        def shown(part: Part) -> tuple[Markup, str, str]:
            return self._part_name(part), part.part, href[part.part]

        return [*map(shown, counted), *total, *map(shown, excluded)]

    def _total(self, view: NumberView) -> tuple[Markup, str, str]:
        of_cases = view.metric.aggregate == "pass_hat"
        name = self._words.both(f"number.part_names.{'cases' if of_cases else 'denominator'}")
        return name, "denominator", _on_first_page(view, "#cases" if of_cases and view.cases else "#denominator")

    def _part_name(self, part: Part) -> Markup:
        if part.part.startswith("excluded:"):
            _, kind, reason = part.part.split(":", 2)
            colon = self._words.both("common.colon")
            return Markup("{}{}{}").format(self._names.code("common", kind), colon, self._names.code("reasons", reason))
        name = "sample" if part.part == "denominator" else part.part
        return self._words.both(f"number.part_names.{name}")

    def _block(self, block: Block, metric: Metric) -> dict[str, Any]:
        contributed = self._contributions.of
        return {
            "name": self._part_name(block.part),
            "anchor": _anchor(block.part) if block.begins else None,
            "rows": [(self._run_cells(entry.run_id), contributed(entry, metric)) for entry in block.entries],
        }

    def _make_run_cells(self, run_id: str) -> Markup:
        row = self._rows[run_id]
        state = self._names.code("states", row.state)
        href = self._run_href(run_id)
        return self._macros["run_cells"](run_id, href, row.case_id, row.repeat_index, state)

    def _run_href(self, run_id: str) -> str:
        return relative(run_page(self._batch.batch.id, run_id), HERE)

    def _make_variant(self, group: str) -> Markup:
        """Id and name; of a difference those of both sides."""
        if group in self._pairs:
            own, base = self._pairs[group]
            return Markup("{} − {}").format(self._names.variant(own), self._names.variant(base))
        return self._names.variant(group)

    def _compared(self, view: NumberView) -> list[tuple[str, Markup, Number]]:
        sides = zip(("variant", "baseline"), view.compared or (), strict=False)
        return [(side, self._variant(number.variant), number) for side, number in sides]


def _kind(view: NumberView) -> str:
    """What decides how a page tells of a number."""
    if view.compared:
        return "difference"
    return "box" if view.metric.operation in BOX_OPERATIONS else view.metric.aggregate


def _part_href(part: Part, view: NumberView) -> str:
    """To the rows of a part, on whichever page they begin; to the heading where there are none."""
    if part.count == 0:
        return _on_first_page(view, "#denominator" if part.counted else "#excluded")
    anchor = f"#{_anchor(part)}"
    return anchor if part.page == view.page else relative(view.paths[part.page - 1], HERE) + anchor


def _on_first_page(view: NumberView, anchor: str) -> str:
    return anchor if view.page == 1 else relative(view.paths[0], HERE) + anchor


def _anchor(part: Part) -> str:
    """The heading of all counted runs is `denominator`, so a sample's rows have another name."""
    return "sample" if part.part == "denominator" else part.anchor


def _runset_json(number: Number) -> str | None:
    if number.runset is None:
        return None
    return f"api/v1/runsets/{file_name(number.batch)}/{number.runset.removeprefix('rs-')[0]}.json"


def _contract(metric: Metric) -> list[tuple[str, Any]]:
    contract = metric.contract
    return [] if contract is None else [(name, getattr(contract, name)) for name in contract.__struct_fields__]


def _percent(level: float) -> str:
    percent = exact(level) * 100
    return f"{decimal_text(percent, 0 if percent.denominator == 1 else 1)}%"
