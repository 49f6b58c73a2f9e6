"""What is wrong with what was asked: batch, variant, baseline, policy, and whether the baseline may be compared."""

from collections.abc import Iterator

from generator.decide.candidates import candidates
from generator.decide.configurations import differing_paths
from generator.errors import Finding, Place
from generator.model.batches import Batch
from generator.model.experiments import Experiment
from generator.model.gate import GatePolicy, GateRequest
from generator.model.json_leaves import is_below, keys_to, leaves
from generator.model.metrics import Metric
from generator.model.report import Report
from generator.model.rows import ConfigSeen, name_in_findings
from generator.model.rules import finding, visible_id
from generator.model.source import BatchSource, Source
from generator.model.words import did_you_mean, in_words, one_of

FILE = "publication.yaml"
COMMAND = "runcite gate"
"""Stands for the file where the command line is at fault."""


def needed_batches(source: Source, request: GateRequest) -> list[BatchSource]:
    """The batches that the decision rests on, in the order of the source."""
    return [batch for batch in source.batches if batch.batch.id in (request.batch, request.baseline)]


def check_request(source: Source, request: GateRequest, policy: GatePolicy) -> list[Finding]:
    """RC701, RC702, RC703, and all about the policy: what can be said before a run is read."""
    heads = {batch.batch.id: batch.batch for batch in source.batches}
    findings = [
        finding(
            "RC701",
            Place(COMMAND, field=option),
            one_of(map(visible_id, heads), "a published batch"),
            f"`{visible_id(batch_id)}`",
            did_you_mean(batch_id, heads, f"list the batch under `published` of {FILE}; `runcite import` does so"),
        )
        for option, batch_id in (("--batch", request.batch), ("--baseline", request.baseline))
        if batch_id is not None and batch_id not in heads
    ]
    findings += _check_ranges(request, policy)
    if findings:
        return findings
    head = heads[request.batch]
    experiment = source.experiments.get(head.experiment)
    if experiment is None:
        return findings
    findings += _check_metrics(source, request, policy, experiment)
    findings += _check_variant(request, head, experiment)
    if request.baseline is not None and not request.is_within:
        findings += _check_baseline(request, head, heads[request.baseline], _asked(request, head, experiment))
    return findings


def _check_variant(request: GateRequest, head: Batch, experiment: Experiment) -> Iterator[Finding]:
    """RC702: the variant that is decided on was planned, could be released, and is not its own baseline."""
    variants = candidates(head.planned.variants, experiment, request)
    place = Place(COMMAND, field="--variant")
    if request.variant is not None and request.variant not in variants:
        remedy = did_you_mean(request.variant, variants, "name a planned variant, or leave --variant out")
        if request.is_within and request.variant == experiment.baseline:
            remedy = "name another one: the baseline variant is what the others are compared with"
        elif experiment.kind != "comparison" and request.variant in head.planned.variants:
            remedy = f"leave --variant out: of a {experiment.kind} batch the original alone could be released"
        expected = one_of(map(visible_id, variants), "a variant of the batch")
        yield finding("RC702", place, expected, f"`{visible_id(request.variant)}`", remedy)
    elif not variants:
        remedy = "name an earlier batch as --baseline, or decide against theta without one"
        yield finding("RC702", place, "a variant besides the baseline", "none", remedy)


def _asked(request: GateRequest, head: Batch, experiment: Experiment) -> list[str]:
    """The variants that are decided on."""
    return candidates(head.planned.variants, experiment, request) if request.variant is None else [request.variant]


def _check_baseline(request: GateRequest, head: Batch, base: Batch, variants: list[str]) -> Iterator[Finding]:
    """RC703: the baseline is an earlier batch of the same experiment, and has the variants and cases."""
    place = Place(COMMAND, field="--baseline")
    if base.experiment != head.experiment:
        found = f"`{visible_id(base.id)}` of `{visible_id(base.experiment)}`"
        remedy = "name a batch of the same experiment: others vary something else"
        yield finding("RC703", place, f"a batch of the experiment `{visible_id(head.experiment)}`", found, remedy)
        return
    if base.executed_on > head.executed_on:
        expected = f"a batch that was executed by {head.executed_on.isoformat()}"
        found = f"`{visible_id(base.id)}` of {base.executed_on.isoformat()}"
        yield finding("RC703", place, expected, found, "exchange --batch and --baseline")
    for what, asked, there in (
        ("variants", variants, base.planned.variants),
        ("cases", head.planned.cases, base.planned.cases),
    ):
        unknown = [identifier for identifier in asked if identifier not in there]
        if unknown:
            expected = f"the {what} of `{visible_id(head.id)}`"
            remedy = "name a baseline that has them" + (", or one variant by --variant" if what == "variants" else "")
            found = f"a baseline without {in_words(map(visible_id, unknown))}"
            yield finding("RC703", place, expected, found, remedy)


