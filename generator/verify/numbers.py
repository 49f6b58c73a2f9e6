"""The numbers of a batch: every published field of each, against the evidence of its runs."""

from collections import defaultdict
from fractions import Fraction
from typing import Any

from generator.verify.box import BOX_COMPARED, BOX_DRAWN
from generator.verify.composed import composition_of
from generator.verify.decisions import check_decisions, match
from generator.verify.derived import PAIRED, Derivation
from generator.verify.evidence import JUDGED_SOURCES
from generator.verify.exact import same, value_text
from generator.verify.levels import Levels
from generator.verify.lexicon import Words
from generator.verify.names import file_name, number_id, variant_name
from generator.verify.recompute import Batch, Recomputed, change_word, recompute, recompute_difference
from generator.verify.result import VerifyResult
from generator.verify.runsets import RunSets
from generator.verify.shown import Published, published_number

_INTERVAL_TOLERANCE = Fraction(1, 10**9)


def check_numbers(
    batch: Batch,
    numbers: list[dict[str, Any]],
    metrics: dict[str, Any],
    words: Words,
    runsets: RunSets,
    levels: Levels,
    result: VerifyResult,
) -> dict[str, Published]:
    """Compare all numbers; what pages must show of each, by id."""
    level = 1 - levels.alpha
    values: dict[str, Recomputed] = {}
    published: dict[str, Published] = {}
    batch.details.update({(n["variant"], n["metric"]): n["detail"] or {} for n in numbers if n["detail"] is not None})
    derivation = Derivation(batch, metrics, levels, result)
    for number in sorted(numbers, key=lambda number: number["compares"] is not None):
        metric = metrics[number["metric"]]
        change = None
        if metric["aggregate"] == "derived" and number["compares"] is None:
            recomputed, detail = derivation.recompute(number, metric)
            match(number["id"], "detail", number["detail"], detail, result)
        elif number["compares"] is None:
            recomputed = recompute(batch, number, metric, levels)
            result.compare("decisions", number["id"], "detail", number["detail"], None)
        else:
            first, second = (values[other] for other in number["compares"])
            recomputed = recompute_difference(first, second, metric, float(level))
            change = change_word(first.value, second.value, metric["direction"])
            if metric["operation"] == BOX_DRAWN and recomputed.value is not None:
                recomputed.interval = derivation.drawn_interval(number, float(level))
                recomputed.method = "cluster_bootstrap"
            match(number["id"], "detail", number["detail"], composition_of(batch, number, metric), result)
        values[number["id"]] = recomputed
        result.compare("change words", number["id"], "change", number["change"], change)
        _check_fields(batch, number, metric, result)
        _check_values(number, recomputed, runsets, result)
        _check_interval(number, recomputed, level, result)
        if _rests_on_hidden_telemetry(batch, number, metric):
            result.limits["numbers whose stratum or marks rest on telemetry that the whitelist does not show"] += 1
        else:
            result.compare("marks", number["id"], "marks", number["marks"], recomputed.marks)
        text = value_text(recomputed.value, metric["unit"], metric["decimals"], number["compares"] is not None)
        published[number["id"]] = published_number(number, metric, text, words)
    _check_list(batch, numbers, metrics, values, derivation, result)
    _check_categories(batch, numbers, result)
    check_decisions(batch, numbers, metrics, values, levels, result)
    return published


def _check_categories(batch: Batch, numbers: list[dict[str, Any]], result: VerifyResult) -> None:
    """The batch file lists its categories in the order in which the numbers of each variant and metric stand."""
    place = f"numbers of {batch.head['id']}"
    order = [f"category-{file_name(category['id'])}" for category in batch.head["categories"]]
    sliced: dict[tuple[str, str], list[str]] = defaultdict(list)
    for number in numbers:
        if number["slice"] in order:
            sliced[number["variant"], number["metric"]].append(number["slice"])
    for (variant, metric), found in sliced.items():
        what = f"order of categories of {variant}, {metric}"
        result.compare("lists of numbers", place, what, found, [name for name in order if name in found])


def _check_list(
    batch: Batch,
    numbers: list[dict[str, Any]],
    metrics: dict[str, Any],
    values: dict[str, Recomputed],
    derivation: Derivation,
    result: VerifyResult,
) -> None:
    """The batch file names these numbers, and none of a whole group is left out."""
    place = f"numbers of {batch.head['id']}"
    listed = [number["id"] for number in numbers]
    result.compare("lists of numbers", place, "ids", batch.head["numbers"], listed)
    result.compare("lists of numbers", place, "ids that stand twice", len(listed) - len(set(listed)), 0)
    variants, baseline = batch.head["grid"]["variants"], variant_name(batch.head["baseline"])
    for metric in metrics.values():
        if metric["aggregate"] == "derived":
            _check_derived(batch, metric, listed, values, derivation, result)
            continue
        if metric["family"] is not None:
            continue
        if metric["source"] not in JUDGED_SOURCES and metric["aggregate"] not in ("count", "pass_hat"):
            continue
        whole = {
            variant_name(variant): number_id(batch.head["id"], variant_name(variant), metric["id"], None)
            for variant in variants
        }
        needed = list(whole.values())
        is_compared = batch.head["kind"] == "comparison" or metric["id"] == batch.head["pass_metric"]
        for variant, number in whole.items():
            has_value = any(values[other].value is not None for other in (number, whole[baseline]) if other in values)
            if variant != baseline and metric["aggregate"] != "count" and has_value and is_compared:
                needed.append(number_id(batch.head["id"], f"{variant}-vs-{baseline}", metric["id"], None))
        result.compare("lists of numbers", place, f"missing for {metric['id']}", sorted(set(needed) - set(listed)), [])


