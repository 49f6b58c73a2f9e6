"""Numbers → charts: inline SVG, each with the table of the same numbers."""

from generator.charts.chart import Chart, ChartCell, Setting
from generator.model.base import Lang
from generator.model.report import BatchReport
from generator.model.source import Source

__all__ = ["Chart", "ChartCell", "draw_charts"]


def draw_charts(batch: BatchReport, source: Source, lang: Lang, texts: dict[str, str]) -> list[Chart]:
    """The charts of a batch in the order of its pages. What has no data has no chart.

    `texts` are those of the language, by key (`charts.…`, `common.…`, `result.layers.…`).
    """
    # Altair and Vega take a second to load: only who draws pays for it.
    from altair.utils.schemapi import debug_mode

    from generator.charts.behaviour import draw_coverage, draw_drift
    from generator.charts.box import draw_losses, draw_scores
    from generator.charts.box_panels import draw_cubes, draw_panels
    from generator.charts.counts import draw_accounting, draw_failures
    from generator.charts.kinds import draw_mutants, draw_violations
    from generator.charts.measures import draw_durations, draw_tokens
    from generator.charts.proportions import draw_categories, draw_proportions
    from generator.charts.sequential import draw_sequential

    setting = Setting(batch, source, lang, texts)
    draws = (
        *(draw_proportions, draw_accounting, draw_categories, draw_durations, draw_tokens, draw_failures),
        *(draw_mutants, draw_violations, draw_sequential, draw_drift, draw_coverage),
        *(draw_panels, draw_cubes, draw_scores, draw_losses),
    )
    # Checking each part of a chart against the schema takes longer than drawing it; tests check it.
    with debug_mode(False):
        drawn = [draw_one(setting) for draw_one in draws]
    return [chart for chart in drawn if chart is not None]