def _check_ranges(request: GateRequest, policy: GatePolicy) -> Iterator[Finding]:
    """RC109, RC101: errors lie in (0, 0.5), rates in (0, 1), a coverage in [0, 1], and a metric stands once."""
    if request.policy_file is None:
        return
    file = request.policy_file
    levels = {name: getattr(policy, name) for name in ("alpha", "beta", "delta", "theta")}
    for position, metric in enumerate(policy.metrics):
        levels |= {f"metrics[{position}].{name}": getattr(metric, name) for name in ("theta", "delta")}
        if metric.id in (earlier.id for earlier in policy.metrics[:position]):
            place = Place(file, field=f"metrics[{position}].id")
            yield finding("RC101", place, "each metric once", f"`{visible_id(metric.id)}` again", "remove one of them")
    for field, value in levels.items():
        most = 0.5 if field in ("alpha", "beta") else 1
        if value is not None and not 0 < value < most:
            place, remedy = Place(file, field=field), "correct it: levels and rates are fractions, 5% is 0.05"
            yield finding("RC109", place, f"a number between 0 and {most}", str(value), remedy)
    if policy.min_coverage is not None and not 0 <= policy.min_coverage <= 1:
        place, remedy = Place(file, field="min_coverage"), "correct it, or write null where none is demanded"
        yield finding("RC109", place, "0 to 1", str(policy.min_coverage), remedy)
    for field, runs in (("min_runs", policy.min_runs), ("max_trials", policy.max_trials)):
        if runs is not None and runs < 1:
            yield finding("RC109", Place(file, field=field), "1 or more", str(runs), "correct it, or leave it out")


def _check_metrics(source: Source, request: GateRequest, policy: GatePolicy, experiment: Experiment) -> list[Finding]:
    """RC105, RC704: a decision rests on judged ratios that have a direction."""
    rows = source.metrics.by_id()
    able = [metric.id for metric in rows.values() if _can_decide(metric)]
    findings = []
    for position, entry in enumerate(policy.metrics):
        metric = rows.get(entry.id)
        place = Place(request.policy_file or COMMAND, field=f"metrics[{position}].id")
        if metric is None:
            remedy = did_you_mean(entry.id, able, "name a metric of metrics.yaml")
            findings.append(finding("RC105", place, one_of(able, "a ratio"), f"`{visible_id(entry.id)}`", remedy))
        elif not _can_decide(metric):
            found = f"`{metric.id}`, {metric.aggregate} of direction {metric.direction}"
            remedy = "name one of the ratios"
            findings.append(
                finding("RC704", place, f"a judged ratio with a direction: {in_words(able)}", found, remedy)
            )
        elif metric.direction == "lower" and request.baseline is None and entry.theta is None:
            field = Place(request.policy_file or COMMAND, field=f"metrics[{position}].theta")
            remedy = "state the highest rate that passes: the common theta is a lowest rate"
            findings.append(finding("RC704", field, f"a theta of its own for `{metric.id}`", "none", remedy))
    return findings


def _can_decide(metric: Metric) -> bool:
    return metric.is_judged and metric.aggregate == "proportion" and metric.direction != "neutral"


def check_comparable(report: Report, request: GateRequest, policy: GatePolicy) -> list[Finding]:
    """RC705, RC706: between an earlier batch and this one only what the policy names has changed, and what it names is
    there. Variants of one batch are compared by its own checks."""
    batches = {batch.batch.id: batch for batch in report.batches}
    current = batches[request.batch]
    baseline = current if request.baseline is None else batches[request.baseline]
    findings = list(_check_changed(request, policy, [*current.configs, *baseline.configs]))
    if request.baseline is None or request.is_within:
        return findings
    place = Place(COMMAND, field="--baseline")
    for name in ("case_bank", "metric_table_version", "catalog", "fixtures", "judges"):
        own, base = getattr(current.batch, name), getattr(baseline.batch, name)
        if own != base:
            expected, found = f"`{name}` {_in_words(own)}", f"`{name}` {_in_words(base)} in `{baseline.batch.id}`"
            findings.append(finding("RC705", place, expected, found, "name a baseline that was judged alike"))
    accepted = [accepted.path for accepted in current.experiment.accepted_differences]
    for variant in _asked(request, current.batch, current.experiment):
        paths = differing_paths(variant, current.configs, baseline.configs, [*policy.changed, *accepted])
        if paths:
            expected = f"one configuration of `{visible_id(variant)}`"
            expected += f", {in_words(policy.changed)} aside" if policy.changed else ""
            remedy = "declare what the release changes under `changed` of the policy, or name another baseline"
            findings.append(finding("RC705", place, expected, f"differences at {in_words(paths)}", remedy))
    return findings


def _check_changed(request: GateRequest, policy: GatePolicy, configs: list[ConfigSeen]) -> Iterator[Finding]:
    """RC706: a path that no configuration has excuses nothing, and is a typing error."""
    known = {keys for config in configs for keys, _ in leaves(config.effective)}
    for position, path in enumerate(policy.changed):
        if not any(is_below(keys, keys_to(path)) for keys in known):
            place = Place(request.policy_file or COMMAND, field=f"changed[{position}]")
            names = sorted({name_in_findings(keys, configs) for keys in known})
            remedy = did_you_mean(path, names, "correct the path, or leave it out")
            yield finding("RC706", place, "a path of the compared configurations", f"`{visible_id(path)}`", remedy)


def _in_words(value: object) -> str:
    """An id with its version, several of them, or the plain value."""
    if isinstance(value, dict):
        return in_words(f"{visible_id(str(name))} version {version}" for name, version in sorted(value.items()))
    if hasattr(value, "version") and hasattr(value, "id"):
        return f"{visible_id(value.id)} version {value.version}"
    return "none" if value is None else f"{value}"