def _check_derived(
    batch: Batch,
    metric: dict[str, Any],
    listed: list[str],
    values: dict[str, Recomputed],
    derivation: Derivation,
    result: VerifyResult,
) -> None:
    """One a variant; of a comparison one a variant besides the baseline; of all runs of a batch of its kind one for the
    whole and one for each slice. Those of the box are of factors, where they are, and some are compared."""
    of_operation = derivation.of_operation(metric["operation"])
    if of_operation is not None:
        own = of_operation.needed(metric["operation"], metric["id"])
        result.compare(
            "lists of numbers",
            f"numbers of {batch.head['id']}",
            f"missing for {metric['id']}",
            sorted(set(own) - set(listed)),
            [],
        )
        return
    baseline = variant_name(batch.head["baseline"])
    names = [variant_name(variant) for variant in batch.head["grid"]["variants"]]
    pairs = [f"{name}-vs-{baseline}" for name in names if name != baseline]
    slices = derivation.slices(metric["operation"])
    of_variants = pairs if metric["operation"] in PAIRED else names
    needed = {number_id(batch.head["id"], name, metric["id"], slice_) for name in of_variants for slice_ in slices}
    if metric["operation"] in BOX_COMPARED and slices:
        whole = {name: values.get(number_id(batch.head["id"], name, metric["id"], None)) for name in names}
        has_value = {name for name, found in whole.items() if found is not None and found.value is not None}
        compared = [f"{name}-vs-{baseline}" for name in (names if baseline in has_value else has_value)]
        needed |= {number_id(batch.head["id"], name, metric["id"], None) for name in compared if name in pairs}
    place = f"numbers of {batch.head['id']}"
    result.compare("lists of numbers", place, f"missing for {metric['id']}", sorted(needed - set(listed)), [])


def _check_fields(batch: Batch, number: dict[str, Any], metric: dict[str, Any], result: VerifyResult) -> None:
    """What a number repeats of its batch and metric, and what its id says."""
    head, compares = batch.head, number["compares"]
    place = number["id"]
    is_pair = compares is not None or metric["operation"] in PAIRED
    group = number["variant"] if is_pair else variant_name(number["variant"])
    expected: dict[str, object] = {
        "id": number_id(head["id"], group, number["metric"], number["slice"]),
        "batch": head["id"],
        "experiment": head["experiment"],
        "metric_version": head["metric_table_version"],
        "unit": metric["unit"],
        "page": f"numbers/{number['id']}.html",
        "evidence": None,
    }
    if compares is not None:
        sides = [variant_name(variant) for variant in head["grid"]["variants"]]
        baseline = variant_name(head["baseline"])
        own = [side for side in sides if number["variant"] == f"{side}-vs-{baseline}"]
        pairs = [[number_id(head["id"], side, number["metric"], None) for side in (one, baseline)] for one in own]
        result.compare(
            "fields of numbers", place, "compares", compares, pairs[0] if pairs else "a variant and the baseline"
        )
    for name, value in expected.items():
        result.compare("fields of numbers", place, name, number[name], value)


def _check_values(number: dict[str, Any], recomputed: Recomputed, runsets: RunSets, result: VerifyResult) -> None:
    place = number["id"]
    result.checked["numbers"] += 1
    if not same(number["value"], recomputed.value):
        result.differ(place, "value", number["value"], recomputed.value)
    result.compare("reasons", place, "reason", number["reason"], recomputed.reason)
    for name in ("numerator", "denominator"):
        result.compare("counts", place, name, number[name], getattr(recomputed, name))
    runsets.check(place, "runset", number["runset"], recomputed.runs, result)
    runsets.check(place, "numerator_runset", number["numerator_runset"], recomputed.numerator_runs, result)
    result.compare("counts", place, "excluded", sorted(number["excluded"]), sorted(recomputed.excluded))
    nobody = {"count": None, "runset": None}
    for kind, runs in recomputed.excluded.items():
        counted = number["excluded"].get(kind, nobody)
        result.compare("counts", place, f"excluded {kind}", counted["count"], len(runs))
        runsets.check(place, f"excluded {kind}", counted["runset"], runs, result)
    missing = number["missing"] or {"count": 0, "runset": None}
    result.compare("counts", place, "missing", missing["count"], len(recomputed.missing))
    runsets.check(place, "missing", missing["runset"], recomputed.missing, result)


def _check_interval(number: dict[str, Any], recomputed: Recomputed, level: Fraction, result: VerifyResult) -> None:
    result.checked["intervals"] += 1
    interval, place = number["interval"], number["id"]
    if interval is None or recomputed.interval is None:
        if (interval is None) != (recomputed.interval is None):
            result.differ(place, "interval", interval, recomputed.interval)
        return
    result.compare("methods of intervals", place, "interval method", interval["method"], recomputed.method)
    if abs(interval["level"] - level) > _INTERVAL_TOLERANCE:
        result.differ(place, "interval level", interval["level"], level)
    for name, bound in zip(("low", "high"), recomputed.interval, strict=True):
        if abs(interval[name] - Fraction(bound)) > _INTERVAL_TOLERANCE * max(Fraction(1), abs(Fraction(bound))):
            result.differ(place, f"interval {name}", interval[name], bound)


def _rests_on_hidden_telemetry(batch: Batch, number: dict[str, Any], metric: dict[str, Any]) -> bool:
    return metric["unit"] in ("tokens", "ms") and batch.hides_marks
