import hashlib
from collections.abc import Sequence
from typing import TypeVar, cast

import msgspec
import pytest

from generator.model.base import Json, Text
from generator.model.experiments import AcceptedDifference
from generator.model.json_leaves import Keys, leaves
from generator.model.numbers import Interval, Number
from generator.model.report import Accounting
from generator.model.rows import UNPUBLISHED as UNPUBLISHED_PATHS
from generator.model.rows import ConfigSeen, PublishedConfig
from generator.project.configuration import make_config_projection
from generator.project.redact import Redactor
from generator.views.comparability import Difference, comparability
from generator.views.configuration import ABSENT_VALUE, WITHHELD, ShownValue
from generator.views.failures import EXAMPLES, examples, failure_layers
from generator.views.frame import Cell, metric_row, shown_variants
from generator.views.matrix import case_matrix, cell_level
from generator.views.result import (
    AccountingRow,
    BarPart,
    Ended,
    accounting_bar,
    accounting_rows,
    citation,
    ended_kinds,
    metric_rows,
    result_view,
)
from tests.support.small_source import PLOT
from tests.views.reports import small_batch, small_report, with_experiment

T = TypeVar("T")


def _context(key: str, kind: type[T]) -> list[T]:
    view = result_view(small_report(), small_batch(), [], "en")
    return cast(list[T], view.context[key])


def test_accounting_has_the_parts_and_reasons_of_every_variant() -> None:
    full, budgeted = _context("accounting", AccountingRow)
    assert {name: number and number.value for name, number in full.numbers.items()} == {
        "planned": 12,
        "valid": 11,
        "complete": 10,
        "failed": 1,
        "invalid": 0,
        "cancelled": 1,
        "skipped": 0,
    }
    assert full.reasons == {"invalid": [], "cancelled": ["cancelled:stopped_by_operator"]}
    assert budgeted.reasons == {"invalid": ["invalid:rate_limited"], "cancelled": []}
    assert budgeted.skipped == {"token_budget_reached": 1}


def test_reasons_of_all_variants_are_listed_once() -> None:
    assert ended_kinds(accounting_rows(small_batch())) == [
        Ended("invalid", "rate_limited"),
        Ended("cancelled", "stopped_by_operator"),
        Ended("skipped", "token_budget_reached"),
    ]


def test_the_bar_is_as_long_as_the_plan() -> None:
    counted = Accounting(planned=8, complete=4, failed=2, valid=6, invalid={"a": 1}, cancelled={}, skipped={"b": 1})
    assert accounting_bar(counted) == [
        BarPart("complete", 0.0, 50.0),
        BarPart("failed", 50.0, 25.0),
        BarPart("invalid", 75.0, 12.5),
        BarPart("skipped", 87.5, 12.5),
    ]
    assert accounting_bar(msgspec.structs.replace(counted, planned=0)) == []


def test_the_main_table_follows_the_metric_table_and_leaves_out_counts() -> None:
    metrics = small_report().source.metrics.metrics
    rows = metric_rows(small_batch(), metrics)
    shown = [row.metric.id for row in rows]
    of_some_run = [row.metric.id for row in rows if row.applies]
    assert shown[: len(of_some_run)] == [metric.id for metric in metrics if metric.id in of_some_run]
    # What applies to no run comes last.
    assert shown[len(of_some_run) :] == ["task_pass_rate"]
    assert "runs_valid" not in shown
    assert "call_relation_pass_rate" in shown


def test_a_metric_that_applies_to_no_run_says_so_once() -> None:
    rows = {row.metric.id: row for row in metric_rows(small_batch(), small_report().source.metrics.metrics)}
    assert not rows["task_pass_rate"].applies
    assert rows["task_pass_rate"].shared_reason == "not_applicable_to_any_run"
    assert rows["call_relation_pass_rate"].applies


def test_differences_stand_with_the_variant_and_never_with_the_baseline() -> None:
    report = small_report()
    row = metric_row(small_batch(), report.source.metrics.metric("call_relation_pass_rate"))
    baseline, other = row.cells
    assert baseline.difference is None
    assert other.difference is not None
    assert other.difference.id == "ctx-small/budgeted-vs-full/call_relation_pass_rate"
    assert other.difference.value == pytest.approx(8 / 10 - 8 / 11)


def _cell(interval: Interval | None) -> Cell:
    batch = small_batch()
    number = batch.number("budgeted", "call_relation_pass_rate")
    difference = batch.number("budgeted-vs-full", "call_relation_pass_rate")
    assert number is not None
    assert difference is not None
    return Cell(shown_variants(batch)[1], number, msgspec.structs.replace(difference, interval=interval))


@pytest.mark.parametrize(
    ("low", "high", "settled"), [(-0.1, 0.2, False), (0.0, 0.2, False), (-0.2, 0.0, False), (0.01, 0.2, True)]
)
def test_a_direction_is_settled_when_the_interval_leaves_out_zero(low: float, high: float, settled: bool) -> None:
    assert _cell(Interval(method="newcombe", level=0.95, low=low, high=high)).settled is settled


