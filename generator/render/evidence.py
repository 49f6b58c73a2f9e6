"""Evidence pages. The template holds all HTML; this module decides which of its blocks can be shared by many runs."""

from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache
from typing import Any

import jinja2
import msgspec
from markupsafe import Markup

from generator.model.addresses import file_name, result_page, run_list_page, run_page
from generator.model.assertions import Assertion, Attribution
from generator.model.base import Json
from generator.model.box import shown
from generator.model.evidence import Evidence
from generator.model.metrics import PAIRED, Metric
from generator.model.numbers import Number
from generator.model.rows import RunRow
from generator.render.answer import answer_block
from generator.render.box_block import box_block
from generator.render.compared_block import compared_block
from generator.render.escape import foreign
from generator.render.json_text import detail_texts, leaf_texts
from generator.render.names import Names
from generator.render.outcomes import Verdict, verdict
from generator.render.shell import SharedBlocks
from generator.render.trace import TraceBlocks
from generator.views.compared import Compared
from generator.views.evidence import CaseRun, RunContext, SameCase

_CACHED_ROWS = 4096
_LEFT_OUT = ("missing_required_count",)
_SHOWN_ZEROS = ("total", "reward")
_CODED = ("event", "authority", "censored")
_ROWS_OF_THEIR_OWN = ("within-", "factor-")
"""Slices that one metric alone has: columns of theirs would be empty but for one cell."""


class RunBlocks(msgspec.Struct, frozen=True):
    """What `body` of the template sets in; all HTML."""

    id: Markup
    crumbs: Markup
    state: Markup
    validity: Markup
    reason: Markup | None
    neighbours: Markup
    setting: Markup
    mode: Markup
    prompt: Markup
    config: Markup
    assertions: Markup
    causes: Markup
    box: Markup
    steps: Markup
    answer: Markup
    telemetry: Markup
    same_case: Markup
    compared: Markup
    numbers: Markup
    json: str
    source_hash: str
    follows: str | None


