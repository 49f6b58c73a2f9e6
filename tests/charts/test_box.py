"""Charts of runs against the box."""

from typing import Any
from xml.etree import ElementTree

import msgspec
import pytest

from generator.charts import Chart, draw_charts
from generator.charts.box_panels import place
from generator.model.profiles import Profile
from generator.model.report import BatchReport
from generator.model.rows import RunRow
from generator.model.source import Source
from tests.aggregate.build import make_batch, make_source, report_of
from tests.aggregate.test_box import run
from tests.charts.build import texts
from tests.support.profiles import PROFILE_ID, factor, profile

SHARE = factor("quality", "call_relation_pass_rate", direction="higher", tau=0.8)
THREE = profile(factor("tokens", "total_tokens"), factor("cost", "cost_usd", tau=1), SHARE)
ROWS = [
    run(1, 500, True, cost_usd=0.5),
    run(2, 2000, True, cost_usd=0.5),
    run(3, 100, False, "budgeted", cost_usd=0.1),
    run(4, None, True, "budgeted", cost_usd=0.1),
]


def source_of(written: dict[str, Any] | None) -> Source:
    source = make_source()
    if written is None:
        return source
    publication = msgspec.structs.replace(source.publication, box_profile=PROFILE_ID)
    return msgspec.structs.replace(
        source, publication=publication, profiles={PROFILE_ID: msgspec.convert(written, Profile)}
    )


def named(written: dict[str, Any] | None, rows: list[RunRow] = ROWS) -> dict[str, Chart]:
    source = source_of(written)
    report: BatchReport = report_of(rows, source, make_batch())
    return {chart.name: chart for chart in draw_charts(report, source, "en", texts("en"))}


def points(chart: Chart) -> list[str]:
    """Outlines of the marks that Vega drew."""
    root = ElementTree.fromstring(chart.svg)
    return [path.get("d") or "" for group in root.findall(".//g/g") for path in group.findall("path")]


def test_every_pair_of_factors_has_a_panel_with_its_box() -> None:
    chart = named(THREE)["box-panels"]
    labels = [text.text for text in ElementTree.fromstring(chart.svg).iter("text")]
    assert labels.count("→ Factor tokens") == 4  # two pairs begin with it, for two variants
    # Higher is better: the axis shows how far it falls short.
    assert sum((label or "").endswith("badness") for label in labels) == 4
    assert chart.columns == ["Variant", "Factor tokens", "Factor cost", "Factor quality"]
    assert chart.rows[0][1].number == "ctx-small/full/box_badness--factor-tokens"
    drawn = [outline for outline in points(chart) if outline]
    # The one run inside in three panels as a circle, two outside as crosses; and six boxes.
    circles = [outline for outline in drawn if "A" in outline]
    assert (len(circles), len(drawn) - len(circles)) == (3, 6 + 6)


def test_the_cube_has_twelve_edges_a_variant_and_needs_three_factors() -> None:
    charts = named(THREE)
    assert {"box-panels", "box-cubes", "box-scores", "box-losses"} <= set(charts)
    lines = list(ElementTree.fromstring(charts["box-cubes"].svg).iter("line"))
    assert len(lines) == 2 * (12 + 3)
    two = named(profile())
    assert "box-cubes" not in two
    assert "box-panels" in two
    one = named(profile(factor("tokens", "total_tokens")))
    assert {"box-scores", "box-losses"} <= set(one)
    assert "box-panels" not in one


def test_scores_and_losses_lead_to_their_numbers() -> None:
    charts = named(THREE)
    assert [cell.number for cell in charts["box-scores"].rows[1][1:]] == [
        f"ctx-small/budgeted/{metric}" for metric in ("box_rmsl", "box_mean_score", "box_median_score", "box_spread")
    ]
    assert charts["box-losses"].rows[0][3].number == "ctx-small/full/box_loss--factor-quality"


def test_nothing_is_drawn_without_a_profile_or_a_score() -> None:
    assert not [name for name in named(None) if name.startswith("box-")]
    assert not [name for name in named(THREE, [run(1, None, True)]) if name.startswith("box-")]


@pytest.mark.parametrize(("x", "expected"), [(0, 0), (0.5, 0.5), (1, 1), (10, 2), (1000, 4)])
def test_the_scale_is_proportional_inside_and_by_tenfolds_beyond(x: float, expected: float) -> None:
    assert place(x) == pytest.approx(expected)


def test_a_chart_that_leaves_runs_out_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    assert not any("evenly spaced" in chart.description for chart in named(THREE).values())
    monkeypatch.setattr("generator.charts.box.MOST_TICKS", 1)
    monkeypatch.setattr("generator.charts.box_panels.MOST_POINTS", 1)
    said = {name for name, chart in named(THREE).items() if "evenly spaced" in chart.description}
    assert said == {"box-panels", "box-cubes", "box-scores"}
