"""All pages for readers, in the order of the navigation."""

from collections.abc import Iterator, Mapping, Sequence

from generator.model.addresses import result_page, statistics_page
from generator.model.base import Lang
from generator.model.report import Report
from generator.views.audit import audit_view
from generator.views.experiments import experiment_entries, experiment_views, experiments_view
from generator.views.frame import DrawnChart, PageView, example_number
from generator.views.home import first_run, home_view
from generator.views.metrics import metrics_view
from generator.views.restatements import restated_numbers
from generator.views.result import result_view
from generator.views.runs_index import compare_view, runs_view
from generator.views.statistics import statistics_view

Titles = Mapping[str, str]
"""Title of a page in one language, by its name in the navigation."""

NAVIGATION_BATCHES = 12
"""Result pages in the navigation for each experiment; the page of the experiment links to all of them."""


def site_pages(
    report: Report, charts: Mapping[str, Sequence[DrawnChart]], lang: Lang, titles: Titles
) -> Iterator[PageView]:
    """Every generated page of one language. `charts` by batch id."""
    yield home_view(report, report.source.publication.title.in_language(lang))
    yield experiments_view(report, titles["experiments"])
    yield from experiment_views(report, lang)
    for batch in report.batches:
        if batch.experiment.visibility == "public":
            drawn = charts.get(batch.batch.id, ())
            yield result_view(report, batch, [chart for chart in drawn if chart.page == "result"], lang)
            yield statistics_view(report, batch, [chart for chart in drawn if chart.page == "statistics"], lang)
    yield runs_view(report, titles["runs"])
    yield compare_view(report, titles["compare"])
    yield metrics_view(report, titles["metrics"])
    if report.has_audit:
        yield audit_view(report, titles["audit"])
    yield example_view(report, "verify", titles["verify"])
    yield PageView("data.html", "data.md.j2", titles["data"], {"batches": report.batches})
    yield changes_view(report, titles["changes"])


def example_view(report: Report, name: str, title: str) -> PageView:
    """A page that explains by the example of one number."""
    example = example_number(report)
    metric = None if example is None else report.source.metrics.metric(example.metric)
    context = {"example": example, "example_run": first_run(report, example), "example_metric": metric}
    banner = example is not None and any(batch.batch.synthetic for batch in report.batches)
    return PageView(f"{name}.html", f"{name}.md.j2", title, context, banner)


def changes_view(report: Report, title: str) -> PageView:
    by_id = {batch.batch.id: batch for batch in report.batches}
    publication = report.source.publication
    published = [
        (entry.since.isoformat(), by_id[entry.batch]) for entry in publication.published if entry.batch in by_id
    ]
    context = {
        "published": sorted(published, key=lambda entry: (entry[0], entry[1].batch.id), reverse=True),
        "restatements": restated_numbers(report),
        "table": report.source.metrics,
    }
    return PageView("changes.html", "changes.md.j2", title, context)


def navigation(report: Report, lang: Lang, titles: Titles) -> list[tuple[str, str | list[tuple[str, str]]]]:
    """Title and page, or title and pages of a section; pages by their path in the docs tree."""
    experiments = [(titles["all_experiments"], "experiments/index.md")]
    for entry in experiment_entries(report):
        experiments.append((entry.experiment.title.in_language(lang), _source_path(entry.page)))
        for batch in entry.batches[:NAVIGATION_BATCHES]:
            name, ids = batch.batch.id, (entry.experiment.id, batch.batch.id)
            experiments.append((name, _source_path(result_page(*ids))))
            experiments.append((f"{name} · {titles['statistics']}", _source_path(statistics_page(*ids))))
    return [
        (titles["home"], "index.md"),
        (titles["experiments"], experiments),
        (titles["runs"], [(titles["all_runs"], "runs/index.md"), (titles["compare"], "compare/index.md")]),
        (titles["metrics"], "metrics.md"),
        (titles["methods"], "methods.md"),
        *([(titles["audit"], "audit.md")] if report.has_audit else []),
        (titles["verify"], "verify.md"),
        (titles["data"], "data.md"),
        (titles["changes"], "changes.md"),
    ]


def _source_path(page: str) -> str:
    """Of a page, in the docs tree."""
    return page.removesuffix(".html") + ".md"
