"""Charts of mutants and of violation rates."""

from xml.etree import ElementTree

import pytest

from generator.charts import Chart, draw_charts
from generator.model.report import BatchReport
from generator.model.source import Source
from tests.aggregate.build import report_of
from tests.aggregate.test_kinds import OUTCOMES, batch_of, mutants, pairs, related, trials
from tests.charts.build import texts
from tests.support.small_definitions import text


def named(report: BatchReport, source: Source) -> dict[str, Chart]:
    return {chart.name: chart for chart in draw_charts(report, source, "en", texts("en"))}


def labels(chart: Chart) -> list[str]:
    return [found.text or "" for found in ElementTree.fromstring(chart.svg).iter("text") if found.get("class") == "ref"]


def test_mutants_by_component() -> None:
    source = mutants(
        {"id": "a", "mutation": {"operator": "tool_remove"}},
        {"id": "b", "mutation": {"operator": "tool_reorder"}},
        {"id": "c", "mutation": {"operator": "prompt_drop", "equivalent": text("同", "same")}},
    )
    rows = trials("full", 6, 6) + trials("a", 0, 6) + trials("b", 6, 6) + trials("c", 6, 6)
    chart = named(report_of(rows, source, batch_of("full", "a", "b", "c")), source)["mutants"]
    assert chart.page == "statistics"
    assert [[cell.text or cell.number for cell in row] for row in chart.rows] == [
        ["prompt", "ctx-small/full/mutation_score--family-prompt"],
        ["tools", "ctx-small/full/mutation_score--family-tool"],
    ]
    # One equivalent prompt mutant; of the tools one killed, one survived.
    assert labels(chart) == ["Killed", "Survived", "Equivalent", "prompt", "tools", "1", "1", "1"]


@pytest.mark.parametrize("epsilon", [0.05, 0.4])
def test_violation_rates_and_their_bound(epsilon: float) -> None:
    source = related("same", "permutation", epsilon=epsilon)
    chart = named(report_of(pairs(OUTCOMES), source, batch_of("full", "turned")), source)["violations"]
    assert [[cell.text or cell.number for cell in row] for row in chart.rows] == [
        ["turned", "ctx-small/full/violation_rate--relation-turned"]
    ]
    lines = [line for line in ElementTree.fromstring(chart.svg).iter("line") if line.get("stroke-dasharray")]
    (bound,) = lines
    # 357 pixels are 100%.
    place = float(str(bound.get("transform")).removeprefix("translate(").partition(",")[0])
    assert place == pytest.approx((epsilon + 0.1) * 357, abs=0.6)


def test_comparisons_have_neither_chart() -> None:
    source = mutants()
    report = report_of(trials("full", 3, 6), source, batch_of("full"))
    assert not {"mutants", "violations"} & set(named(report, source))
