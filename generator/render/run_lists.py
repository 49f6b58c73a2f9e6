"""Static lists of runs."""

from collections.abc import Callable, Iterator
from typing import Any

import jinja2
from markupsafe import Markup

from generator.model.addresses import experiment_page, relative, result_page, run_list_page, run_page
from generator.model.report import BatchReport
from generator.render.escape import foreign
from generator.render.names import Names
from generator.render.outcomes import NOT_JUDGED, verdict
from generator.render.paging import page_links
from generator.views.run_lists import ListedRun, RunListView, run_list_views


class RunLists:
    """The lists of one batch, which all stand in one folder."""

    def __init__(self, environment: jinja2.Environment, names: Names, batch: BatchReport, english: str) -> None:
        self._names = names
        self._batch = batch
        self._here = run_list_page(batch.batch.id, "variant", 1)
        module = environment.get_template("run_list.html.j2").make_module({"here": self._here, "english": english})
        self._macros: dict[str, Callable[..., Markup]] = vars(module)

    def pages(self) -> Iterator[tuple[str, Markup, Markup]]:
        """Address, title and body of each page."""
        metric = self._names.metrics[self._batch.experiment.pass_metric]
        for view in run_list_views(self._batch, metric):
            title = Markup("{} · {}").format(foreign(self._batch.batch.id), foreign(view.variant))
            yield view.path, title, self._macros["body"](self._page(view))

    def _page(self, view: RunListView) -> dict[str, Any]:
        names, experiment, batch = self._names, self._batch.experiment, self._batch.batch
        return {
            "batch": batch.id,
            "experiment": experiment.title,
            "experiment_page": experiment_page(experiment.id),
            "result_page": result_page(experiment.id, batch.id),
            "variant": names.variant(view.variant),
            "metric": view.pass_metric.name,
            "page": view.page,
            "links": page_links(view.page, view.paths, self._here),
            "others": [(names.variant(other), relative(path, self._here)) for other, path in view.others],
            "runs": [self._run(listed, view) for listed in view.runs],
        }

    def _run(self, listed: ListedRun, view: RunListView) -> dict[str, Any]:
        row, judged, names = listed.row, listed.judged, self._names
        shown = NOT_JUDGED if judged is None else verdict(judged.outcome, view.pass_metric.direction)
        reason = row.reason if judged is None or judged.reason is None else judged.reason
        return {
            "row": row,
            "href": relative(run_page(row.batch, row.run_id), self._here),
            "state": names.code("states", row.state),
            "reason": None if reason is None else names.code("reasons", reason),
            "tone": shown.tone,
            "shape": shown.shape,
            "word": names.words.both(shown.word),
        }
