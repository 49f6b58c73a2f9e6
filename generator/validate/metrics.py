"""Rules of the metric table."""

import re
from collections.abc import Iterator

from generator.errors import Finding, Place
from generator.model.metrics import EVIDENCE_OPERATIONS, OPERATIONS, Metric, MetricTable
from generator.model.rules import finding
from generator.model.source import Source
from generator.model.words import did_you_mean, in_words
from generator.validate.common import unique_ids

FILE = "metrics.yaml"
MAX_DECIMALS = 6
ACCOUNTED = ("tokens", "ms", "usd")
"""Units of what is accounted over a call or a run."""

_ID = re.compile(r"[a-z][a-z0-9_]{0,63}")
_PARAMETERS = {"quantile": "p", "pass_hat": "k", "derived": "operation"}


def check_metrics(source: Source, judged: frozenset[str]) -> Iterator[Finding]:
    """All rules of the table. `judged` are the ids of the metrics that have code."""
    table = source.metrics
    yield from unique_ids(FILE, "metrics", (metric.id for metric in table.metrics))
    yield from check_version(table)
    if source.batches:
        yield from check_code(table, judged)
    for position, metric in enumerate(table.metrics):
        path = f"metrics[{position}]"
        yield from check_metric_id(metric, path)
        yield from check_parameters(metric, path)
        yield from check_contract(metric, path)
        yield from check_counts(metric, path)
        yield from check_boundary(metric, path)
        yield from check_ranges(metric, path, table.version)


def check_version(table: MetricTable) -> Iterator[Finding]:
    """RC108: the version counts from 1 and its reason is told."""
    told = [change.version for change in table.changes]
    if table.version < 1:
        yield finding("RC108", Place(FILE, field="version"), "1 or more", str(table.version), "count versions from 1")
    elif table.version not in told:
        found = f"changes of {in_words(map(str, told))}"
        remedy = "add an entry to `changes` that says why the version came"
        yield finding("RC108", Place(FILE, field="changes"), f"a change of version {table.version}", found, remedy)


def check_code(table: MetricTable, judged: frozenset[str]) -> Iterator[Finding]:
    """RC103, RC106: code and table have the same judged metrics."""
    for position, metric in enumerate(table.metrics):
        if metric.is_judged and metric.id not in judged:
            place = Place(FILE, field=f"metrics[{position}].id")
            expected = f"a metric that has code: {', '.join(sorted(judged))}"
            remedy = did_you_mean(metric.id, sorted(judged), "correct the id, or write its function in generator/judge")
            yield finding("RC103", place, expected, f"`{metric.id}`", remedy)
    rows = {metric.id for metric in table.metrics}
    for metric_id in sorted(judged - rows):
        place, remedy = Place(FILE, field="metrics"), "add the row: what is judged is published with its definition"
        yield finding("RC106", place, f"a row `{metric_id}`", "none", remedy)


def check_metric_id(metric: Metric, path: str) -> Iterator[Finding]:
    """RC102: ids of metrics are parts of addresses as they stand."""
    if _ID.fullmatch(metric.id) is None:
        expected = "lower case letters, digits and `_`, at most 64"
        yield finding("RC102", Place(FILE, field=f"{path}.id"), expected, f"`{metric.id}`", "rename the metric")


def check_parameters(metric: Metric, path: str) -> Iterator[Finding]:
    """RC104: quantile has `p`, pass_hat `k`, derived `operation`; no aggregate has another's."""
    if metric.aggregate == "evidence":
        yield from _check_evidence_parameters(metric, path)
        return
    for aggregate, name in _PARAMETERS.items():
        value = getattr(metric, name)
        place = Place(FILE, field=f"{path}.{name}")
        if metric.aggregate == aggregate and value is None:
            yield finding("RC104", place, f"`{name}` for the aggregate {aggregate}", "none", f"add `{name}`")
        elif metric.aggregate != aggregate and value is not None:
            expected = f"no `{name}`: only {aggregate} has one"
            found = f"`{name}` with the aggregate {metric.aggregate}"
            yield finding("RC104", place, expected, found, f"remove `{name}`")
    if metric.operation is not None and metric.operation not in OPERATIONS:
        place = Place(FILE, field=f"{path}.operation")
        remedy = did_you_mean(metric.operation, OPERATIONS, "name an operation that has code")
        yield finding("RC104", place, f"one of {', '.join(OPERATIONS)}", f"`{metric.operation}`", remedy)
    if metric.p is not None and not 0 < metric.p < 1:
        place = Place(FILE, field=f"{path}.p")
        yield finding("RC104", place, "a number between 0 and 1", str(metric.p), "correct `p`")
    if metric.k is not None and metric.k < 1:
        yield finding("RC104", Place(FILE, field=f"{path}.k"), "1 or more", str(metric.k), "correct `k`")


