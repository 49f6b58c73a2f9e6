"""Mutation scores and violation rates, counted by hand and from the reference."""

import datetime
import json
from pathlib import Path
from typing import Any

import msgspec
import pytest
from scipy.stats import hypergeom

from generator.model.batches import Batch, PlannedGrid
from generator.model.numbers import Number
from generator.model.publication import Thresholds
from generator.model.report import BatchReport
from generator.model.rows import RunRow
from generator.model.source import Source
from tests.aggregate.build import make_batch, make_row, make_source, report_of
from tests.support.small_definitions import text

Dict = dict[str, Any]
PASS = "call_relation_pass_rate"
GOLDEN = {
    entry["id"]: entry
    for entry in json.loads((Path(__file__).parents[1] / "reference/golden.json").read_text(encoding="utf-8"))[
        "entries"
    ]
    if entry["op"] == "mutation"
}
OPERATORS = {"drop_instruction": "prompt_drop", "synonym": "prompt_synonym", "tool_removed": "tool_remove"}


def mutants(*variants: Dict, **levels: float) -> Source:
    """`full` is the original; each variant has an id and a mutation."""
    named = [{"name": text(one["id"], one["id"]), **one} for one in ({"id": "full"}, *variants)]
    made = make_source(kind="mutation", independent_variable="agent", variants=named, main_metrics=[])
    return with_levels(made, **levels)


def with_levels(source: Source, **levels: float) -> Source:
    publication = msgspec.structs.replace(source.publication, thresholds=msgspec.convert(levels, Thresholds))
    return msgspec.structs.replace(source, publication=publication)


def batch_of(*variants: str) -> Batch:
    grid = PlannedGrid(cases=["basic-01"], variants=list(variants), repeats=1)
    return msgspec.structs.replace(make_batch(), planned=grid, executed_on=datetime.date(2026, 11, 20))


def trials(variant: str, passes: int, n: int) -> list[RunRow]:
    """So many runs, the first of which pass."""
    return [
        make_row(place, variant, run_id=f"{variant}-{place:03}", call_relation_pass_rate=place < passes)
        for place in range(n)
    ]


def number_of(report: BatchReport, metric: str, slice_: str | None = None) -> Number:
    found = report.number("full", metric, slice_)
    assert found is not None
    return found


@pytest.mark.parametrize("name", sorted(GOLDEN))
def test_the_reference(name: str) -> None:
    data, expected = GOLDEN[name]["input"], GOLDEN[name]["expected"]
    said = [
        {
            "id": mutant["id"],
            "mutation": {"operator": OPERATORS.get(mutant["id"], "context_noise")}
            | ({"equivalent": text("同", "same")} if mutant.get("equivalent") else {}),
        }
        for mutant in data["mutants"]
    ]
    rows = trials("full", *data["original"])
    for mutant in data["mutants"]:
        rows += trials(mutant["id"], mutant["passes"], mutant["trials"])
    source = mutants(*said, alpha=float(data["alpha"]), delta=float(data["delta"]))
    score = number_of(report_of(rows, source, batch_of("full", *(m["id"] for m in data["mutants"]))), "mutation_score")
    assert score.value == expected["score"]
    assert score.detail is not None
    detail: Any = score.detail
    assert (detail["killed"], detail["judged"]) == (expected["killed"], expected["non_equivalent"])
    words = {True: "killed", False: "survived", None: "equivalent"}
    for mutant, wanted in zip(data["mutants"], expected["mutants"], strict=True):
        found = detail["mutants"][mutant["id"]]
        assert found["outcome"] == words[wanted["killed"]]
        assert (found["passes"], found["trials"]) == (mutant["passes"], mutant["trials"])
        if wanted["killed"] is None:
            # 95 of 100 on both sides. SciPy has the hypergeometric distribution of its own.
            assert found["drop"] == 0
            assert found["p"] == pytest.approx(hypergeom.cdf(95, 200, 190, 100), rel=1e-7)
        else:
            assert found["p"] == pytest.approx(wanted["p_value"], rel=1e-7)
            assert found["drop"] == pytest.approx(wanted["drop"])


