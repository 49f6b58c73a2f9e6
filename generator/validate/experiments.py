"""Rules of the experiment templates."""

from collections.abc import Iterator

from generator.errors import Finding, Place
from generator.model.canonical import canonical
from generator.model.experiments import Experiment
from generator.model.kinds import EXPECTATIONS
from generator.model.metrics import Metric, MetricTable
from generator.model.rules import finding, visible_id
from generator.model.source import Source
from generator.model.words import did_you_mean, in_words, one_of
from generator.validate.common import keys_of, unique_ids

FILE = "experiments.yaml"


def check_experiments(source: Source) -> Iterator[Finding]:
    for position, experiment in enumerate(source.experiments.values()):
        path = f"experiments[{position}]"
        yield from unique_ids(FILE, f"{path}.variants", (variant.id for variant in experiment.variants))
        yield from check_baseline(experiment, path)
        yield from check_values(experiment, path)
        yield from check_paths(experiment, path)
        yield from check_counts(experiment, path)
        yield from check_shown_metrics(experiment, path, source.metrics)
        yield from check_kind(experiment, path)
        yield from check_relations(experiment, path, source.metrics)


def check_baseline(experiment: Experiment, path: str) -> Iterator[Finding]:
    """RC111: differences need their baseline."""
    variants = [variant.id for variant in experiment.variants]
    if experiment.baseline not in variants:
        place = Place(FILE, field=f"{path}.baseline")
        expected, found = one_of(variants, "a variant of the experiment"), f"`{visible_id(experiment.baseline)}`"
        remedy = did_you_mean(experiment.baseline, variants, "name one of the variants")
        yield finding("RC111", place, expected, found, remedy)


def check_values(experiment: Experiment, path: str) -> Iterator[Finding]:
    """RC112: two variants of one value would be one variant, unless an accepted difference tells them apart.

    A variant without a value says nothing here; RC317 looks at what was in effect.
    """
    if experiment.accepted_differences:
        return
    first: dict[bytes | None, str] = {}
    for position, variant in enumerate(experiment.variants):
        if variant.value is None:
            continue
        earlier = first.setdefault(canonical(variant.value), variant.id)
        if earlier != variant.id:
            place = Place(FILE, field=f"{path}.variants[{position}].value")
            expected, found = "a value that no other variant has", f"the value of `{visible_id(earlier)}`"
            yield finding(
                "RC112",
                place,
                expected,
                found,
                "correct the value, remove the variant, or declare in `accepted_differences` what else differs",
            )


def check_paths(experiment: Experiment, path: str) -> Iterator[Finding]:
    """RC113, RC114: the independent variable and what else may differ are paths of the configuration."""
    places = [(f"{path}.independent_variable", experiment.independent_variable)]
    for position, accepted in enumerate(experiment.accepted_differences):
        field = f"{path}.accepted_differences[{position}].path"
        places.append((field, accepted.path))
        if accepted.path == experiment.independent_variable:
            found, remedy = "the independent variable", "remove the entry: the independent variable always may differ"
            yield finding("RC114", Place(FILE, field=field), "another path", found, remedy)
    for field, value in places:
        if keys_of(value) is None:
            expected = "keys joined by dots, such as `context.strategy`"
            remedy = "name a path of the effective configuration"
            yield finding("RC113", Place(FILE, field=field), expected, f"`{value}`", remedy)


def check_counts(experiment: Experiment, path: str) -> Iterator[Finding]:
    """RC109: at least one repeat; an own threshold of at least one run."""
    if experiment.repeats < 1:
        place = Place(FILE, field=f"{path}.repeats")
        yield finding("RC109", place, "1 or more", str(experiment.repeats), "correct `repeats`")
    own = experiment.min_valid_per_group
    if own is not None and own < 1:
        place = Place(FILE, field=f"{path}.min_valid_per_group")
        yield finding("RC109", place, "1 or more", str(own), "correct the threshold, or remove it")


