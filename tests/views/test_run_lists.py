"""Static lists of runs."""

import pytest

from generator.views import run_lists as module
from generator.views.run_lists import run_list_views
from tests.render.sample import sample


def test_every_run_once_in_executed_order() -> None:
    batch = sample().batch
    metric = sample().source.metrics.metric("call_relation_pass_rate")
    views = list(run_list_views(batch, metric))
    assert [view.path for view in views] == [
        "runs/ctx-small/lists/full-1.html",
        "runs/ctx-small/lists/budgeted-1.html",
    ]
    for view in views:
        shown = [listed.row for listed in view.runs]
        assert [row.sequence for row in shown] == sorted(row.sequence for row in shown)
        assert {row.variant for row in shown} == {view.variant}
    assert sum(len(view.runs) for view in views) == len(batch.rows)
    assert views[0].others == (("budgeted", "runs/ctx-small/lists/budgeted-1.html"),)


def test_pages(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "RUNS_A_PAGE", 5)
    metric = sample().source.metrics.metric("call_relation_pass_rate")
    views = [view for view in run_list_views(sample().batch, metric) if view.variant == "full"]
    assert [(view.page, len(view.runs)) for view in views] == [(1, 5), (2, 5), (3, 2)]
    assert views[2].path == "runs/ctx-small/lists/full-3.html"
