"""Scores of Inspect: what a run was given, and the headline that the log states."""

import math
from collections import defaultdict
from dataclasses import dataclass

from generator.model.base import Json
from generator.model.batches import DifferenceReason
from generator.read.importers.harness import HarnessRun, Reported
from generator.read.importers.values import as_count, as_id, as_list, as_number, as_object, as_text

LETTERS = {"C": 1, "P": 0.5, "I": 0, "N": 0}
"""Inspect's own values of correct, partial, incorrect and no answer."""
HEADLINES = ("accuracy", "mean")
PERCENT = 100


def score_value(value: Json) -> float | int | None:
    """A score as a number, None where the scorer gave none (NaN, an object, another word)."""
    if isinstance(value, bool):
        return int(value)
    if isinstance(value, str):
        return LETTERS.get(value)
    return as_number(value)


def main_score(log: dict[str, Json], samples: list[dict[str, Json]]) -> str | None:
    """The score that the headline is of: the log's own choice, else its first."""
    results = as_object(log.get("results"))
    stated = as_text(as_object(results.get("headline")).get("score"))
    listed = [as_text(as_object(score).get("name")) for score in as_list(results.get("scores"))]
    planned = [as_text(as_object(scorer).get("name")) for scorer in as_list(as_object(log.get("eval")).get("scorers"))]
    given = [name for sample in samples for name in as_object(sample.get("scores"))]
    wanted = [name for name in (stated, *listed, *planned, *given) if name is not None]
    return next((name for name in wanted if name in given), None if given else next(iter(wanted), None))


@dataclass(frozen=True, slots=True)
class _Headline:
    name: str
    value: float | int
    scored: int | None


def reported(log: dict[str, Json], score: str | None, runs: list[HarnessRun]) -> list[Reported]:
    """The accuracy (or mean) of the main score, with why it may differ from the rate over the runs.

    A reason is given where the same value comes out of the scores by Inspect's rule (repeats of a case first, then the
    cases; what has no score is left out), or where the log counts other runs than it holds.
    """
    headline = _headline(log, score)
    if headline is None:
        return []
    made = _made(log, score or "", runs)
    percent = made is not None and not _equal(made, headline.value) and _equal(made * PERCENT, headline.value, 1e-4)
    value = made if percent and made is not None else headline.value
    return [
        Reported(
            name=headline.name,
            value=value,
            stated=str(headline.value) if percent else None,
            denominator=headline.scored,
            reasons=_reasons(log, runs, value, made),
        )
    ]


def _headline(log: dict[str, Json], score: str | None) -> _Headline | None:
    for item in as_list(as_object(log.get("results")).get("scores")):
        entry = as_object(item)
        metrics = as_object(entry.get("metrics"))
        metric = next((name for name in HEADLINES if name in metrics), None)
        if entry.get("name") != score or metric is None:
            continue
        value = as_number(as_object(metrics[metric]).get("value"))
        if value is not None:
            return _Headline(f"{score}/{metric}", value, as_count(entry.get("scored_samples")))
    return None


def _made(log: dict[str, Json], score: str, runs: list[HarnessRun]) -> float | None:
    """The headline by Inspect's rule: of its own reductions where the log has them, else of means over the repeats."""
    values = _reduced(log, score)
    if not values:
        by_case: dict[str, list[float | int]] = defaultdict(list)
        for run in runs:
            if (value := as_number(run.extra.get("reward"))) is not None:
                by_case[run.case_id].append(value)
        values = [math.fsum(given) / len(given) for given in by_case.values()]
    return math.fsum(values) / len(values) if values else None


def _reduced(log: dict[str, Json], score: str) -> list[float | int]:
    for item in as_list(log.get("reductions")):
        if as_object(item).get("scorer") == score:
            samples = [as_object(sample) for sample in as_list(as_object(item).get("samples"))]
            values = [score_value(sample.get("value")) for sample in samples if as_id(sample.get("sample_id"))]
            return [value for value in values if value is not None]
    return []


def _reasons(
    log: dict[str, Json], runs: list[HarnessRun], value: float | int, made: float | None
) -> list[DifferenceReason]:
    reasons: list[DifferenceReason] = []
    total = as_count(as_object(log.get("results")).get("total_samples"))
    if total is not None and total != len(runs):
        reasons.append("other_runs")
    if made is None or not _equal(made, value):
        return reasons
    valid = [run for run in runs if run.state in ("COMPLETE", "FAILED")]
    rewards = [as_number(run.extra.get("reward")) for run in valid]
    if max((run.repeat_index for run in runs), default=0) > 0:
        reasons.append("reduced_first")
    if None in rewards:
        reasons.append("unscored_dropped")
    if any(reward is not None and 0 < reward < 1 for reward in rewards):
        reasons.append("partial_credit")
    return reasons


def _equal(one: float, other: float, tolerance: float = 1e-9) -> bool:
    return math.isclose(one, other, rel_tol=tolerance, abs_tol=tolerance)