def test_without_an_interval_nothing_is_said_of_the_direction() -> None:
    assert _cell(None).settled is None


def test_the_matrix_counts_every_cell_of_the_plot() -> None:
    misses = {"wrong_tool", "forbidden", "failed"}
    outside = {"invalid", "cancelled", "skipped"}
    groups = case_matrix(small_report(), small_batch())
    assert [group.category for group in groups] == ["basic", "safety"]
    found = {
        (variant, row.case_id): cell.number and (cell.number.numerator, cell.number.denominator)
        for group in groups
        for row in group.rows
        for variant, cell in zip(("full", "budgeted"), row.cells, strict=True)
    }
    for (variant, case), plots in PLOT.items():
        judged = [plot for plot in plots if plot not in outside]
        assert found[variant, case] == (sum(plot not in misses for plot in judged), len(judged))


def test_rows_with_a_failure_are_found_at_a_glance() -> None:
    rows = {row.case_id: row for group in case_matrix(small_report(), small_batch()) for row in group.rows}
    assert not rows["basic-01"].has_failure
    assert rows["basic-02"].has_failure
    assert [cell.level for cell in rows["basic-01"].cells] == ["all", "all"]
    assert [cell.level for cell in rows["basic-02"].cells] == ["some", "some"]


def test_levels_of_a_cell() -> None:
    number = small_batch().number("full", "call_relation_pass_rate")

    def level(numerator: int | None, denominator: int | None) -> str:
        assert number is not None
        return cell_level(msgspec.structs.replace(number, numerator=numerator, denominator=denominator))

    assert [level(3, 3), level(1, 3), level(0, 3), level(0, 0), level(None, None)] == [
        "all",
        "some",
        "none",
        "open",
        "open",
    ]
    assert cell_level(None) == "open"


def _ids(rows: Sequence[object]) -> list[str]:
    return [cast(str, getattr(row, "run_id", "")) for row in rows]


def test_failures_list_their_runs_by_layer_and_entry() -> None:
    (layer,) = failure_layers(small_batch())
    assert (layer.layer, layer.metric, layer.more) == ("required_call", "call_relation_pass_rate", False)
    (entry,) = layer.entries
    assert entry.entry == "A"
    assert [len(found.shown) for found in entry.by_variant] == [3, 2]
    assert all(_ids(found.shown) == sorted(_ids(found.shown)) for found in entry.by_variant)


def test_examples_are_the_first_by_run_id_of_both_kinds() -> None:
    batch = small_batch()
    for entry in examples(batch):
        own = [row for row in batch.rows if row.variant == entry.variant.id]
        hits = sorted(row.run_id for row in own if _outcome(row.assertions) == "hit")
        misses = sorted(row.run_id for row in own if _outcome(row.assertions) == "miss")
        assert _ids(entry.successes) == hits[:EXAMPLES]
        assert _ids(entry.failures) == misses[:EXAMPLES]


def _outcome(assertions: object) -> str | None:
    judged = cast(dict[str, object], assertions).get("call_relation_pass_rate")
    return None if judged is None else cast(str, getattr(judged, "outcome", None))


def _seen(variant: str, effective: dict[str, Json], *public: Keys) -> ConfigSeen:
    """`public` are the leaves that are shown as they are; all others are withheld."""
    found = dict(leaves(effective))
    return ConfigSeen(
        variant=variant,
        config_hash=f"sha256:{variant}",
        effective=effective,
        first_run="r",
        first_line=1,
        published=PublishedConfig(
            {keys: value for keys, value in found.items() if keys in public},
            {keys: "name" for keys in found if keys not in public},
        ),
    )


def _compared(*configs: ConfigSeen, accepted: tuple[str, ...] = ()) -> list[Difference]:
    reason = Text(zh="不可避免", en="cannot be avoided")
    experiment = msgspec.structs.replace(
        small_batch().experiment,
        accepted_differences=[AcceptedDifference(path=path, reason=reason) for path in accepted],
    )
    report = with_experiment(small_report(), experiment)
    batch = msgspec.structs.replace(report.batches[0], configs=list(configs))
    return comparability(report, batch).differences


def _values(*words: str) -> list[list[ShownValue]]:
    return [[ShownValue("value", text)] for text in words]


def test_only_the_independent_variable_differs() -> None:
    (difference,) = comparability(small_report(), small_batch()).differences
    assert (difference.path, difference.role) == (small_batch().experiment.independent_variable, "independent")
    assert difference.values == _values("full", "budgeted")


def test_other_differences_are_told_apart_and_withheld_ones_have_no_name() -> None:
    found = _compared(
        _seen("full", {"model": "a", "secret": {"key": "k1", "more": 1}, "same": 1}, ("model",)),
        _seen("budgeted", {"model": "b", "secret": {"key": "k2"}, "same": 1}, ("model",)),
        accepted=("model",),
    )
    assert [(d.path, d.role, d.values) for d in found] == [
        ("model", "accepted", _values("a", "b")),
        (None, "other", [[WITHHELD], [WITHHELD]]),
    ]