def test_runs_of_equivalents_and_runs_that_are_not_judged_are_not_counted() -> None:
    source = mutants(
        {"id": "a", "mutation": {"operator": "tool_remove"}},
        {"id": "b", "mutation": {"operator": "tool_reorder", "equivalent": text("同", "same")}},
    )
    rows = trials("full", 6, 6) + trials("a", 0, 6) + trials("b", 3, 6)
    rows.append(make_row(99, "a", run_id="a-x", call_relation_pass_rate=None))
    rows.append(make_row(100, "a", run_id="a-y", state="INVALID", reason="rate_limited"))
    rows.append(make_row(101, "b", run_id="b-y", state="INVALID", reason="rate_limited"))
    report = report_of(rows, source, batch_of("full", "a", "b"))
    score = number_of(report, "mutation_score")
    # 6 of 6 against 0 of 6: p = 1 / C(12, 6) = 1/924.
    assert (score.value, score.denominator, score.numerator) == (1, 12, None)
    detail: Any = score.detail
    assert detail["mutants"]["a"]["p"] == pytest.approx(1 / 924)
    assert detail["mutants"]["a"]["drop"] == 1
    assert detail["mutants"]["b"] == {
        "operator": "tool_reorder",
        "family": "tool",
        "outcome": "equivalent",
        "passes": 3,
        "trials": 6,
        "drop": 0.5,
        # (C(6, 3) · C(6, 6)) ÷ C(12, 9) = 20 ÷ 220, above α.
        "p": pytest.approx(1 / 11),
    }
    assert score.missing is not None
    assert score.missing.count == 1
    assert {key: entry.count for key, entry in score.excluded.items()} == {"invalid:rate_limited": 1}


def test_an_equivalent_that_the_rule_would_kill_is_doubtful_and_stays_out() -> None:
    source = mutants(
        {"id": "a", "mutation": {"operator": "tool_remove"}},
        {"id": "b", "mutation": {"operator": "tool_reorder", "equivalent": text("同", "same")}},
    )
    rows = trials("full", 6, 6) + trials("a", 6, 6) + trials("b", 0, 6)
    score = number_of(report_of(rows, source, batch_of("full", "a", "b")), "mutation_score")
    detail: Any = score.detail
    assert (score.value, score.denominator, detail["equivalent"], detail["killed"]) == (0, 12, 1, 0)
    assert detail["mutants"]["b"]["outcome"] == "doubtful_equivalent"
    assert detail["mutants"]["b"]["p"] == pytest.approx(1 / 924)


def test_a_batch_without_mutants_says_so() -> None:
    source = mutants({"id": "a", "mutation": {"operator": "tool_remove"}})
    score = number_of(report_of(trials("full", 6, 6), source, batch_of("full")), "mutation_score")
    assert (score.value, score.reason) == (None, "no_mutant_planned")


def test_families_are_slices_and_only_those_that_occur() -> None:
    source = mutants(
        {"id": "a", "mutation": {"operator": "model_swap"}},
        {"id": "b", "mutation": {"operator": "prompt_drop"}},
        {"id": "c", "mutation": {"operator": "context_noise", "equivalent": text("同", "same")}},
    )
    rows = trials("full", 6, 6) + trials("a", 6, 6) + trials("b", 0, 6) + trials("c", 6, 6)
    report = report_of(rows, source, batch_of("full", "a", "b", "c"))
    values = {number.slice: number.value for number in report.numbers.values() if number.metric == "mutation_score"}
    assert values == {None: 0.5, "family-prompt": 1, "family-model": 0, "family-context": None}
    assert number_of(report, "mutation_score", "family-context").reason == "all_mutants_equivalent"


def test_a_mutant_without_judged_runs_is_not_judged() -> None:
    source = mutants({"id": "a", "mutation": {"operator": "tool_remove"}})
    rows = [*trials("full", 6, 6), make_row(50, "a", run_id="a-x", call_relation_pass_rate=None)]
    score = number_of(report_of(rows, source, batch_of("full", "a")), "mutation_score")
    detail: Any = score.detail
    assert (score.value, score.reason) == (None, "no_mutant_judged")
    assert (detail["mutants"]["a"]["outcome"], detail["mutants"]["a"]["trials"]) == ("not_judged", 0)


def test_where_lower_is_better_a_rise_kills() -> None:
    source = mutants({"id": "a", "mutation": {"operator": "tool_remove"}})
    experiment = source.experiments["context-strategy-comparison"]
    experiment = msgspec.structs.replace(experiment, pass_metric="hallucinated_tool_rate")
    source = msgspec.structs.replace(source, experiments={experiment.id: experiment})
    rows = [
        make_row(place, variant, run_id=f"{variant}-{place}", hallucinated_tool_rate=variant == "a")
        for variant in ("full", "a")
        for place in range(6)
    ]
    detail: Any = number_of(report_of(rows, source, batch_of("full", "a")), "mutation_score").detail
    assert detail["original"] == {"passes": 6, "trials": 6}
    assert detail["mutants"]["a"]["outcome"] == "killed"


def related(expects: str, family: str, metric: str | None = None, **levels: float) -> Source:
    relation = {"family": family, "expects": expects} | ({} if metric is None else {"metric": metric})
    variants = [
        {"id": "full", "name": text("源", "source")},
        {"id": "turned", "name": text("变", "turned"), "relation": relation},
    ]
    return with_levels(make_source(kind="metamorphic", variants=variants), **levels)


def pairs(outcomes: list[tuple[bool | None, bool | None]]) -> list[RunRow]:
    """Runs of the source, and the run that follows each."""
    rows = []
    for place, (source, own) in enumerate(outcomes):
        rows.append(make_row(place, run_id=f"s-{place:02}", call_relation_pass_rate=source))
        row = make_row(place + 50, "turned", run_id=f"t-{place:02}", call_relation_pass_rate=own)
        rows.append(msgspec.structs.replace(row, source_run_id=f"s-{place:02}"))
    return rows


