"""Every number once more, from the assertions in the evidence."""

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from fractions import Fraction
from math import comb
from typing import Any

from generator.verify.exact import newcombe, quantile, wilson
from generator.verify.names import file_name

Assertion = dict[str, Any]


@dataclass(frozen=True)
class EvidenceRun:
    """What numbers need of one run, read from its evidence."""

    run_id: str
    variant: str
    case: str
    category: str
    state: str
    validity: str
    reason: str | None
    stratum: str
    assertions: dict[str, Assertion]


@dataclass
class Recomputed:
    """A number as the evidence has it. Run sets are sets of run ids; None where the number has none."""

    value: Fraction | None = None
    numerator: int | None = None
    denominator: int | None = None
    runs: set[str] | None = None
    numerator_runs: set[str] | None = None
    excluded: dict[str, set[str]] = field(default_factory=dict)
    missing: set[str] = field(default_factory=set)
    interval: tuple[float, float] | None = None


@dataclass(frozen=True)
class Batch:
    """The batch file, and the evidence of its runs."""

    head: dict[str, Any]
    runs: list[EvidenceRun]


def group_of(batch: Batch, number: dict[str, Any]) -> list[EvidenceRun]:
    """The runs of the number's variant and slice."""
    name = number["slice"]
    return [run for run in batch.runs if run.variant == number["variant"] and (name is None or name in _slices(run))]


def recompute(batch: Batch, number: dict[str, Any], metric: dict[str, Any], level: float) -> Recomputed:
    """A number that is not a difference.

    Raises
    ------
    KeyError
        the metric table names an aggregate that is not published here.
    """
    group = group_of(batch, number)
    if metric["aggregate"] == "count":
        return _count(batch, number, group)
    judged, result = _judged(group, _assertion_of(batch, metric))
    by_aggregate: dict[str, Callable[[], None]] = {
        "proportion": lambda: _proportion(result, judged, level),
        "mean": lambda: _sample(result, judged, lambda values: sum(values, Fraction(0)) / len(values)),
        "quantile": lambda: _sample(result, judged, lambda values: quantile(values, Fraction(metric["p"]))),
        "pass_hat": lambda: _pass_hat(result, judged, metric["k"]),
    }
    by_aggregate[metric["aggregate"]]()
    return result


def recompute_difference(first: Recomputed, second: Recomputed, metric: dict[str, Any], level: float) -> Recomputed:
    """The first number minus the second; Newcombe's interval for proportions."""
    result = Recomputed()
    if first.value is not None and second.value is not None:
        result.value = first.value - second.value
        if metric["aggregate"] == "proportion":
            hits = (first.numerator or 0, second.numerator or 0)
            result.interval = newcombe(hits, (first.denominator or 0, second.denominator or 0), level)
    return result


def change_word(first: Fraction | None, second: Fraction | None, direction: str) -> str:
    """What became of `second`, the baseline."""
    if first is None or second is None:
        return "incomparable"
    if first == second:
        return "unchanged"
    if direction == "neutral":
        return "up" if first > second else "down"
    return "improved" if (first > second) == (direction == "higher") else "regressed"


def _slices(run: EvidenceRun) -> tuple[str, str, str]:
    return (
        f"category-{file_name(run.category)}",
        f"case-{file_name(run.case)}",
        f"stratum-{file_name(run.stratum)}",
    )


def _assertion_of(batch: Batch, metric: dict[str, Any]) -> str:
    return str(batch.head["pass_metric"] if metric["aggregate"] == "pass_hat" else metric["id"])


def _judged(group: Iterable[EvidenceRun], metric: str) -> tuple[list[tuple[EvidenceRun, Assertion]], Recomputed]:
    """The runs to which the metric applies, and a result in which the others are excluded."""
    judged = []
    excluded: dict[str, set[str]] = defaultdict(set)
    for run in group:
        assertion = run.assertions.get(metric)
        if run.validity != "valid":
            excluded[f"{run.validity}:{run.reason or 'not_given'}"].add(run.run_id)
        elif assertion is None or assertion["outcome"] == "not_applicable":
            excluded[f"not_applicable:{assertion['reason'] if assertion else 'not_recorded'}"].add(run.run_id)
        else:
            judged.append((run, assertion))
    return judged, Recomputed(excluded=dict(excluded))


def _proportion(result: Recomputed, judged: list[tuple[EvidenceRun, Assertion]], level: float) -> None:
    hits = {run.run_id for run, assertion in judged if assertion["outcome"] == "hit"}
    result.runs = {run.run_id for run, _ in judged}
    result.numerator_runs = hits
    result.numerator, result.denominator = len(hits), len(judged)
    if judged:
        result.value = Fraction(len(hits), len(judged))
        result.interval = wilson(len(hits), len(judged), level)


def _sample(
    result: Recomputed,
    judged: list[tuple[EvidenceRun, Assertion]],
    reduce: Callable[[list[Fraction]], Fraction],
) -> None:
    measured = {run.run_id: Fraction(assertion["value"]) for run, assertion in judged if assertion["value"] is not None}
    result.runs = set(measured)
    result.missing = {run.run_id for run, _ in judged} - result.runs
    result.denominator = len(measured)
    if measured:
        result.value = reduce(list(measured.values()))


def _pass_hat(result: Recomputed, judged: list[tuple[EvidenceRun, Assertion]], k: int) -> None:
    by_case: dict[str, list[tuple[str, bool]]] = defaultdict(list)
    for run, assertion in judged:
        by_case[run.case].append((run.run_id, assertion["outcome"] == "hit"))
    enough = [runs for runs in by_case.values() if len(runs) >= k]
    few = {run_id for runs in by_case.values() if len(runs) < k for run_id, _ in runs}
    if few:
        result.excluded["not_applicable:fewer_than_k_valid_runs"] = few
    result.runs = {run_id for runs in enough for run_id, _ in runs}
    result.denominator = len(enough)
    if enough:
        shares = (Fraction(comb(sum(passed for _, passed in runs), k), comb(len(runs), k)) for runs in enough)
        result.value = sum(shares, Fraction(0)) / len(enough)


def _count(batch: Batch, number: dict[str, Any], group: list[EvidenceRun]) -> Recomputed:
    kind = number["metric"].removeprefix("runs_")
    grid = batch.head["grid"]
    if kind == "planned":
        cells = len(grid["cases"]) * grid["repeats"] if number["variant"] in grid["variants"] else 0
        return Recomputed(value=Fraction(cells))
    if kind == "skipped":
        counts = Counter(cell["variant"] for cell in batch.head["skipped"])
        return Recomputed(value=Fraction(counts[number["variant"]]))
    counted = {run.run_id for run in group if kind in (run.validity, run.state.lower())}
    return Recomputed(value=Fraction(len(counted)), runs=counted)
