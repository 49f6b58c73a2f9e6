"""What pages show of mutants and of pairs."""

from generator.model.report import Report
from generator.views.home import home_batch
from generator.views.kinds import Pairs, kind_view
from tests.aggregate.build import report_of
from tests.aggregate.test_kinds import OUTCOMES, batch_of, mutants, pairs, related, trials
from tests.views.reports import small_batch


def test_a_comparison_has_nothing_of_either() -> None:
    assert kind_view(small_batch()) is None


def test_mutants_in_the_order_of_the_template() -> None:
    source = mutants(
        {"id": "b", "mutation": {"operator": "prompt_drop"}}, {"id": "a.1", "mutation": {"operator": "model_swap"}}
    )
    rows = trials("full", 6, 6) + trials("b", 0, 6) + trials("a.1", 6, 6)
    report = report_of(rows, source, batch_of("full", "b", "a.1"))
    view = kind_view(report)
    assert view is not None
    assert [family for family, _ in view.families] == ["prompt", "model"]
    assert [(mutant.variant.id, mutant.found["outcome"]) for mutant in view.mutants] == [
        ("b", "killed"),
        ("a.1", "survived"),
    ]
    # The id holds a dot, which would part a path.
    assert "." not in view.mutants[1].key
    assert view.relations == []


def test_pairs_with_violated_ones_first() -> None:
    report = report_of(pairs(OUTCOMES), related("same", "permutation"), batch_of("full", "turned"))
    view = kind_view(report)
    assert view is not None
    assert [entry.variant.id for entry in view.relations] == ["turned"]
    shown = Pairs(report).of(view.whole)
    assert [pair.is_violated for pair in shown] == [True] * 3 + [False] * 6
    assert [pair.follow_up.run_id for pair in shown[:3]] == ["t-04", "t-05", "t-06"]
    assert all(pair.source.run_id == "s-" + pair.follow_up.run_id[2:] for pair in shown)
    assert (shown[0].of_source.outcome, shown[0].of_follow_up.outcome) == ("hit", "miss")


def test_home_shows_the_one_number_of_the_batch() -> None:
    source = related("same", "permutation")
    experiment = source.experiments["context-strategy-comparison"]
    report = report_of(pairs(OUTCOMES), source, batch_of("full", "turned"))
    assert experiment.main_metrics == ["call_relation_pass_rate", "tool_selection_accuracy"]
    shown = home_batch(report, Report(source=source, batches=[report]))
    assert [row.variant.id for row in shown.rows] == ["full", "turned"]
    source = mutants({"id": "a", "mutation": {"operator": "prompt_drop"}})
    own = source.experiments["context-strategy-comparison"]
    own.main_metrics.append("mutation_score")
    report = report_of(trials("full", 6, 6) + trials("a", 0, 6), source, batch_of("full", "a"))
    shown = home_batch(report, Report(source=source, batches=[report]))
    assert [row.variant.id for row in shown.rows] == ["full"]