class BatchEvidence:
    """The evidence pages of one batch, which all stand in one folder: links in shared blocks hold for every run."""

    def __init__(self, environment: jinja2.Environment, names: Names, english: str) -> None:
        self._names = names
        self._words = names.words
        self._batch = names.batch
        self._metrics = names.metrics
        self._here = run_page(names.batch.id, "run")
        module = environment.get_template("evidence.html.j2").make_module(
            {"here": self._here, "english": english, "shown_value": shown}
        )
        self._macros: dict[str, Callable[..., Markup]] = vars(module)
        cached = lru_cache(maxsize=_CACHED_ROWS)
        self._crumbs = cached(self._make_crumbs)
        self._setting = cached(self._make_setting)
        self._assertion_row = cached(self._make_assertion_row)
        self._config = cached(self._make_config)
        self._label = cached(self._make_label)
        self._named = names.code
        self.shared = SharedBlocks()
        self._trace = TraceBlocks(self._macros, names)
        self._numbers: dict[int, Markup] = {}
        self._cells: dict[str, Markup] = {}
        self._same: dict[tuple[str, int], str] = {}

    def body(self, evidence: Evidence, row: RunRow, context: RunContext, compared: Sequence[Compared] = ()) -> Markup:
        """The body of one page, with markers of `shared` blocks."""
        macros = self._macros
        setting, prompt = self._setting(evidence.variant, evidence.case_id, evidence.category)
        blocks = RunBlocks(
            macros["id"](evidence.run_id),
            self._crumbs(evidence.variant),
            self._named("states", evidence.state),
            self._named("common", evidence.validity),
            None if evidence.reason is None else self._named("reasons", evidence.reason),
            macros["neighbours"](_page(context.previous), _page(context.next)),
            setting,
            self._named("evidence.modes", evidence.mode),
            prompt,
            self._config(msgspec.json.encode(evidence.config), evidence.source.config_hash_recomputable),
            self._assertions(evidence.assertions),
            _joined([self._cause(cause) for cause in evidence.attribution]),
            box_block(context.box, macros, self._names),
            self._trace.steps(evidence.trace or []),
            answer_block(evidence, macros, self._words),
            self._facts(evidence.telemetry),
            self._same_case(context, evidence),
            compared_block(compared, evidence, macros),
            self._number_table(context),
            file_name(evidence.run_id) + ".json",
            _prefixed(evidence.source.sha256),
            self._followed(evidence),
        )
        return macros["body"](blocks, evidence, row)

    def _followed(self, evidence: Evidence) -> str | None:
        """The page of the run that this one follows, where validation found it in the batch."""
        is_there = evidence.source_run_id is not None and self._names.experiment.kind != "comparison"
        return f"./{file_name(evidence.source_run_id or '')}.html" if is_there else None

    # Blocks that runs share.

    def _make_crumbs(self, variant: str) -> Markup:
        batch = self._batch
        result, runs = result_page(batch.experiment, batch.id), run_list_page(batch.id, variant, 1)
        return self.shared.keep(self._macros["crumbs"](batch.id, variant, result, runs))

    def _make_setting(self, variant: str, case_id: str, category: str) -> tuple[Markup, Markup]:
        names, macros = self._names, self._macros
        case = names.case(case_id)
        setting = macros["setting"](names.variant(variant), case_id, case, names.category(category))
        prompt = Markup() if case is None or case.prompt is None else macros["prompt"](case.prompt)
        return self.shared.keep(setting), self.shared.keep(prompt)

    def _make_config(self, encoded: bytes, recomputable: bool) -> Markup:
        config = msgspec.json.decode(encoded)
        requested = dict(leaf_texts(config.get("requested", {})))
        effective = dict(leaf_texts(config.get("effective", {})))
        paths = list(effective) + [path for path in requested if path not in effective]
        rows = [(path, effective.get(path, ""), requested.get(path, effective.get(path, ""))) for path in paths]
        differs = any(asked != had for _, had, asked in rows)
        return self.shared.keep(self._macros["config"](rows, differs, recomputable)) if rows else Markup()

    def _number_table(self, context: RunContext) -> Markup:
        found = self._numbers.get(context.signature)
        if found is None:
            slices: dict[str | None, None] = {}
            cells: dict[tuple[Markup, str | None], dict[str | None, Markup]] = {}
            for number in context.numbers:
                pair = number.variant if self._metrics[number.metric].operation in PAIRED else None
                name, column = self._names.metric(number.metric), number.slice
                if column is not None and column.startswith(_ROWS_OF_THEIR_OWN):
                    name, column = Markup("{} · {}").format(name, self._names.slice_kind(column)), None
                slices.setdefault(column)
                cells.setdefault((name, pair), {})[column] = self._number_cell(number)
            rows = [(name, pair, [by_slice.get(it) for it in slices]) for (name, pair), by_slice in cells.items()]
            columns = [self._names.slice_kind(slice_) for slice_ in slices]
            found = self._numbers[context.signature] = self.shared.keep(self._macros["numbers"](rows, columns))
        return found

    def _number_cell(self, number: Number) -> Markup:
        found = self._cells.get(number.id)
        if found is None:
            found = self._cells[number.id] = self._macros["number_cell"](number)
        return found

    def _same_case(self, context: RunContext, evidence: Evidence) -> Markup:
        same = context.same_case
        key = (same.case_id, same.first)
        found = self._same.get(key)
        if found is None:
            found = self._same[key] = str(self._make_same_case(same, context.pass_metric))
        here = f'href="{_page(evidence.run_id)}"'
        return Markup(found.replace(here, here + ' aria-current="page"', 1))

    def _make_same_case(self, same: SameCase, pass_metric: str) -> Markup:
        repeats = range(same.first, same.first + same.count)
        metric = self._metrics[pass_metric]
        rows = [
            (variant, [self._case_cell(same.runs.get((variant, repeat)), metric) for repeat in repeats])
            for variant in same.variants
        ]
        caption = self._words.both("evidence.same_case_caption", metric=metric.name)
        return self._macros["same_case"](same, caption, rows, repeats)

    def _case_cell(self, run: CaseRun | None, metric: Metric) -> dict[str, object] | None:
        if run is None:
            return None
        if run.outcome is None:
            shown = Verdict("open", "out", f"states.{run.state}")
        else:
            shown = verdict(run.outcome, metric.direction)
        return {
            "href": _page(run.run_id),
            "tone": shown.tone,
            "shape": shown.shape,
            "word": self._words.both(shown.word),
        }

    # Assertions.

    def _assertions(self, assertions: dict[str, Assertion]) -> Markup:
        return _joined(
            [
                self._assertion_row(
                    metric,
                    assertion.outcome,
                    assertion.value,
                    assertion.reason,
                    # A measurement's detail stands under telemetry.
                    msgspec.json.encode(assertion.detail) if assertion.outcome != "value" else b"",
                )
                for metric, assertion in assertions.items()
                if self._metrics[metric].family is None
            ]
            + [self._features(assertions)]
        )

    def _features(self, assertions: dict[str, Assertion]) -> Markup:
        """One row for all features of behaviour, to stay small on every page."""
        values = [
            (self._names.metric(name), "–" if assertion.value is None else assertion.value)
            for name, assertion in assertions.items()
            if self._metrics[name].family is not None
        ]
        return self._macros["features"](values) if values else Markup()

    def _make_assertion_row(
        self, metric_id: str, outcome: Any, value: int | float | None, reason: str | None, detail: bytes
    ) -> Markup:
        metric = self._metrics[metric_id]
        shown = verdict(outcome, metric.direction)
        details = list(self._details(msgspec.json.decode(detail))) if detail else []
        unit = None if value is None or metric.unit == "ratio" else self._named("common.unit", metric.unit)
        return self._macros["assertion"](
            self._names.metric(metric_id),
            shown.tone,
            shown.shape,
            self._words.both(shown.word),
            value,
            unit,
            None if reason is None else self._named("reasons", reason),
            details,
        )

    def _details(self, detail: dict[str, Any]) -> Iterator[tuple[Markup, list[Markup]]]:
        """What decides an assertion, without what is empty or zero."""
        for key, value in detail.items():
            if key in _LEFT_OUT or not (value or key in _SHOWN_ZEROS):
                continue
            yield self._words.label("evidence.detail_names", key), [foreign(text) for text in detail_texts(value)]

    def _cause(self, cause: Attribution) -> Markup:
        layer = cause.layer
        name = self._names.metric(layer) if layer in self._metrics else self._named("evidence.layer", layer)
        metric = Markup() if layer == cause.metric else self._names.metric(cause.metric)
        return self._macros["cause"](name, metric, [foreign(entry) for entry in cause.entries])

    def _facts(self, telemetry: dict[str, Json]) -> Markup:
        facts = []
        for path, text in leaf_texts(telemetry):
            label, is_time, coded = self._label(path)
            coded_as = path if coded else "evidence.boolean" if text in ("true", "false") else None
            facts.append((label, is_time, foreign(text), None if coded_as is None else self._meaning(coded_as, text)))
        return self._macros["facts"](facts) if facts else Markup()

    def _make_label(self, path: str) -> tuple[Markup, bool, bool]:
        """Name of a field, whether it holds a time, and whether a code."""
        field = path.rpartition(".")[2]
        return self._named("evidence.field_names", path), field.endswith("_at"), field in _CODED

    def _meaning(self, path: str, text: str) -> Markup | None:
        """What a code says; None for an unknown one."""
        key = f"evidence.{path.rpartition('.')[2]}.{text}"
        return self._words.both(key) if self._words.has(key) else None


def _joined(pieces: list[Markup]) -> Markup:
    return Markup("".join(pieces))


def _page(run_id: str | None) -> str | None:
    """From one evidence page of a batch to another."""
    return None if run_id is None else file_name(run_id) + ".html"


def _prefixed(digest: str) -> str:
    return digest if digest.startswith("sha256:") else f"sha256:{digest}"