def check_shown_metrics(experiment: Experiment, path: str, table: MetricTable) -> Iterator[Finding]:
    """RC105, RC115: what is shown is a row of the table, and the pass metric a proportion that code judges, of which
    more is better: a hit is a pass."""
    rows = table.by_id()
    shown = [(f"{path}.pass_metric", experiment.pass_metric)]
    shown += [(f"{path}.main_metrics[{number}]", metric) for number, metric in enumerate(experiment.main_metrics)]
    for field, metric in shown:
        if metric not in rows:
            yield unknown_metric(Place(FILE, field=field), metric, table)
    row = rows.get(experiment.pass_metric)
    if row is not None and not _can_pass(row):
        place = Place(FILE, field=f"{path}.pass_metric")
        options = in_words(metric.id for metric in table.metrics if _can_pass(metric))
        found = f"`{row.id}`, a {row.aggregate} whose direction is {row.direction}"
        yield finding("RC115", place, f"a proportion: {options}", found, "name a metric that a run passes or fails")
    yield from unique_ids(FILE, f"{path}.main_metrics", experiment.main_metrics, key="")


def _can_pass(metric: Metric) -> bool:
    return metric.aggregate == "proportion" and metric.is_judged and metric.direction == "higher"


_NEEDED = {"comparison": None, "mutation": "mutation", "metamorphic": "relation"}


def check_kind(experiment: Experiment, path: str) -> Iterator[Finding]:
    """RC118: what is compared with the baseline says what it is, as the kind of the experiment asks."""
    needed = _NEEDED[experiment.kind]
    for position, variant in enumerate(experiment.variants):
        wanted = None if variant.id == experiment.baseline else needed
        for name in ("mutation", "relation"):
            is_there = getattr(variant, name) is not None
            if is_there != (name == wanted):
                place = Place(FILE, field=f"{path}.variants[{position}].{name}")
                role = "the baseline" if variant.id == experiment.baseline else "a variant"
                expected = f"`{name}` of {role} of a {experiment.kind} experiment" if name == wanted else f"no `{name}`"
                found = f"one of {role} of a {experiment.kind} experiment" if is_there else "none"
                yield finding("RC118", place, expected, found, "correct the variant, or the `kind` of the experiment")
    if needed is not None and len(experiment.variants) < 2:
        place, found = Place(FILE, field=f"{path}.variants"), "the baseline alone"
        yield finding("RC118", place, "a variant besides the baseline", found, f"register one with a `{needed}`")


def check_relations(experiment: Experiment, path: str, table: MetricTable) -> Iterator[Finding]:
    """RC105, RC119: a relation expects what its family can, of runs that meet a metric or miss it."""
    rows = table.by_id()
    for position, variant in enumerate(experiment.variants):
        relation = variant.relation
        if relation is None:
            continue
        field = f"{path}.variants[{position}].relation"
        options = EXPECTATIONS[relation.family]
        if relation.expects not in options:
            place, found = Place(FILE, field=f"{field}.expects"), f"`{relation.expects}`"
            expected = f"one of {in_words(options)}, for the family {relation.family}"
            yield finding("RC119", place, expected, found, "correct the expectation, or the family")
        if relation.metric is None:
            continue
        place, row = Place(FILE, field=f"{field}.metric"), rows.get(relation.metric)
        if row is None:
            yield unknown_metric(place, relation.metric, table)
        elif row.aggregate != "proportion" or not row.is_judged:
            options_shown = in_words(m.id for m in table.metrics if m.aggregate == "proportion" and m.is_judged)
            found, remedy = f"`{row.id}`, a {row.aggregate}", "name a metric that a run meets or misses"
            yield finding("RC119", place, f"a proportion: {options_shown}", found, remedy)


def unknown_metric(place: Place, metric: str, table: MetricTable) -> Finding:
    """RC105."""
    rows = [row.id for row in table.metrics]
    expected = f"one of {', '.join(rows)}" if rows else one_of(rows, "a row of metrics.yaml")
    remedy = did_you_mean(metric, rows, "correct the id, or add the row to metrics.yaml")
    return finding("RC105", place, expected, f"`{visible_id(metric)}`", remedy)