def _check_evidence_parameters(metric: Metric, path: str) -> Iterator[Finding]:
    """RC104: metrics on aggregate evidence have `operation`, and `p` where that takes a quantile."""
    if metric.operation not in EVIDENCE_OPERATIONS:
        place, found = Place(FILE, field=f"{path}.operation"), f"`{metric.operation}`" if metric.operation else "none"
        remedy = did_you_mean(metric.operation or "", EVIDENCE_OPERATIONS, "name an operation on aggregate evidence")
        yield finding("RC104", place, f"one of {', '.join(EVIDENCE_OPERATIONS)}", found, remedy)
    place = Place(FILE, field=f"{path}.p")
    if metric.operation == "table_quantile":
        if metric.p is None or not 0 < metric.p < 1:
            found = "none" if metric.p is None else str(metric.p)
            yield finding("RC104", place, "a number between 0 and 1", found, "correct `p`")
    elif metric.p is not None:
        yield finding("RC104", place, "no `p`: only table_quantile has one", "`p`", "remove `p`")
    if metric.k is not None:
        yield finding("RC104", Place(FILE, field=f"{path}.k"), "no `k`: only pass_hat has one", "`k`", "remove `k`")
    if metric.source != "derived":
        place, remedy = Place(FILE, field=f"{path}.source"), "say `source: derived`: no code judges a run for it"
        yield finding("RC104", place, "derived", metric.source, remedy)


def check_contract(metric: Metric, path: str) -> Iterator[Finding]:
    """RC107: a telemetry value says how it was measured. Features of a family are counted from the trace alone."""
    if metric.source == "telemetry" and metric.contract is None and metric.family is None:
        remedy = "add `contract`: what telemetry may be read as depends on how it was measured"
        yield finding("RC107", Place(FILE, field=f"{path}.contract"), "a measurement contract", "none", remedy)


def check_counts(metric: Metric, path: str) -> Iterator[Finding]:
    """RC185: a ratio says what it counts, and nothing else does. Data of aggregate evidence say it themselves."""
    place = Place(FILE, field=f"{path}.counts")
    is_ratio = metric.unit == "ratio" and metric.aggregate != "evidence"
    if is_ratio and metric.counts is None:
        remedy = "add `counts`: cases, runs and calls are different denominators"
        yield finding("RC185", place, "the unit that the ratio counts, such as run or case", "none", remedy)
    elif not is_ratio and metric.counts is not None:
        found = f"`{metric.counts}` with the unit {metric.unit}"
        yield finding("RC185", place, "no `counts`: only a ratio has one", found, "remove `counts`")


def check_boundary(metric: Metric, path: str) -> Iterator[Finding]:
    """RC186: tokens, times and costs say over what they are accounted, and nothing else does. Of aggregate evidence the
    register says it, datum by datum."""
    place = Place(FILE, field=f"{path}.boundary")
    is_accounted = metric.unit in ACCOUNTED and metric.aggregate != "evidence"
    if is_accounted and metric.boundary is None:
        remedy = "add `boundary`: tokens of a call and of a run are different amounts"
        yield finding("RC186", place, "one_call, two_calls or whole_run", "none", remedy)
    elif not is_accounted and metric.boundary is not None:
        found = f"`{metric.boundary}` with the unit {metric.unit}"
        expected = f"no `boundary`: only {in_words(ACCOUNTED)} have one"
        yield finding("RC186", place, expected, found, "remove `boundary`")


def check_ranges(metric: Metric, path: str, version: int) -> Iterator[Finding]:
    """RC109: decimals, and the version since which the row is there."""
    if not 0 <= metric.decimals <= MAX_DECIMALS:
        place = Place(FILE, field=f"{path}.decimals")
        yield finding("RC109", place, f"0 to {MAX_DECIMALS}", str(metric.decimals), "correct `decimals`")
    if not 1 <= metric.since <= max(version, 1):
        place = Place(FILE, field=f"{path}.since")
        expected = f"1 to {version}, the version of the table"
        yield finding("RC109", place, expected, str(metric.since), "name the version that brought the metric")