OUTCOMES: list[tuple[bool | None, bool | None]] = [
    *[(True, True)] * 4,
    *[(True, False)] * 2,
    (False, True),
    *[(False, False)] * 2,
    (None, True),
]


@pytest.mark.parametrize(
    ("expects", "family", "violated", "judged", "unpaired"),
    [
        ("same", "permutation", 3, 9, {"pair_not_judged": 1}),
        ("not_better", "perturbation", 1, 3, {"pair_not_judged": 1, "source_passed": 6}),
        ("follows", "composition", 2, 6, {"pair_not_judged": 1, "source_missed": 3}),
        ("holds", "oracle", 4, 9, {"pair_not_judged": 1}),
    ],
)
def test_pairs_of_each_relation(expects: str, family: str, violated: int, judged: int, unpaired: Dict) -> None:
    report = report_of(pairs(OUTCOMES), related(expects, family), batch_of("full", "turned"))
    names = (None, f"family-{family}", "relation-turned")
    for number in (number_of(report, "violation_rate", name) for name in names):
        assert (number.numerator, number.denominator) == (violated, judged)
        assert number.value == pytest.approx(violated / judged)
        assert number.detail == {
            "relations": {
                "turned": {
                    "family": family,
                    "expects": expects,
                    "metric": PASS,
                    "pairs": judged,
                    "violated": violated,
                }
            },
            "unpaired": unpaired,
        }
        assert number.runset is not None
        assert all(run.startswith("t-") for run in report.runsets[number.runset])
        assert number.missing is not None
        assert number.missing.count == 10 - judged
    found = {number.slice for number in report.numbers.values() if number.metric == "violation_rate"}
    assert found == set(names)


def test_verdicts_of_relations_and_none_of_all_together() -> None:
    # 0 of 20 violated: Wilson's upper end is z²/(20 + z²) = 0.1611.
    rows = pairs([(True, True)] * 20)
    for epsilon, outcome, more in ((0.1, "pass", 0), (0.05, "inconclusive", 2)):
        report = report_of(rows, related("same", "permutation", epsilon=epsilon), batch_of("full", "turned"))
        assert number_of(report, "violation_rate").verdict is None
        number = number_of(report, "violation_rate", "relation-turned")
        verdict = number.verdict
        assert verdict is not None
        assert (verdict.kind, verdict.outcome, verdict.more_runs) == ("relation", outcome, more)
        assert (verdict.epsilon, verdict.delta, verdict.theta) == (epsilon, 0.1, None)
        assert number.interval is not None
        assert number.interval.high == pytest.approx(3.8414588 / 23.8414588)
    worst = report_of(
        pairs([(True, False)] * 20), related("same", "permutation", epsilon=0.1), batch_of("full", "turned")
    )
    failed = number_of(worst, "violation_rate", "family-permutation").verdict
    assert failed is not None
    assert failed.outcome == "fail"


def test_a_source_that_is_not_valid_makes_no_pair() -> None:
    rows = pairs([(True, True)] * 6)
    rows[0] = make_row(0, run_id="s-00", state="INVALID", reason="rate_limited")
    number = number_of(report_of(rows, related("holds", "oracle"), batch_of("full", "turned")), "violation_rate")
    detail: Any = number.detail
    assert (number.denominator, detail["unpaired"]) == (5, {"source_not_valid": 1})


def test_a_relation_on_another_metric_and_without_any_pair() -> None:
    source = related("same", "permutation", "key_fact_presence_rate")
    report = report_of(pairs([(True, False)] * 6), source, batch_of("full", "turned"))
    number = number_of(report, "violation_rate", "relation-turned")
    # Key facts are missed by all runs alike.
    assert (number.value, number.denominator) == (0, 6)
    rows = pairs([(None, None)] * 6)
    nothing = number_of(report_of(rows, related("same", "permutation"), batch_of("full", "turned")), "violation_rate")
    assert (nothing.value, nothing.reason, nothing.interval) == (None, "no_pair_judged", None)


def test_comparisons_have_neither_and_other_kinds_no_slices_by_category() -> None:
    rows = trials("full", 3, 6) + trials("budgeted", 3, 6)
    numbers = report_of(rows).numbers.values()
    assert not {"mutation_score", "violation_rate"} & {number.metric for number in numbers}
    assert any((number.slice or "").startswith("category-") for number in numbers)
    source = mutants({"id": "a", "mutation": {"operator": "tool_remove"}})
    rows = trials("full", 6, 6) + trials("a", 0, 6)
    others = report_of(rows, source, batch_of("full", "a")).numbers.values()
    assert not any((number.slice or "").startswith(("category-", "stratum-")) for number in others)
    assert {number.metric for number in others if number.compares is not None} == {PASS}