def test_withheld_names_end_with_the_path_that_the_template_names() -> None:
    found = _compared(
        _seen("full", {"model": {"key": "k1"}, "user": "u1", "context": {"strategy": {"x": 1}}}),
        _seen("budgeted", {"model": {"key": "k2"}, "user": "u2", "context": {"strategy": {"x": 2}}}),
        accepted=("model", "user"),
    )
    assert [(d.path, d.role) for d in found] == [
        ("context.strategy.*", "independent"),
        ("model.*", "accepted"),
        ("user", "accepted"),
    ]


def test_values_differ_as_json_does_and_not_as_they_are_shown() -> None:
    start = "x" * 200
    public: tuple[Keys, ...] = (("text",), ("list",), ("one",), ("same",))
    found = _compared(
        _seen("full", {"text": start + "a", "list": ["a", "b"], "one": 1, "same": 1}, *public),
        _seen("budgeted", {"text": start + "b", "list": ["b", "a", "b"], "one": "1", "same": 1.0}, *public),
    )
    assert [d.path for d in found] == ["list", "one", "text"]
    assert found[0].values == _values("[a, b]", "[b, a, b]")
    assert found[1].values == _values("1", '"1"')


def test_withheld_texts_of_one_beginning_differ_by_their_hashes() -> None:
    policy = "The customer may cancel within a day. " * 10
    projection = make_config_projection(small_report().source.projection, Redactor(small_report().source.redaction))

    def seen(variant: str, last: str) -> ConfigSeen:
        effective: dict[str, Json] = {"environment_info": {"policy": policy + last}}
        return msgspec.structs.replace(_seen(variant, effective), published=projection.publish(effective))

    (difference,) = _compared(seen("full", "a"), seen("budgeted", "b"))
    assert difference.path == "environment_info.policy"
    assert difference.values == [
        [ShownValue("hash", f"sha256:{hashlib.sha256((policy + last).encode()).hexdigest()}")] for last in "ab"
    ]


def test_a_value_that_is_redacted_alike_still_differs() -> None:
    mark = PublishedConfig({("model",): "⟦已脱敏：密钥⟧"})
    first, second = (_seen(variant, {"model": variant}, ("model",)) for variant in ("full", "budgeted"))
    configs = [msgspec.structs.replace(seen, published=mark) for seen in (first, second)]
    (difference,) = _compared(*configs)
    assert difference.values == _values("⟦已脱敏：密钥⟧", "⟦已脱敏：密钥⟧")


def test_all_values_of_a_variant_are_shown_and_what_is_not_there_is_absent() -> None:
    found = _compared(
        _seen("full", {"model": "a"}, ("model",)),
        _seen("full", {"model": "b"}, ("model",)),
        _seen("budgeted", {}),
        accepted=("model",),
    )
    assert [d.values for d in found] == [[*[[ShownValue("value", "a"), ShownValue("value", "b")]], [ABSENT_VALUE]]]


def test_the_order_of_execution_has_one_strip_a_variant() -> None:
    order = comparability(small_report(), small_batch()).order
    assert [strip.variant.id for strip in order] == ["full", "budgeted"]
    assert sum(len(strip.places) for strip in order) == len(small_batch().rows)
    assert all(0 <= place < 1000 for strip in order for place in strip.places)


def test_requested_values_that_were_not_in_effect_list_their_runs() -> None:
    batch = small_batch()
    changed = [
        msgspec.structs.replace(row, requested_differs=["temperature"] if row.variant == "full" else [])
        for row in batch.rows
    ]
    (entry,) = comparability(small_report(), msgspec.structs.replace(batch, rows=changed)).not_in_effect
    own = sorted(row.run_id for row in batch.rows if row.variant == "full")
    assert entry.path == "temperature"
    assert _ids(entry.by_variant[0]) == own[: len(entry.by_variant[0])]
    assert entry.by_variant[1] == []
    assert entry.more


def test_paths_that_are_withheld_have_no_name_where_they_were_not_in_effect() -> None:
    batch = small_batch()
    rows = [msgspec.structs.replace(row, requested_differs=[UNPUBLISHED_PATHS]) for row in batch.rows]
    (entry,) = comparability(small_report(), msgspec.structs.replace(batch, rows=rows)).not_in_effect
    assert entry.path is None


def test_the_citation_names_publisher_date_batch_and_address() -> None:
    report = small_report()
    publication = msgspec.structs.replace(report.source.publication, address="https://example.org/r")
    report = msgspec.structs.replace(report, source=msgspec.structs.replace(report.source, publication=publication))
    cited = citation(report, small_batch(), "en")
    page = "https://example.org/r/experiments/context-strategy-comparison/ctx-small.html"
    assert cited.text == f"Small report (2026-11-25). Context strategies: ctx-small. {page}"
    assert cited.bibtex.startswith("@misc{ctx-small,\n")
    assert f"  url = {{{page}}},\n" in cited.bibtex


def test_no_number_is_made_by_a_view() -> None:
    batch = small_batch()
    row = metric_row(batch, small_report().source.metrics.metric("call_relation_pass_rate"))
    shown: list[Number] = [cell.number for cell in row.cells]
    assert all(number is batch.numbers[number.id] for number in shown)
